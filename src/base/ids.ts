import { fromUUIDBytes } from 'typeid-js'
import type { EpochMs } from './clock.ts'
import { sha256 } from './crypto.ts'

/** The prefix shows in a log and in a foreign key what kind of thing an id names. */
export type IdPrefix =
  | 'msg'
  | 'batch'
  | 'ws'
  | 'chan'
  | 'line'
  | 'contact'
  | 'tpl'
  | 'user'
  | 'sess'
  | 'inv'
  | 'hook'
  | 'media'

/** @returns a TypeID: the prefix, `_`, and a time-ordered UUIDv7 in 26 base32 characters. */
export function newId(prefix: IdPrefix): string {
  // Without a TypeID object: that would parse and check the id again at every send.
  return fromUUIDBytes(prefix, Bun.randomUUIDv7('buffer'))
}

/** @returns when `newId` made an id, by the clock of its process: 48 bits of a UUIDv7, behind two empty ones */
export function timeOfId(id: string): EpochMs {
  let time = 0
  for (const digit of id.slice(-ownDigits).slice(0, timeDigits)) time = time * base32.length + base32.indexOf(digit)
  return time
}

/** @returns the id of what has none of its own: the same for the same text, and for no other */
export const derivedId = (prefix: IdPrefix, of: string): string =>
  fromUUIDBytes(prefix, Buffer.from(sha256(of), 'hex').subarray(0, uuidBytes))

const uuidBytes = 16
/** 128 bits in digits of 5, and the 50 of them that hold the time. */
const [ownDigits, timeDigits] = [26, 10]

/** What is numbered in its workspace: events, and messages that users sent. */
export type NumberedPrefix = 'evt' | 'inb'

const base32 = '0123456789abcdefghjkmnpqrstvwxyz'
/** 2^50 events: a thousand a second for 35,000 years. */
const numberChars = 10
/** As the ids of `newId`: 80 bits, of which 62 are random. */
const ownerChars = 16

/**
 * @returns the id of what has this number in its workspace. It is not stored, as it follows from the two. Ids of one
 *   workspace sort by their numbers, and those of two workspaces differ
 */
export function numberedId(prefix: NumberedPrefix, workspaceId: string, number: number): string {
  let digits = ''
  for (let rest = number; digits.length < numberChars; rest = Math.floor(rest / base32.length))
    digits = `${base32[rest % base32.length]}${digits}`
  return `${prefix}_${digits}${workspaceId.slice(-ownerChars)}`
}

/** @returns the number that is in an id; null when it is no id of this kind, or of another workspace */
export function numberIn(prefix: NumberedPrefix, workspaceId: string, id: string): number | null {
  let number = 0
  for (const digit of id.slice(prefix.length + 1, prefix.length + 1 + numberChars))
    number = number * base32.length + base32.indexOf(digit)
  return number >= 0 && numberedId(prefix, workspaceId, number) === id ? number : null
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
