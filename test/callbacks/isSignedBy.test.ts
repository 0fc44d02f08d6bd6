import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { isSignedBy } from '../../src/callbacks/signature.ts'

const secret = 'app-secret'
const body = new TextEncoder().encode('{"object":"whatsapp_business_account","ü":"\\u00fc"}')
const signed = (bytes: Uint8Array, by = secret) => `sha256=${createHmac('sha256', by).update(bytes).digest('hex')}`

describe('the signature of a callback', () => {
  test('holds for the bytes as they came', () => {
    expect(isSignedBy(secret, body, signed(body))).toBe(true)
    expect(isSignedBy(secret, new Uint8Array(), signed(new Uint8Array()))).toBe(true)
  })

  test('does not hold for the same JSON written anew', () => {
    const anew = new TextEncoder().encode(JSON.stringify(JSON.parse(new TextDecoder().decode(body))))
    expect(isSignedBy(secret, anew, signed(body))).toBe(false)
  })

  test('does not hold when one bit differs', () => {
    const changed = body.slice()
    changed[3] = (changed[3] ?? 0) ^ 1
    expect(isSignedBy(secret, changed, signed(body))).toBe(false)
  })

  const wrong: readonly [name: string, header: string | null][] = [
    ['absent', null],
    ['empty', ''],
    ['without its scheme', signed(body).slice('sha256='.length)],
    ['cut short', signed(body).slice(0, -1)],
    ['with more behind it', `${signed(body)}0`],
    ['in capitals', signed(body).toUpperCase()],
    ["made with another channel's secret", signed(body, 'other-secret')],
    ['SHA-1', `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`],
    ['not hexadecimal', `sha256=${'z'.repeat(64)}`],
    ['not even text that fits', 'ü'.repeat(10_000)],
  ]
  test('made with the empty secret of a channel whose app secret is absent: refused', () => {
    expect(isSignedBy('', body, signed(body, ''))).toBe(false)
  })

  test.each(wrong)('%s: refused', (_, header) => {
    expect(isSignedBy(secret, body, header)).toBe(false)
  })
})
