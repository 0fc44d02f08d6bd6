const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const beyondAscii = /[\x80-\xff]/

/**
 * Reads the text of a header that may hold more than ASCII. HTTP does not define the encoding of its bytes (RFC
 * 9110 5.5), and the server reads them as latin1. Most clients write UTF-8, some latin1: bytes that are not UTF-8 are
 * read as latin1.
 * @param value as the server gives it, one character for each byte
 */
export function headerText(value: string): string {
  if (!beyondAscii.test(value)) return value
  try {
    return utf8.decode(Buffer.from(value, 'latin1'))
  } catch {
    return value
  }
}
