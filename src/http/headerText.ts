const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const beyondAscii = /[\x80-\xff]/

/**
 * Reads the text of a header that may hold more than ASCII. HTTP gives it bytes and says nothing of their encoding (RFC
 * 9110 5.5), and the server reads them as latin1. Most clients write UTF-8, some latin1: what is no UTF-8 is taken for it.
 * @param value as the server gives it, a character for each byte
 */
export function headerText(value: string): string {
  if (!beyondAscii.test(value)) return value
  try {
    return utf8.decode(Buffer.from(value, 'latin1'))
  } catch {
    return value
  }
}
