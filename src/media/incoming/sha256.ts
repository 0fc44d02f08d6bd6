const hexPattern = /^[0-9a-f]{64}$/i
/** 32 bytes; a receiver may be given the letters of addresses, and no end. */
const base64Pattern = /^[A-Za-z0-9+/_-]{43}=?$/

/**
 * Reads a hash as the upstream writes it (docs/upstream.md#inbound-messages).
 * @returns it in hexadecimal; null when it is neither that nor base64
 */
export function readSha256(text: string | null): string | null {
  if (text === null) return null
  if (hexPattern.test(text)) return text.toLowerCase()
  return base64Pattern.test(text) ? Buffer.from(text, 'base64').toString('hex') : null
}
