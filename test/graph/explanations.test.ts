import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { explain } from '../../src/graph/codes.ts'

const document = readFileSync(join(import.meta.dir, '../../docs/upstream.md'), 'utf8')
const section = document.split(/^## /m).find(part => part.startsWith('Error codes\n')) ?? ''
/** Every code of the table. `200–299` is a range, and what stands behind "with" is a special case. */
const codes = section
  .split('\n')
  .filter(line => line.startsWith('| ') && /\d/.test(line))
  .flatMap(line => (line.split('|')[1] ?? '').replaceAll(/with [^;·]*/g, '').match(/\b\d+\b/g) ?? [])
  .map(Number)

test('every code that is documented is explained, with a remedy', () => {
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
