import { hmacSha256, isSameSecret } from '../crypto.ts'

/**
 * Checks the signature of an upstream callback. It is made over the bytes as sent, so they must not have been parsed
 * and written anew. The older SHA-1 header is ignored.
 * @param header `X-Hub-Signature-256`: `sha256=` and 64 lower-case hex digits
 * @see the upstream's webhook documentation, "Validating payloads"
 */
export function isSignedBy(appSecret: string, body: Uint8Array, header: string | null): boolean {
  return isSameSecret(header ?? '', `sha256=${hmacSha256(appSecret, body)}`)
}
