import { isSameSecret } from '../../base/crypto.ts'
import { dayMs } from '../../base/durations.ts'
import { randomBase62 } from '../../base/ids.ts'

export const deviceCookie = 'waypost_device'
/** A year: the cookie gives no access, it only says that the browser is no stranger. */
export const deviceMsMax = 365 * dayMs

/** 22 base62 characters hold 131 bits. */
const idLength = 22
const form = /^([0-9A-Za-z]{22})\.([0-9A-Za-z_-]{43})$/

const signatureOf = (key: Uint8Array, id: string, email: string) =>
  new Bun.CryptoHasher('sha256', key).update(`${id}.${email}`).digest('base64url')

/** @returns the cookie of a browser in which this account has signed in. */
export function newDevice(key: Uint8Array, email: string): string {
  const id = randomBase62(idLength)
  return `${id}.${signatureOf(key, id, email)}`
}

/** @returns the browser's id, when this account has signed in with it before; else null. */
export function knownDevice(key: Uint8Array, cookie: string | null, email: string): string | null {
  const [, id, signature] = form.exec(cookie ?? '') ?? []
  if (id === undefined || signature === undefined) return null
  return isSameSecret(signature, signatureOf(key, id, email)) ? id : null
}
