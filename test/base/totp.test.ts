import { describe, expect, test } from 'bun:test'
import { base32, totpCode, totpStep, totpUri } from '../../src/base/totp.ts'

const secret = new TextEncoder().encode('12345678901234567890')

describe('RFC 6238, appendix B', () => {
  // The last six of the eight digits there.
  const vectors: readonly [seconds: number, code: string][] = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ]
  test.each(vectors)('at %d seconds the code is %s', (seconds, code) => {
    const step = Math.floor(seconds / 30)
    expect(totpCode(secret, step)).toBe(code)
    expect(totpStep(secret, code, seconds * 1_000)).toBe(step)
  })

  test('5.2: one step early or late is taken, two are not', () => {
    const own = 37_037_036
    const offsets = [-2, -1, 0, 1, 2].map(offset => totpStep(secret, '081804', (own + offset) * 30_000))
    expect(offsets).toEqual([null, own, own, own, null])
  })
})

test('RFC 4648, section 10: base32 without padding', () => {
  const vectors = {
    '': '',
    f: 'MY',
    fo: 'MZXQ',
    foo: 'MZXW6',
    foob: 'MZXW6YQ',
    fooba: 'MZXW6YTB',
    foobar: 'MZXW6YTBOI',
  }
  for (const [text, encoded] of Object.entries(vectors)) expect(base32(new TextEncoder().encode(text))).toBe(encoded)
})

test('the address for the app names the account and the issuer', () => {
  expect(totpUri(secret, 'ada+x@example.com')).toBe(
    'otpauth://totp/Waypost:ada%2Bx%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Waypost&digits=6&period=30',
  )
})
