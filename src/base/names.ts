/** A name fits on a line of a list and a title of the console. */
export const nameLengthMax = 120

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/

/** Whether it is one line of text without control characters, as a terminal shows it. */
export const isPrintable = (text: string): boolean => !controlCharacters.test(text)

/** @returns the name without spaces around it; null when nothing is left, or it cannot be shown on a line */
export function nameOf(text: string): string | null {
  const name = text.trim()
  return name !== '' && name.length <= nameLengthMax && isPrintable(name) ? name : null
}

/** What somebody looks for: as long as a name or a user id may be. */
export const searchLengthMax = 200

/** Said of a name that is none. */
export const nameRule = `must have 1 to ${nameLengthMax} printable characters`

/** @returns a username as people write it: with its `@`, which is not stored */
export const atUsername = (username: string | null): string | null => (username === null ? null : `@${username}`)

/** Short enough to be a sentence of a few words, long enough not to be one word of a list. */
export const passwordLengthMin = 12

/** RFC 5321 4.5.3.1.3: a path has 256 characters, two of which are its brackets. */
const emailLengthMax = 254

/** The addresses that browsers accept (HTML, "valid e-mail address"): ASCII, so that lower case is unambiguous. */
const emailForm =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i

export const isEmail = (text: string): boolean => text.length <= emailLengthMax && emailForm.test(text)

/** Two spellings of one address are the same after it. */
export const normalEmail = (text: string): string => text.trim().toLowerCase()
