/** The longest spelling of a number with its separators that makes sense. */
export const phoneLengthMax = 40

const separators = /[\s\-.()]/g

/**
 * E.164: at most 15 digits, and no country code begins with 0. The shortest numbers in use have 7 digits with their
 * country code. No numbering plan is consulted: the upstream knows it better, and a plan in here grows old and then
 * refuses valid numbers.
 */
const international = /^\+?[1-9]\d{6,14}$/

/** As in `+49 (0)151 …`: a zero that is dialled inside the country only. With its digits kept it is another number. */
const trunkZero = /\(\s*0\s*\)/

export type PhoneReading =
  /** `+` and digits, as the upstream wants them. */
  | { readonly ok: true; readonly number: string }
  /** Follows the name of the field. */
  | { readonly ok: false; readonly problem: string }

const refused = (problem: string): PhoneReading => ({ ok: false, problem })

const notInternational = refused('is not an international number: country code first, 7 to 15 digits in all')

/** Never corrected: whether the zero belongs to the number is known in the country alone. */
const withTrunkZero = refused('has a trunk zero in parentheses, as in +49 (0)151…: leave out the (0)')

/**
 * Reads a number: country code first, a leading `+` optional, separators dropped. Only the form is judged, never
 * whether the number is in use, and no country rule rewrites it.
 * @see docs/partner-api.md#recipient
 */
export function readPhone(text: string): PhoneReading {
  // Before any pattern is tried: a caller's text may be long.
  if (text.length > phoneLengthMax) return notInternational
  if (trunkZero.test(text)) return withTrunkZero
  const bare = text.replace(separators, '')
  if (!international.test(bare)) return notInternational
  return { ok: true, number: bare.startsWith('+') ? bare : `+${bare}` }
}
