import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** @returns the number as users and callbacks show it, `+1 555 078 3881`, or the number itself if it is fictional. */
export function displayOf(number: string): string {
  return parsePhoneNumberFromString(number)?.formatInternational() ?? number
}

/** @returns the country calling code of a line, digits only; `1` where the number is not a known one. */
export function countryCodeOf(number: string): string {
  return parsePhoneNumberFromString(number)?.countryCallingCode ?? '1'
}

export const digitsOf = (number: string): string => number.replace(/\D/g, '')

// E.164 ends at 15 digits; the shortest subscriber numbers in use have 7 with their country code.
const digitsMin = 7
const digitsMax = 15

/**
 * Reads `to` as the upstream does: spaces, dashes and parentheses are allowed, and a number without `+` is taken for
 * a national one, so the *sending line's* country code goes in front even if the number already has one.
 * @returns the digits the message really goes to, or nothing if it cannot be a number
 */
export function waIdOf(to: string, lineCountryCode: string): string | undefined {
  const compact = to.replace(/[\s\-().]/g, '')
  const digits = compact.startsWith('+') ? compact.slice(1) : `${lineCountryCode}${compact}`
  if (!/^\d+$/.test(digits) || digits.length < digitsMin || digits.length > digitsMax) return undefined
  return digits
}
