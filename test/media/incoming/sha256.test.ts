import { expect, test } from 'bun:test'
import { sha256 } from '../../../src/base/crypto.ts'
import { readSha256 } from '../../../src/media/incoming/fetcher.ts'

const hex = sha256('a file')
const base64 = Buffer.from(hex, 'hex').toString('base64')

test.each([
  ['base64', base64],
  ['base64 without its end', base64.replace('=', '')],
  ['the base64 of addresses', Buffer.from(hex, 'hex').toString('base64url')],
  ['hexadecimal', hex],
  ['hexadecimal in capitals', hex.toUpperCase()],
])('a hash in %s is read', (_, text) => {
  expect(readSha256(text)).toBe(hex)
})

test.each([null, '', 'x', hex.slice(1), `${hex}0`, base64.slice(2), `${base64}=`])('%p is no hash', text => {
  expect(readSha256(text)).toBeNull()
})
