import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import manifest from '../../package.json'
import { root } from './modules.ts'

const filesOf = (folder: string, ending: string) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith(ending))
    .map(entry => relative(root, join(entry.parentPath, entry.name)))

const read = (path: string) => ({ path, text: readFileSync(join(root, path), 'utf8') })

const documents = [...filesOf('docs', '.md'), 'README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'].map(read)
/** This file has examples of what it looks for. */
const code = ['src', 'db', 'workers', 'test']
  .flatMap(folder => filesOf(folder, '.ts'))
  .filter(path => path !== 'test/structure/documents.test.ts')
  .map(read)

const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```/gm, '')

/** The name under which a heading can be linked to, as GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')

const anchors = new Map(
  documents.map(({ path, text }) => [
    path,
    [...withoutCode(text).matchAll(/^#+ +(.+?) *$/gm)].map(([, heading = '']) => anchorOf(heading)),
  ]),
)

/** @returns whether the repository has the file and, where one is named, its heading. */
function exists(path: string, anchor: string | undefined) {
  if (anchor === undefined) return existsSync(join(root, path))
  return anchors.get(path)?.includes(anchor) === true
}

describe('citations in the code', () => {
  const citation = /docs\/[a-z-]+\.md(?:#([\w-]+))?/g
  const cited = code.flatMap(({ path, text }) =>
    [...text.matchAll(citation)].map(([whole, anchor]) => ({ path, whole, anchor, to: whole.split('#')[0] ?? '' })),
  )

  test('lead to a document and to a heading that it has', () => {
    expect(cited.length).toBeGreaterThan(2)
    expect(cited.filter(({ to, anchor }) => !exists(to, anchor)).map(({ path, whole }) => `${path}: ${whole}`)).toEqual(
      [],
    )
  })

  test('name no paper that the reader does not have', () => {
    const unknown = /upstream reference|\breference \d|\bcontract[,:]/i
    expect(code.filter(({ text }) => unknown.test(text)).map(file => file.path)).toEqual([])
  })
})

describe('the README', () => {
  /** A reader with a minute reads this much. All else is in docs/. */
  const wordsMax = 1_000
  const { text = '' } = documents.find(({ path }) => path === 'README.md') ?? {}

  test(`has at most ${wordsMax} words`, () => {
    expect(text.split(/\s+/).filter(word => word !== '').length).toBeLessThanOrEqual(wordsMax)
  })

  test('begins with the demonstration and the tests, which are scripts of the package', () => {
    const [first, second] = [...text.matchAll(/^npx -y (\S+) run (\S+)$/gm)].map(([, bun, script]) => ({ bun, script }))
    expect([first, second]).toEqual([
      { bun: manifest.packageManager, script: 'demo' },
      { bun: manifest.packageManager, script: 'test' },
    ])
    expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(['demo', 'test']))
  })
})

describe('documents', () => {
  test('have no heading twice, so that every link has one end', () => {
    const twice = [...anchors].flatMap(([path, names]) =>
      names.filter((name, at) => names.indexOf(name) !== at).map(name => `${path}#${name}`),
    )
    expect(twice).toEqual([])
  })

  test('link to files and headings that exist', () => {
    const broken = documents.flatMap(({ path, text }) =>
      [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target = '']) => target)
        .filter(target => !/^[a-z]+:/.test(target))
        .filter(target => {
          const [file = '', anchor] = target.split('#')
          return !exists(file === '' ? path : join(dirname(path), file), anchor)
        })
        .map(target => `${path}: ${target}`),
    )
    expect(broken).toEqual([])
  })

  test('name paths of the repository that exist', () => {
    const named = /(?<![\w./-])((?:src|db|workers|test|docs|\.ci)\/[\w./{},*-]*)/g
    const broken = documents.flatMap(({ path, text }) =>
      [...text.matchAll(named)]
        .flatMap(([, name = '']) => alternatives(name.replace(/[.,]+$/, '')))
        .filter(name => !isThere(name))
        .map(name => `${path}: ${name}`),
    )
    expect(broken).toEqual([])
  })
})

/** `test/*.test.ts` names at least one file. */
const isThere = (name: string) =>
  name.includes('*') ? !new Bun.Glob(name).scanSync(root).next().done : existsSync(join(root, name))

/** `src/{a,b}.ts` names two files. */
function alternatives(name: string): string[] {
  const [whole, list] = /\{([^}]*)\}/.exec(name) ?? []
  return whole === undefined || list === undefined
    ? [name]
    : list.split(',').flatMap(part => alternatives(name.replace(whole, part)))
}
