/** Said of a text that is no number. */
export const lineNumberRule = 'must be a number with its country code, as in +4930123456'

const form = /^\+?\d{3,17}$/

/**
 * A line's own number. It is only shown, and test lines have unusual numbers, so only the form is checked.
 * @returns null when it is not a number
 */
export function lineNumberOf(text: string): string | null {
  const digits = text.replace(/[\s\-.()]/g, '')
  if (!form.test(digits)) return null
  return digits.startsWith('+') ? digits : `+${digits}`
}
