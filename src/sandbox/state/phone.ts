/**
 * The country codes of one and two digits; all others have three (ITU E.164, list of assigned country codes). They do
 * not change: only three-digit codes are still assigned.
 */
const shortCountryCodes = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/

/** @returns the country calling code of a line, digits only. */
export function countryCodeOf(number: string): string {
  const digits = onlyDigits(number)
  return shortCountryCodes.exec(digits)?.[0] ?? digits.slice(0, 3)
}

export const onlyDigits = (number: string): string => number.replace(/\D/g, '')

/**
 * Mobile numbers that the upstream writes otherwise than people dial them: with Mexico's former 1, with Argentina's 9
 * behind the country code, and without Brazil's ninth digit in the areas from 31 on.
 */
const writtenOtherwise: readonly (readonly [dialled: RegExp, written: string])[] = [
  [/^52(\d{10})$/, '521$1'],
  [/^54(?!9)(\d{10})$/, '549$1'],
  [/^55([3-9]\d)9(\d{8})$/, '55$1$2'],
]

/** @param digits of a number, with its country code. @returns them as the upstream writes the number */
export const writtenNumber = (digits: string): string =>
  writtenOtherwise.reduce((number, [dialled, written]) => number.replace(dialled, written), digits)

// E.164 ends at 15 digits; the shortest subscriber numbers in use have 7 with their country code.
const digitsMin = 7
const digitsMax = 15

/**
 * Reads `to` as the upstream does: spaces, dashes and parentheses are allowed, and a number without `+` is taken for
 * a national one, so the *sending line's* country code goes in front even if the number already has one.
 * @returns the digits the message really goes to, as the upstream writes them, or nothing if it cannot be a number
 */
export function waIdOf(to: string, lineCountryCode: string): string | undefined {
  const compact = to.replace(/[\s\-().]/g, '')
  const digits = compact.startsWith('+') ? compact.slice(1) : `${lineCountryCode}${compact}`
  if (!/^\d+$/.test(digits) || digits.length < digitsMin || digits.length > digitsMax) return undefined
  return writtenNumber(digits)
}
