import { expect, test } from 'bun:test'
import { explain } from '../../src/graph/codes.ts'
import { CODES } from '../../src/graph/codeTable.ts'

/** `test/structure/tables.test.ts`: so are all that `docs/upstream.md` lists. */
const codes = [...CODES.keys()]

test('every code is explained, with a remedy', () => {
  expect(codes.length).toBeGreaterThan(70)
  expect(codes.filter(code => explain(code) === null)).toEqual([])
})

test('an explanation is a sentence of its own', () => {
  for (const code of codes) {
    const { meaning = '', remedy = '' } = explain(code) ?? {}
    expect(`${code}: ${meaning}`).toMatch(/: [A-Z].*\.$/)
    expect(`${code}: ${remedy}`).toMatch(/: [A-Z].*\.$/)
  }
})

test('the short form fits into a list: at most five words', () => {
  for (const code of codes) expect(`${code}: ${explain(code)?.short}`).toMatch(/^\d+: [A-Z]\w+( [\w-]+){1,4}$/)
})

test('a code that nobody knows is not explained', () => {
  expect(explain(999_999)).toBeNull()
})

test('a code without words of its own has those of its class', () => {
  expect(explain(190)?.meaning).toContain('access token')
  expect(explain(131016)?.remedy).toBe('Send again later.')
})
