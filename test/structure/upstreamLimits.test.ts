import { describe, expect, test } from 'bun:test'
import * as limits from '../../src/base/upstreamLimits.ts'
import { codeOf, isUnder, modules } from './modules.ts'

const home = 'src/base/upstreamLimits.ts'
/** What checks what the upstream takes, on our side and on that of the stand-in. */
const checkers = ['src/forms', 'src/templates', 'src/interactive', 'src/sandbox/checks']

interface File {
  readonly path: string
  readonly text: string
}

/** Constants that have the name of a limit in the file of limits. */
const namesAgain = (files: readonly File[]) =>
  files
    .filter(({ path }) => path !== home)
    .flatMap(({ path, text }) =>
      [...codeOf(text).matchAll(/\bconst (\w+)\b[^=\n]* =/g)]
        .filter(([, name = '']) => Object.hasOwn(limits, name))
        .map(([, name]) => `${path}: ${name}`),
    )

/** Numbers as constants that name a bound, without a comment that says that the bound is ours. */
const boundsAgain = (files: readonly File[]) =>
  files.flatMap(({ path, text }) =>
    [
      ...text.matchAll(
        /((?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?(?:(?:export )?const .*\n)*)(?:export )?const (\w*(?:Max|Min|Chars|Length))\b[^=\n]* = [\d_]+$/gm,
      ),
    ]
      .filter(([, comment = '']) => !/\bOurs\b|docs\/partner-api\.md/.test(comment))
      .filter(([, , name = '']) => !name.includes('Ms'))
      .map(([, , name]) => `${path}: ${name}`),
  )

/** A regular expression of more than a few signs. */
const pattern = /(?<=[(=,:?!&|\s])\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+\/[a-z]*/g
const patternsOf = (files: readonly File[]) =>
  new Set(files.flatMap(({ text }) => [...codeOf(text).matchAll(pattern)].map(([found]) => found)).filter(isLong))
const isLong = (found: string) => found.length > 12

/** Patterns by which the stand-in checks and we as well. */
const patternsAgain = (theirs: readonly File[], ours: readonly File[]) => {
  const known = patternsOf(ours)
  return [...patternsOf(theirs)].filter(found => known.has(found))
}

describe('a limit of the upstream', () => {
  test('has its name once', () => {
    expect(namesAgain(modules)).toEqual([])
  })

  test('has its number once: who checks by a bound takes it from upstreamLimits.ts, or says that it is ours', () => {
    expect(boundsAgain(modules.filter(({ path }) => isUnder(path, ...checkers)))).toEqual([])
  })

  test('has its pattern once: who checks by a pattern takes it from src/forms/templates.ts', () => {
    const theirs = modules.filter(({ path }) => isUnder(path, 'src/sandbox/checks'))
    const ours = modules.filter(({ path }) =>
      isUnder(path, 'src/templates', 'src/interactive', 'src/freeform', 'src/sending'),
    )
    expect(patternsAgain(theirs, ours)).toEqual([])
  })

  test('has a source', () => {
    const text = modules.find(({ path }) => path === home)?.text ?? ''
    expect(text.match(/docs\/upstream\.md#[\w-]+/g)?.length).toBeGreaterThan(10)
  })

  test('would be found as a second one', () => {
    const file = (text: string) => [{ path: 'src/templates/any.ts', text }]
    expect(namesAgain(file('const bodyCharsMax = 1_024\nconst other: number = bodyCharsMax'))).toHaveLength(1)
    expect(boundsAgain(file('/** The body. */\nconst textMax = 1_024\nexport const at = 3'))).toHaveLength(1)
    expect(boundsAgain(file('/** Ours: a bound. */\nconst textMax = 8_192\n'))).toEqual([])
    const name = file('if (!/^[a-z0-9_]+$/u.test(name)) return')
    expect(patternsAgain(name, file('const named = /^[a-z0-9_]+$/u'))).toHaveLength(1)
    expect(patternsAgain(name, file('const named = /^[a-z0-9]+$/u'))).toEqual([])
  })
})
