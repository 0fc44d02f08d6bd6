import { describe, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { languages } from '../../db/contract/preferences.ts'

const web = resolve(import.meta.dir, '../../src/console/web')
/** What the gateway says itself: in English it needs none (said.test.ts). */
const ofGateway = ['reasons.ts', 'refusals.ts', 'findings.ts']
const filesOf = (language: string) =>
  [...new Bun.Glob('*.ts').scanSync({ cwd: `${web}/texts/${language}` })]
    .filter(file => !ofGateway.includes(file))
    .toSorted()

/** Between the names of a place: some names have points. */
const step = ' › '

type Words = ReadonlyMap<string, unknown>

/** @returns all words of a language, by file and names: texts, and what makes sentences */
async function wordsOf(language: string): Promise<Words> {
  const words = new Map<string, unknown>()
  const add = (place: string, value: unknown) => {
    if (typeof value !== 'object' || value === null) words.set(place, value)
    else for (const [name, inner] of Object.entries(value)) add(`${place}${step}${name}`, inner)
  }
  for (const file of filesOf(language)) add(file.replace(/\.ts$/, ''), await import(`${web}/texts/${language}/${file}`))
  return words
}

const english = await wordsOf('en')

/** What a sentence may be made with: texts, one and several of something, or a finding. */
const parts = ['‹one›', '‹two›', '‹three›', '‹four›', '‹five›']
const told = { name: '‹name›', what: '‹what›', count: '‹count›', of: '‹of›', until: '‹until›' }
const given: readonly (readonly unknown[])[] = [
  parts,
  [1, ...parts],
  [2, ...parts],
  [0, ...parts],
  ['‹one›', true],
  ['‹one›', false],
  [{ ...told, template: '‹template›', language: '‹language›', isOne: false, isMore: false }],
  [{ ...told, template: '‹template›', language: '‹language›', isOne: false, isMore: true }],
  [{ ...told, what: 'none' }],
  [{ ...told, what: 'unsigned' }],
  [{ category: '‹category›', type: '‹type›', billable: true }],
  [{ category: '‹category›', type: '‹type›', billable: false }],
]

/** @returns which things a sentence says, for each way to make it */
const saidBy = (sentence: unknown) =>
  given.map(things => {
    try {
      const made = typeof sentence === 'function' ? sentence(...things) : sentence
      return [
        ...new Set(String(made).match(/‹\w+›|\{\{\w+\}\}|\{\w+\}|\$\{\w+\}|[a-z]+_[a-z_]+|[A-Z]+_[A-Z_]+/g) ?? []),
      ].toSorted()
    } catch {
      // It is not made with these.
      return null
    }
  })

describe.each(languages.slice(1))('the words in %s', language => {
  test('are all there, and no others', async () => {
    const words = await wordsOf(language)
    expect(filesOf(language)).toEqual(filesOf('en'))
    expect([...words.keys()].toSorted()).toEqual([...english.keys()].toSorted())
  })

  test('say what the English ones say: each name, number and code', async () => {
    const words = await wordsOf(language)
    const others = [...english].filter(([place, said]) => {
      const own = saidBy(words.get(place))
      return saidBy(said).some((things, way) => things?.some(thing => !own[way]?.includes(thing)))
    })
    expect(others.map(([place]) => place)).toEqual([])
  })

  test('are no English sentences', async () => {
    const words = await wordsOf(language)
    const same = [...english].filter(([place, said]) => isSentence(said) && words.get(place) === said)
    expect(same.map(([place]) => place)).toEqual([])
  })
})

/** Names and codes stay as they are; four words in small letters are no name. */
const isSentence = (said: unknown) =>
  typeof said === 'string' && (said.match(/(?<![\w/-])[a-z]+(?![\w/-])/g) ?? []).length >= 4

test('each word is said by a page', async () => {
  const sources = [...new Bun.Glob('**/*.{ts,tsx}').scanSync({ cwd: web })].filter(path => !path.startsWith('texts/'))
  const source = (await Promise.all(sources.map(path => Bun.file(`${web}/${path}`).text()))).join('\n')
  const names = new Set(source.match(/\w+/g))
  /** Words of states and kinds are looked up in their list: it is used as a whole, not one word of it by its name. */
  const isUsedWhole = (list: string) => new RegExp(`\\b${list}\\b(?!\\??\\.\\w)`).test(source)
  const isSaid = (name: string) => names.has(name) || (name.endsWith('Hint') && names.has(name.slice(0, -4)))
  const unsaid = [...english.keys()].filter(place => {
    const path = place.split(step).slice(2)
    return !path.slice(0, -1).some(isUsedWhole) && !isSaid(path.at(-1) ?? '')
  })
  expect(unsaid).toEqual([])
})
