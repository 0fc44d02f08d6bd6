import { fromUUIDBytes } from 'typeid-js'

/** The prefix shows in a log and in a foreign key what kind of thing an id names. */
export type IdPrefix = 'msg' | 'ws' | 'chan' | 'line' | 'contact' | 'tpl' | 'user' | 'sess' | 'inv'

/** @returns a TypeID: the prefix, `_`, and a time-ordered UUIDv7 in 26 base32 characters. */
export function newId(prefix: IdPrefix): string {
  // Without a TypeID object: that would parse and check the id again at every send.
  return fromUUIDBytes(prefix, Bun.randomUUIDv7('buffer'))
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Bytes from here on are skipped: 256 is no multiple of 62, and a plain remainder would prefer the first letters. */
const unbiasedByteEnd = 256 - (256 % base62.length)

/** @returns `length` random characters of 0-9 A-Z a-z, equally likely, from the system's secure generator. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < unbiasedByteEnd && text.length < length) text += base62[byte % base62.length]
    }
  }
  return text
}

/** 24 base62 characters hold 142 bits: key ids never collide. */
const keyIdLength = 24
/** 43 base62 characters hold 256 bits. Guessing is hopeless, so a fast hash is enough for storage. */
const keySecretLength = 43

export const newKeyId = () => `pk_${randomBase62(keyIdLength)}`
export const newKeySecret = () => `sk_${randomBase62(keySecretLength)}`
