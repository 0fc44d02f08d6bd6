import { describe, expect, test } from 'bun:test'
import { TypeID } from 'typeid-js'
import { type IdPrefix, newId, newKeyId, newKeySecret, randomBase62 } from '../../src/base/ids.ts'

const prefixes: readonly IdPrefix[] = ['msg', 'ws', 'chan', 'line', 'contact', 'tpl', 'user']

describe('ids', () => {
  test.each(prefixes)('%s: a TypeID with that prefix, of a UUIDv7', prefix => {
    const id = newId(prefix)
    expect(id).toMatch(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`))
    expect(TypeID.fromString(id).toUUID()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  })

  test('are ordered by when they were made, also within one millisecond, and never repeat', () => {
    const ids = Array.from({ length: 20_000 }, () => newId('msg'))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.toSorted()).toEqual(ids)
  })
})

describe('keys', () => {
  test('an id of 24 and a secret of 43 characters of base62', () => {
    expect(newKeyId()).toMatch(/^pk_[0-9A-Za-z]{24}$/)
    expect(newKeySecret()).toMatch(/^sk_[0-9A-Za-z]{43}$/)
  })

  test('never repeat', () => {
    const secrets = Array.from({ length: 10_000 }, newKeySecret)
    expect(new Set(secrets).size).toBe(secrets.length)
  })
})

describe('random base62', () => {
  test('has the length that was asked for', () => {
    for (const length of [0, 1, 2, 43, 1_000]) expect(randomBase62(length)).toHaveLength(length)
  })

  test('draws every character equally often', () => {
    const drawn = 620_000
    const counts = new Map<string, number>()
    for (const letter of randomBase62(drawn)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
    expect(counts.size).toBe(62)
    // 10,000 each with a standard deviation of 99: seven of them is never by chance. A plain remainder would be off by
    // 25%.
    for (const count of counts.values()) expect(Math.abs(count - drawn / 62)).toBeLessThan(700)
  })
})
