import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** @returns the SHA-256 of a text, 64 lower-case hex digits. */
export const sha256 = (text: string | Uint8Array): string => Bun.CryptoHasher.hash('sha256', text, 'hex')

/** @returns the HMAC-SHA256 of the bytes, 64 lower-case hex digits. */
export const hmacSha256 = (secret: string, bytes: Uint8Array): string =>
  new Bun.CryptoHasher('sha256', secret).update(bytes).digest('hex')

const digestBytes = 32
/** Reused by each comparison, so that the comparison in every request makes no garbage. */
const computed = new Uint8Array(digestBytes)
const expected = Buffer.alloc(digestBytes)

/** @returns whether the text has this SHA-256 (64 hex digits), in a time that depends on neither. */
export function hasDigest(text: string, digest: string): boolean {
  Bun.CryptoHasher.hash('sha256', text, computed)
  const isWhole = digest.length === 2 * digestBytes && expected.write(digest, 'hex') === digestBytes
  return isWhole && timingSafeEqual(computed, expected)
}

/**
 * Compares two texts in a time that depends on neither. Hashes are compared, because the comparison itself
 * needs equal lengths.
 */
export const isSameSecret = (one: string, other: string): boolean => hasDigest(one, sha256(other))

/** The sealed text was not made with this key, or for another purpose, or it was changed. */
export class UnsealError extends Error {
  override readonly name = 'UnsealError'
}

/** Encrypts secrets that must be readable again: access tokens, app secrets, verify tokens. */
export interface Vault {
  /** @param purpose what the secret is and whose (`chan_…/accessToken`): it opens only for the same purpose */
  seal(secret: string, purpose: string): string
  /** @throws UnsealError */
  open(sealed: string, purpose: string): string
  /** @returns a key of 256 bits for another use, derived from the secret key. It changes when that is rotated */
  deriveKey(purpose: string): Uint8Array<ArrayBuffer>
}

/** @returns the text, sealed in letters that an address takes */
export const sealInAddress = (vault: Pick<Vault, 'seal'>, text: string, purpose: string): string =>
  Buffer.from(vault.seal(text, purpose)).toString('base64url')

/** @returns what was sealed so; null: it was for another purpose, it was changed, or it is none of ours */
export function openFromAddress(vault: Pick<Vault, 'open'>, sealed: string, purpose: string): string | null {
  try {
    return vault.open(Buffer.from(sealed, 'base64url').toString(), purpose)
  } catch {
    return null
  }
}

const nonceBytes = 12
const tagBytes = 16
const keyBytes = 32

/**
 * AES-256-GCM with a random nonce, and the purpose as authenticated data, so that a sealed value moved to another row
 * does not open. Form: `v1.` and base64 of nonce, tag and ciphertext.
 * @param secretKey any text of enough entropy; the cipher's key is derived from it
 */
export function createVault(secretKey: string): Vault {
  const derive = (purpose: string) => new Uint8Array(hkdfSync('sha256', secretKey, 'waypost', purpose, keyBytes))
  const key = derive('vault v1')
  return {
    deriveKey: purpose => derive(`derived key: ${purpose}`),
    seal(secret, purpose) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
      cipher.setAAD(Buffer.from(purpose))
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')}`
    },
    open(sealed, purpose) {
      try {
        if (!sealed.startsWith('v1.')) throw new Error('unknown form')
        const bytes = Buffer.from(sealed.slice(3), 'base64')
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
          authTagLength: tagBytes,
        })
        decipher.setAAD(Buffer.from(purpose))
        decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
        const body = bytes.subarray(nonceBytes + tagBytes)
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
      } catch (cause) {
        throw new UnsealError(
          'A stored secret does not open: SECRET_KEY or the key file is not the one it was sealed with.',
          {
            cause,
          },
        )
      }
    },
  }
}
