import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { canonicalJson, fingerprint } from '../../src/sending/fingerprint.ts'

/** @returns the same value with the keys of every object in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered)
  if (typeof value !== 'object' || value === null) return value
  // As JSON.parse builds it: `__proto__` becomes a key like any other.
  const fields = Object.keys(value)
    .reverse()
    .map(key => `${JSON.stringify(key)}:${JSON.stringify(reordered(Reflect.get(value, key)))}`)
  return JSON.parse(`{${fields.join(',')}}`)
}

const jsonObjects = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true })

describe('canonical JSON', () => {
  test('does not depend on the order of keys, at any depth', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        expect(canonicalJson(reordered(value))).toBe(canonicalJson(value))
      }),
    )
  })

  test('is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test('is the same for two values only when they are equal', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const isEqual = Bun.deepEquals(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)), true)
        expect(canonicalJson(one) === canonicalJson(other)).toBe(isEqual)
      }),
    )
  })

  test('keeps the order of arrays, and tells numbers from texts and null from absent', () => {
    const texts = [[1, 2], [2, 1], ['1', 2], [null], [], {}, { a: null }, '', null, 0, false].map(canonicalJson)
    expect(new Set(texts).size).toBe(texts.length)
  })

  test('sorts keys by code unit, which is the same on every machine', () => {
    expect(canonicalJson({ ä: 1, b: 1, a: 1, B: 1, '10': 1, '9': 1 })).toBe('{"10":1,"9":1,"B":1,"a":1,"b":1,"ä":1}')
  })

  test('takes `__proto__` for a key like any other', () => {
    const body = JSON.parse('{"b":{"__proto__":{"x":1}},"__proto__":[2],"constructor":3}')
    expect(canonicalJson(body)).toBe('{"__proto__":[2],"b":{"__proto__":{"x":1}},"constructor":3}')
  })
})

describe('the fingerprint of a send', () => {
  const body = { phone: '+4930123', type: 'text', content: 'hello', idempotencyKey: 'k-1' }

  test('is a SHA-256', () => {
    expect(fingerprint(body)).toMatch(/^[0-9a-f]{64}$/)
  })

  test('leaves the idempotency key out: given in the body or in the header, the body is the same', () => {
    const { idempotencyKey: _key, ...bare } = body
    expect(fingerprint(bare)).toBe(fingerprint(body))
    expect(fingerprint({ ...bare, idempotencyKey: 'k-2' })).toBe(fingerprint(body))
  })

  test('leaves only the outermost idempotencyKey out', () => {
    expect(fingerprint({ a: { idempotencyKey: '1' } })).not.toBe(fingerprint({ a: { idempotencyKey: '2' } }))
  })

  test('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(jsonObjects, object => {
        expect(fingerprint(reordered(object) as object)).toBe(fingerprint(object))
      }),
    )
  })

  test('differs as soon as one field differs', () => {
    fc.assert(
      fc.property(jsonObjects, fc.string(), fc.jsonValue(), fc.jsonValue(), (object, key, one, other) => {
        fc.pre(key !== 'idempotencyKey' && canonicalJson(one) !== canonicalJson(other))
        const withKey = (value: unknown) => ({ ...object, ...JSON.parse(JSON.stringify({ [key]: value })) })
        expect(fingerprint(withKey(one))).not.toBe(fingerprint(withKey(other)))
      }),
    )
  })

  test('sees a `__proto__` key, and does not change any prototype', () => {
    const sent = JSON.parse('{"type":"text","__proto__":{"polluted":true}}')
    expect(fingerprint(sent)).not.toBe(fingerprint({ type: 'text' }))
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
})
