import { createHmac } from 'node:crypto'

/*
 * Codes of authenticator apps: RFC 6238 (TOTP) over RFC 4226 (HOTP), with SHA-1, six digits and 30 seconds, which is
 * what every app takes. No library: it is these few lines over the platform's HMAC, the RFC has test vectors, and no
 * package has to be trusted with the secrets.
 */

/** RFC 4226 4 recommends the length of the hash. */
export const secretBytes = 20
const digits = 6
const stepMs = 30_000
/** Steps before and after now: a clock that is half a minute off, or a code typed slowly (RFC 6238 5.2). */
const driftMax = 1

/** @returns the code of a time step, six digits */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', secret).update(counter).digest()
  // RFC 4226 5.3: the last four bits are the offset of the number.
  const offset = (hash.at(-1) ?? 0) & 0x0f
  const number = hash.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** @returns the time step that the code belongs to; null when no current step has it */
export function totpStep(secret: Uint8Array, code: string, now: number): number | null {
  const current = Math.floor(now / stepMs)
  for (let step = current - driftMax; step <= current + driftMax; step += 1) {
    if (totpCode(secret, step) === code) return step
  }
  return null
}

const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 6, without padding: the form in which apps take secrets. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += base32Alphabet[(value >> bits) & 31]
    }
    value &= (1 << bits) - 1
  }
  return bits === 0 ? text : text + base32Alphabet[(value << (5 - bits)) & 31]
}

const issuer = 'Waypost'

/** The address in the picture that an app reads with its camera. */
export function totpUri(secret: Uint8Array, email: string): string {
  const parameters = new URLSearchParams({ secret: base32(secret), issuer, digits: String(digits), period: '30' })
  return `otpauth://totp/${issuer}:${encodeURIComponent(email)}?${parameters}`
}
