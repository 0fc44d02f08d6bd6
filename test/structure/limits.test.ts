import { expect, test } from 'bun:test'
import { codeOf, modules } from './modules.ts'

interface File {
  readonly path: string
  readonly text: string
}

/** Lengths, counts and sizes. Times are many, and mostly of their own: durations.test.ts keeps their units. */
const declared = /\bconst (?!\w*Ms)(\w+(?:Max|Min|Length|Size|Bytes|Rows|Chars|Default))\b[^=\n]* = ([\d_ *]*\d)$/gm

/** @returns limits that stand in two files with one name and one number: one of them is forgotten when the other changes */
function limitsTwice(files: readonly File[]): string[] {
  const homes = new Map<string, string[]>()
  for (const { path, text } of files) {
    for (const [, name, number = ''] of codeOf(text).matchAll(declared)) {
      const limit = `${name} = ${number.replaceAll('_', '')}`
      homes.set(limit, [...(homes.get(limit) ?? []), path])
    }
  }
  return [...homes].filter(([, paths]) => paths.length > 1).map(([limit, paths]) => `${limit}: ${paths.join(', ')}`)
}

test('a limit of ours has its number once', () => {
  expect(limitsTwice(modules)).toEqual([])
})

test('one that stands twice would be found', () => {
  const files = (...texts: string[]) => texts.map((text, at) => ({ path: `src/${at}.ts`, text }))
  expect(limitsTwice(files('const nameMax = 1_000', 'export const nameMax: number = 1000'))).toHaveLength(1)
  expect(limitsTwice(files('const roomBytes = 16 * 1_024\n', 'const roomBytes = 16 * 1_024\n'))).toHaveLength(1)
  expect(
    limitsTwice(files('const nameMax = 10', 'const nameMax = 20', 'const waitMsMax = 5', 'const waitMsMax = 5')),
  ).toEqual([])
})
