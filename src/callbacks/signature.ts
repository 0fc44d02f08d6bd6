import { hmacSha256, isSameSecret } from '../base/crypto.ts'

const signatureForm = /^sha256=[0-9a-f]{64}$/

/** @returns whether the header has the form of a signature, be it right or wrong. */
export const isSignature = (header: string | null): header is string => header !== null && signatureForm.test(header)

/**
 * Checks the signature of an upstream callback. It is made over the bytes as sent, so they must not have been parsed
 * and serialised again. The older SHA-1 header is ignored.
 * @param appSecret empty while it is not set: then no signature is valid, because anybody could sign with an empty
 *   secret
 * @param header `X-Hub-Signature-256`: `sha256=` and 64 lower-case hex digits
 * @see the upstream's webhook documentation, "Validating payloads"
 */
export function isSignedBy(appSecret: string, body: Uint8Array, header: string | null): boolean {
  return appSecret !== '' && isSameSecret(header ?? '', `sha256=${hmacSha256(appSecret, body)}`)
}
