import { describe, expect, test } from 'bun:test'
import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { createVault, hasDigest, hmacSha256, isSameSecret, sha256, UnsealError } from '../../src/base/crypto.ts'

describe('hashes', () => {
  test('are those of everybody else', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), (text, secret) => {
        const bytes = new TextEncoder().encode(text)
        expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'))
        expect(sha256(bytes)).toBe(sha256(text))
        expect(hmacSha256(secret, bytes)).toBe(createHmac('sha256', secret).update(bytes).digest('hex'))
      }),
    )
  })
})

describe('comparing with a digest', () => {
  test('says whether it is the SHA-256 of the text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(hasDigest(one, sha256(one))).toBe(true)
        expect(hasDigest(one, sha256(other))).toBe(one === other)
      }),
    )
  })

  const digest = sha256('a')
  test.each([
    ['nothing', ''],
    ['one cut short', digest.slice(0, -2)],
    ['one with more behind it', `${digest}00`],
    ['one with a character that is no hex digit', `${digest.slice(0, -1)}g`],
    ['the text itself', 'a'],
    ['characters of two bytes', 'é'.repeat(64)],
  ])('never with %s', (_, other) => {
    // Fills what the comparison writes to with the right bytes, should a shorter digest leave some of them.
    expect(hasDigest('a', digest)).toBe(true)
    expect(hasDigest('a', other)).toBe(false)
  })
})

describe('comparing secrets', () => {
  test('says whether they are equal, whatever their lengths', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(isSameSecret(one, other)).toBe(one === other)
        expect(isSameSecret(one, one)).toBe(true)
      }),
    )
  })
})

describe('the vault', () => {
  const vault = createVault('a key of enough characters')

  test('opens what it sealed, for the same purpose', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter(text => text.isWellFormed()),
        fc.string(),
        (secret, purpose) => {
          expect(vault.open(vault.seal(secret, purpose), purpose)).toBe(secret)
        },
      ),
    )
  })

  test('shows nothing of the secret, and seals the same one differently each time', () => {
    const sealed = Array.from({ length: 100 }, () => vault.seal('EAAG-access-token', 'chan_1/accessToken'))
    expect(new Set(sealed).size).toBe(100)
    for (const text of sealed) {
      expect(text).toMatch(/^v1\.[A-Za-z0-9+/]+=*$/)
      expect(Buffer.from(text.slice(3), 'base64').toString('latin1')).not.toContain('EAAG')
    }
  })

  test('does not open for another purpose: a value moved to another row is worthless', () => {
    const sealed = vault.seal('secret', 'chan_1/accessToken')
    for (const purpose of ['chan_2/accessToken', 'chan_1/appSecret', '', 'chan_1/accessToken ']) {
      expect(() => vault.open(sealed, purpose)).toThrow(UnsealError)
    }
  })

  test('does not open with another key; the same key made anew does', () => {
    const sealed = vault.seal('secret', 'p')
    expect(() => createVault('another key of enough characters').open(sealed, 'p')).toThrow(UnsealError)
    expect(createVault('a key of enough characters').open(sealed, 'p')).toBe('secret')
  })

  test('does not open when any bit was changed', () => {
    const bytes = Buffer.from(vault.seal('secret', 'p').slice(3), 'base64')
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(() => vault.open(`v1.${changed.toString('base64')}`, 'p')).toThrow(UnsealError)
    }
  })

  test('does not open when it was cut short, made longer, or is something else', () => {
    const sealed = vault.seal('secret', 'p')
    const bytes = Buffer.from(sealed.slice(3), 'base64')
    const cut = Array.from(
      { length: bytes.length },
      (_, length) => `v1.${bytes.subarray(0, length).toString('base64')}`,
    )
    const longer = `v1.${Buffer.concat([bytes, Buffer.from([0])]).toString('base64')}`
    for (const text of [...cut, longer, '', 'v1.', 'secret', sealed.slice(3), sealed.replace('v1', 'v2'), 'v1.!!!']) {
      expect(() => vault.open(text, 'p')).toThrow(UnsealError)
    }
  })

  test('the error tells the operator what to look for, and nothing of key or secret', () => {
    let message = ''
    try {
      createVault('another key of enough characters').open(vault.seal('EAAG-token', 'p'), 'p')
    } catch (error) {
      message = String(error)
    }
    expect(message).toContain('SECRET_KEY')
    expect(message).not.toContain('EAAG')
    expect(message).not.toContain('another key')
  })
})
