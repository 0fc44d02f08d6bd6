import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './modules.ts'

/*
 * Commands and the console are two faces of the same acts: bounds, defaults and what is said of an outcome stand below
 * them, in src/operations or in what it uses. The texts of the page are its own.
 */

interface Source {
  readonly path: string
  readonly text: string
}

const sourcesOf = (pattern: string): readonly Source[] =>
  [...new Bun.Glob(pattern).scanSync(root)]
    .filter(path => !path.startsWith('src/console/web/'))
    .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }))

const faces = { cli: sourcesOf('src/cli/**/*.ts'), console: sourcesOf('src/console/**/*.ts') }

/** A text of some words is a sentence: shorter ones are labels and names. */
const sentenceCharsMin = 30

/** @returns the sentences in a source, whatever stands in their gaps, and however they begin and end */
function sentencesOf(text: string): readonly string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^import .*$/gm, '')
  return [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)]
    .map(([, single, double, template]) => single ?? double ?? template ?? '')
    .map(words => words.replace(/\$\{[^}]*\}/g, '…').trim())
    .filter(words => words.length >= sentenceCharsMin && words.includes(' '))
    .map(words => words.replace(/\.$/, '').toLowerCase())
}

/** @returns the names of the bounds and defaults that a source declares as numbers */
const boundsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^(?:export )?const (\w+(?:Max|Min|Default)) = [\d_]/gm)].flatMap(([, name]) => name ?? [])

/** @returns the bounds of inputs that a source writes as bare numbers */
const bareBoundsOf = (text: string): readonly string[] =>
  text.match(/\b(?:maxLength|maximum|maxItems|maxProperties): \d[\d_]+|\bwhole\(\d+, \d[\d_]+\)/g) ?? []

function inBoth(listed: (text: string) => readonly string[], { cli, console }: typeof faces): readonly string[] {
  const said = new Set(cli.flatMap(({ text }) => listed(text)))
  return [...new Set(console.flatMap(({ text }) => listed(text)))].filter(found => said.has(found))
}

describe('commands and the console', () => {
  test('tell no outcome in the same words: the sentence is that of an act', () => {
    expect(inBoth(sentencesOf, faces)).toEqual([])
  })

  test('have no bound or default of the same name, each for itself', () => {
    expect(inBoth(boundsOf, faces)).toEqual([])
  })

  test('write no bound of an input as a bare number', () => {
    const bare = Object.values(faces).flatMap(sources =>
      sources.flatMap(({ path, text }) => bareBoundsOf(text).map(bound => `${path}: ${bound}`)),
    )
    expect(bare).toEqual([])
  })

  test('would be found to do so', () => {
    const told = (text: string) => [{ path: 'x.ts', text }]
    const twice = {
      cli: told('fail("The channel has no callback address")\nconst wordLengthMax = 512\nwhole(0, 99)'),
      console: told("throw conflict('The channel has no callback address.')\nconst wordLengthMax = 256"),
    }
    expect(inBoth(sentencesOf, twice)).toEqual(['the channel has no callback address'])
    expect(inBoth(boundsOf, twice)).toEqual(['wordLengthMax'])
    expect(bareBoundsOf(twice.cli[0]?.text ?? '')).toEqual(['whole(0, 99)'])
  })
})
