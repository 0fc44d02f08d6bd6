/** The longest spelling of a number with its separators that makes sense. */
export const phoneLengthMax = 40

const separators = /[\s\-.()]/g

/**
 * E.164: at most 15 digits, and no country code begins with 0. The shortest numbers in use have 7 digits with their
 * country code. No numbering plan is used: the upstream knows it better, and an old plan refuses valid
 * numbers.
 */
const international = /^\+?[1-9]\d{6,14}$/

/** As in `+49 (0)151 …`: a zero that is dialled only inside the country. With this zero it is another number. */
const trunkZero = /\(\s*0\s*\)/

export type PhoneReading =
  /** `+` and digits, as the upstream wants them. */
  | { readonly ok: true; readonly number: string }
  /** Follows the name of the field. */
  | { readonly ok: false; readonly problem: string }

const refused = (problem: string): PhoneReading => ({ ok: false, problem })

const notInternational = refused('is not an international number: country code first, 7 to 15 digits in all')

/** Never corrected: only the caller can know whether the zero belongs to the number. */
const withTrunkZero = refused('has a trunk zero in parentheses, as in +49 (0)151…: leave out the (0)')

/**
 * Reads a number: country code first, an optional `+`, separators dropped. Only the form is checked, not whether the
 * number is in use. No country's rule changes it.
 * @see docs/partner-api.md#recipient
 */
export function readPhone(text: string): PhoneReading {
  // Checked before any pattern: a caller's text may be long.
  if (text.length > phoneLengthMax) return notInternational
  if (trunkZero.test(text)) return withTrunkZero
  const bare = text.replace(separators, '')
  if (!international.test(bare)) return notInternational
  return { ok: true, number: bare.startsWith('+') ? bare : `+${bare}` }
}

/** @returns a part of a number, as somebody may write it to search for it; null for a text that is none */
export function digitsOf(text: string): string | null {
  const bare = text.replace(/[\s\-.()]/g, '')
  return /^\+?\d{3,}$/.test(bare) ? bare : null
}
