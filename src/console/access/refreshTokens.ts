import { sha256 } from '../../base/crypto.ts'
import { randomBase62 } from '../../base/ids.ts'

/**
 * A refresh token has two parts, `family.secret`. The family stays the same as long as the sign-in lasts, the secret
 * changes with each refresh. Both are random, so only a browser that held a token of the family knows it: a right
 * family with an old secret shows that a token was copied.
 */
export interface RefreshToken {
  readonly family: string
  readonly secret: string
}

/** What is stored of a token. */
export interface RefreshHashes {
  readonly familyHash: string
  readonly tokenHash: string
}

/** 22 base62 characters hold 131 bits, 43 hold 256. */
const familyLength = 22
const secretLength = 43
/** The secret that follows another one is a HMAC-SHA256 in base64url: 43 characters too. */
const form = /^([0-9A-Za-z]{22})\.([0-9A-Za-z_-]{43})$/

export const newRefreshToken = (): RefreshToken => ({
  family: randomBase62(familyLength),
  secret: randomBase62(secretLength),
})

export const tokenText = ({ family, secret }: RefreshToken): string => `${family}.${secret}`

/** @returns null when it is not one of our tokens. */
export function parseRefreshToken(text: string): RefreshToken | null {
  const [, family, secret] = form.exec(text) ?? []
  return family === undefined || secret === undefined ? null : { family, secret }
}

export const hashesOf = ({ family, secret }: RefreshToken): RefreshHashes => ({
  familyHash: sha256(family),
  tokenHash: sha256(secret),
})

/**
 * The token that replaces another one. It is derived instead of random: two tabs that refresh at the same moment, or a
 * browser that repeats a refresh whose answer was lost, get the same one, although only hashes are stored.
 * @param key 256 bits; without it nobody can compute the next token from one
 */
export function nextRefreshToken(key: Uint8Array, { family, secret }: RefreshToken): RefreshToken {
  const next = new Bun.CryptoHasher('sha256', key).update(`${family}.${secret}`).digest('base64url')
  return { family, secret: next }
}
