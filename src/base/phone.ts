/** The longest spelling of a number with its separators that makes sense. */
export const phoneLengthMax = 40

/** Signs that nobody sees, which a number brings from the page it was copied from: of direction, of no width. */
const invisible = /\p{Cf}/gu

/** Of any script: Arabic, Devanagari, full width … */
const foreignDigit = /(?![0-9])\p{Nd}/gu

/** Of full width, as keyboards for Chinese and Japanese write them. */
const fullWidth: Readonly<Record<string, string>> = { '＋': '+', '（': '(', '）': ')', '．': '.' }

/** Blanks, dashes of any kind, the minus of typographers, dots and parentheses. */
const separators = /[\s\p{Pd}\u2212.()]/gu

/**
 * E.164: at most 15 digits, and no country code begins with 0. The shortest numbers in use have 7 digits with their
 * country code. No numbering plan is used: the upstream knows it better, and an old plan refuses valid
 * numbers.
 */
const international = /^\+?[1-9]\d{6,14}$/

/** As in `+49 (0)151 …`: a zero that is dialled only inside the country. With this zero it is another number. */
const trunkZero = /\(\s*0\s*\)/

/** A whole number as a program writes it that takes it for a measure. */
const decimal = /^\+?\d{7,}\.0{1,2}$/

export type PhoneReading =
  /** `+` and digits, as the upstream wants them. */
  | { readonly ok: true; readonly number: string }
  /** Follows the name of the field. */
  | { readonly ok: false; readonly problem: string }

const refused = (problem: string): PhoneReading => ({ ok: false, problem })

const notInternational = refused('is not an international number: country code first, 7 to 15 digits in all')

/** Never corrected: only the caller can know whether the zero belongs to the number. */
const withTrunkZero = refused('has a trunk zero in parentheses, as in +49 (0)151…: leave out the (0)')

/** With the dot dropped, it is the number of somebody else. */
const asMeasure = refused('ends in .0, as a spreadsheet writes a number that is no text: leave out the .0')

/** Nor are these: whose country it is, or whether the next digits are a country code, is not in the number. */
const withPrefix = refused('begins with 00, which only some countries dial before a country code: write + in its place')
const national = refused(
  'begins with 0, as it is dialled inside its country: write it as it is dialled from abroad, + and country code first',
)

/**
 * Reads a number: country code first, an optional `+`, separators dropped. Only the form is checked, not whether the
 * number is in use. No country's rule changes it.
 * @see docs/partner-api.md#recipient
 */
export function readPhone(text: string): PhoneReading {
  // Checked before any pattern: a caller's text may be long.
  if (text.length > phoneLengthMax) return notInternational
  const seen = seenIn(text)
  if (trunkZero.test(seen)) return withTrunkZero
  if (decimal.test(seen.trim())) return asMeasure
  const bare = seen.replace(separators, '')
  if (international.test(bare)) return { ok: true, number: bare.startsWith('+') ? bare : `+${bare}` }
  if (/^\+?00\d+$/.test(bare)) return withPrefix
  return /^\+?0\d+$/.test(bare) ? national : notInternational
}

/** @returns the number without what separates its digits; any other text without the same signs */
export const bareNumber = (text: string): string => seenIn(text).replace(separators, '')

/** @returns a part of a number, as somebody may write it to search for it; null for a text that is none */
export function digitsOf(text: string): string | null {
  const bare = bareNumber(text)
  return /^\+?\d{3,}$/.test(bare) ? bare : null
}

/** @returns the text as it is meant: its signs that can be seen, with digits of ASCII */
const seenIn = (text: string): string =>
  text
    .replace(invisible, '')
    .replace(/[＋（）．]/g, sign => fullWidth[sign] ?? sign)
    .replace(foreignDigit, digit => String(digitValue(digit)))

/** Unicode has the ten digits of a script in a row, from 0 to 9, and rows that touch begin at a 0 each. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let before = 0
  while (/^\p{Nd}$/u.test(String.fromCodePoint(code - before - 1))) before += 1
  return before % 10
}
