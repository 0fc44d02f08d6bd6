import { describe, expect, test } from 'bun:test'
import manifest from '../../package.json' with { type: 'json' }
import { neededBy } from '../../packaging/contents.ts'
import { isAllowed } from '../../packaging/licences.ts'

test('every package that the program needs to run has a licence that lets it be inside', () => {
  const needed = neededBy(null)
  expect(needed.filter(({ licence }) => !isAllowed(licence)).map(({ name, licence }) => `${name}: ${licence}`)).toEqual(
    [],
  )
  const names = new Set(needed.map(({ name }) => name))
  // Of memoirist, Elysia's router, our own package.json says nothing; file-type is a peer of Elysia.
  for (const name of [...Object.keys(manifest.dependencies), 'memoirist', 'file-type']) expect(names).toContain(name)
})

describe('a licence', () => {
  test.each(['MIT', '(MIT OR GPL-3.0-only)', '(AFL-2.1 OR BSD-3-Clause)', 'MIT AND ISC'])(
    '%s is allowed',
    expression => {
      expect(isAllowed(expression)).toBe(true)
    },
  )

  test.each([
    'GPL-3.0-only',
    'MIT AND GPL-3.0-only',
    'SEE LICENSE IN LICENSE',
    'UNLICENSED',
    'BUSL-1.1',
    '',
    'MPL-2.0',
  ])('%s is not', expression => {
    expect(isAllowed(expression)).toBe(false)
  })
})
