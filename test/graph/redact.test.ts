import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { redactError } from '../../src/graph/redact.ts'

const secret = 'mistyped-"token"/1'

test('a secret is hidden in every text and every name, at any depth', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(3), (value, place) => {
      const places = [
        { [secret]: value },
        [value, { details: `a${secret}b` }],
        { a: [[secret]] },
        { a: value, b: secret },
      ]
      expect(JSON.stringify(redactError(places[place], [secret]))).not.toContain('mistyped')
    }),
  )
})

test('what holds no secret stays as it is', () => {
  const error = {
    code: 131026,
    message: 'Message undeliverable',
    is_transient: false,
    error_data: { details: 'Not there', codes: [1, null] },
    fbtrace_id: 'AbC',
  }
  expect(redactError(error, [secret])).toEqual(error)
})

describe('8 KB of an error are kept', () => {
  const charsIn = (value: unknown) => JSON.stringify(value).length

  test.each([
    ['one text', { code: 100, message: 'x'.repeat(1_000_000) }],
    [
      'many texts',
      { code: 100, ...Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`f${at}`, 'x'.repeat(99)])) },
    ],
    ['long names', { code: 100, ['x'.repeat(1_000_000)]: 1 }],
    ['many numbers', { code: 100, numbers: Array.from({ length: 1_000_000 }, () => 1) }],
  ])('%s', (_, error) => {
    const kept = redactError(error)
    expect(kept).toMatchObject({ code: 100 })
    // Quotes and commas come on top of the texts.
    expect(charsIn(kept)).toBeLessThan(8_192 + 500 * 8)
  })

  test('a secret at the place of the cut is not kept by half', () => {
    for (let before = 8_192 - secret.length; before <= 8_192; before += 1)
      expect(JSON.stringify(redactError(`${'x'.repeat(before)}${secret}`, [secret]))).not.toContain('mis')
  })
})
