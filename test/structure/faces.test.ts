import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isUnder, type Module, modules, root } from './modules.ts'

/*
 * Commands, the console and the partner API are faces of the same acts: bounds, defaults, what is written and what is
 * said of an outcome stand below them, in src/operations or in what it uses. The texts of the page are its own.
 */

interface Source {
  readonly path: string
  readonly text: string
}

const sourcesOf = (pattern: string): readonly Source[] =>
  [...new Bun.Glob(pattern).scanSync(root)]
    .filter(path => !path.startsWith('src/console/web/'))
    .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }))

const faces = {
  cli: sourcesOf('src/cli/**/*.ts'),
  console: sourcesOf('src/console/**/*.ts'),
  partner: sourcesOf('src/partner/**/*.ts'),
}
type Faces = Readonly<Record<string, readonly Source[]>>

/** A text of some words is a sentence: shorter ones are labels and names. */
const sentenceCharsMin = 30

/**
 * @returns the sentences in a source, whatever stands in their gaps, and however they begin and end; no policy of a page
 */
function sentencesOf(text: string): readonly string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^import .*$/gm, '')
  return [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)]
    .map(([, single, double, template]) => single ?? double ?? template ?? '')
    .map(words => words.replace(/\$\{[^}]*\}/g, '…').trim())
    .filter(words => words.length >= sentenceCharsMin && words.includes(' ') && !words.includes("'self'"))
    .map(words => words.replace(/\.$/, '').toLowerCase())
}

/** @returns the names of the bounds and defaults that a source declares as numbers */
const boundsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^(?:export )?const (\w+(?:Max|Min|Default)) = [\d_]/gm)].flatMap(([, name]) => name ?? [])

/** @returns the verbs of the store by which a source changes something, itself and not by an act */
const changesOf = (text: string): readonly string[] =>
  [...text.matchAll(/\b(?:write|writeAs\([^)]*\))\.(\w+)\(/g)].flatMap(([, verb]) => verb ?? [])

/** @returns the bounds of inputs that a source writes as bare numbers */
const bareBoundsOf = (text: string): readonly string[] =>
  text.match(/\b(?:maxLength|maximum|maxItems|maxProperties): \d[\d_]+|\bwhole\(\d+, \d[\d_]+\)/g) ?? []

/** @returns what several faces have, each for itself */
function inSeveral(listed: (text: string) => readonly string[], faces: Faces): readonly string[] {
  const ofEach = Object.values(faces).map(sources => new Set(sources.flatMap(({ text }) => listed(text))))
  const all = new Set(ofEach.flatMap(found => [...found]))
  return [...all].filter(found => ofEach.filter(face => face.has(found)).length > 1)
}

/** @returns `who -> what` for each import by which a face takes something of another, a type too */
const importsAcross = (modules: readonly Pick<Module, 'path' | 'imports'>[]): readonly string[] => {
  const folders = Object.keys(faces).map(face => `src/${face}`)
  return modules.flatMap(({ path, imports }) => {
    const own = folders.find(folder => isUnder(path, folder))
    // What is no face puts them together.
    const others = own === undefined ? [] : folders.filter(folder => folder !== own)
    return imports.filter(({ target }) => isUnder(target, ...others)).map(({ target }) => `${path} -> ${target}`)
  })
}

/** What a start makes for trying out, and the note that the audit keeps of any act, stand in several faces by nature. */
const oneFaced = (path: string) => !/demo|testingKit/.test(path)

describe('commands, the console and the partner API', () => {
  test('tell no outcome in the same words: the sentence is that of an act', () => {
    expect(inSeveral(sentencesOf, faces)).toEqual([])
  })

  test('have no bound or default of the same name, each for itself', () => {
    expect(inSeveral(boundsOf, faces)).toEqual([])
  })

  test('change nothing by the same verb of the store: what both do is an act', () => {
    const changing = Object.entries(faces).map(([face, sources]) => [
      face,
      sources.filter(({ path }) => oneFaced(path)),
    ])
    expect(inSeveral(changesOf, Object.fromEntries(changing))).toEqual(['noteAction'])
  })

  test('write no bound of an input as a bare number', () => {
    const bare = Object.values(faces).flatMap(sources =>
      sources.flatMap(({ path, text }) => bareBoundsOf(text).map(bound => `${path}: ${bound}`)),
    )
    expect(bare).toEqual([])
  })

  test('take nothing of each other: what two of them need stands below both', () => {
    expect(importsAcross(modules)).toEqual([])
  })

  test('would be found to do so', () => {
    const told = (text: string) => [{ path: 'x.ts', text }]
    const twice = {
      cli: told(
        'fail("The channel has no callback address")\nconst wordLengthMax = 512\nwhole(0, 99)\nwrite.endTotp({})',
      ),
      console: told("throw conflict('The channel has no callback address.')\nconst wordLengthMax = 256"),
      partner: told('store.writeAs(somebody).endTotp({})'),
    }
    expect(inSeveral(sentencesOf, twice)).toEqual(['the channel has no callback address'])
    expect(inSeveral(boundsOf, twice)).toEqual(['wordLengthMax'])
    expect(inSeveral(changesOf, twice)).toEqual(['endTotp'])
    expect(bareBoundsOf(twice.cli[0]?.text ?? '')).toEqual(['whole(0, 99)'])
    const taking = (path: string) => ({ path, imports: [{ target: 'src/partner/message.ts', isType: true }] })
    expect(importsAcross(['src/cli/listen.ts', 'src/partner/send.ts', 'src/app.ts'].map(taking))).toEqual([
      'src/cli/listen.ts -> src/partner/message.ts',
    ])
  })
})
