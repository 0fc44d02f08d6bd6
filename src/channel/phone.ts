import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** The longest spelling of a number with its separators that makes sense; keeps a long body away from the parser. */
export const phoneLengthMax = 40

const separators = /[\s\-.()]/g
const internationalDigits = /^\+?\d{5,17}$/

/**
 * Mexican mobile numbers as the upstream itself still writes them: a 1 after the country code, which the numbering plan
 * dropped. Whoever answers a user by the number that the upstream told must not be refused.
 */
const mexicanMobile = /^\+521\d{10}$/

/**
 * Reads a number as the contract writes it: country code first, a leading `+` optional, separators allowed.
 * Only the form is judged, never whether the number is in use, and no country rule rewrites it.
 * @returns `+` and digits as the upstream wants them, or null when it cannot be an international number
 */
export function normalizePhone(text: string): string | null {
  if (text.length > phoneLengthMax) return null
  const bare = text.replace(separators, '')
  if (!internationalDigits.test(bare)) return null
  const number = bare.startsWith('+') ? bare : `+${bare}`
  return mexicanMobile.test(number) || parsePhoneNumberFromString(number)?.isPossible() ? number : null
}
