import { beforeAll, expect, test } from 'bun:test'
import { type Bundle, bundlePage } from '../../../src/console/page/bundle.ts'
import { documentName } from '../../../src/console/page/pack.ts'

/** All pages of the console together, as a browser loads them over a slow line. */
const gzippedBytesMax = 400_000
/** What is loaded before the first page is drawn: a second on a line of 2 Mbit/s. */
const firstGzippedBytesMax = 230_000

const gzipped = (content: Uint8Array<ArrayBuffer> = new Uint8Array()) => Bun.gzipSync(content, { level: 9 }).length

let assets: Bundle['assets']
let inputs: Bundle['inputs']
beforeAll(async () => {
  ;({ assets, inputs } = await bundlePage())
})

test(`all pages together have at most ${gzippedBytesMax} bytes, and the first one ${firstGzippedBytesMax}`, () => {
  const sizes = new Map(assets.map(({ name, contents }) => [name, gzipped(contents.identity)]))
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  const document = assets.find(({ name }) => name === documentName('en'))
  const text = new TextDecoder().decode(document?.contents.identity)
  const first = [...sizes].filter(([name]) => text.includes(name)).reduce((sum, [, size]) => sum + size, 0)
  expect(first).toBeGreaterThan(10_000)
  expect(first).toBeLessThanOrEqual(firstGzippedBytesMax)
  expect(total).toBeLessThanOrEqual(gzippedBytesMax)
})

test('it is built for production, and its names tell the content', () => {
  expect(inputs.filter(path => path.includes('react-dom') && path.includes('development'))).toEqual([])
  expect(inputs.some(path => path.endsWith('src/console/web/main.tsx'))).toBe(true)
  const unnamed = assets
    .map(({ name }) => name)
    .filter(name => name !== documentName('en') && !/-[a-z0-9]{8}\.\w+$/.test(name))
  expect(unnamed).toEqual([])
})

test('its sheet has the styles of every component that is used, and not of those that are not', async () => {
  const textOf = (ending: string) =>
    assets
      .filter(({ name }) => name.endsWith(ending))
      .map(({ contents }) => new TextDecoder().decode(contents.identity))
      .join('\n')
  const [sheet, scripts] = [textOf('.css'), textOf('.js')]
  const library = 'node_modules/@mantine/core/styles'
  const has = async (text: string, component: string) => {
    const names = (await Bun.file(`${library}/${component}.css`).text()).match(/m_[0-9a-f]+/g) ?? []
    return names.some(name => text.includes(name))
  }
  for (const component of ['Button', 'Modal', 'Table', 'AppShell']) {
    expect([component, await has(scripts, component), await has(sheet, component)]).toEqual([component, true, true])
  }
  expect([await has(scripts, 'Spoiler'), await has(sheet, 'Spoiler')]).toEqual([false, false])
  // Of the library's colours those that are used, each of them whole.
  const defined = new Set(sheet.match(/--mantine-color-[\w-]+(?=:)/g))
  expect(defined.has('--mantine-color-grape-9')).toBeFalse()
  const asked = [...sheet.matchAll(/var\((--mantine-color-[a-z]+-[\w-]+)\)/g)].map(([, name = '']) => name)
  expect(asked.filter(name => !defined.has(name))).toEqual([])
  // What all components share comes along.
  expect(sheet).toContain('--mantine-color-dimmed')
  // The bundler writes rules by language for what has no fixed side.
  expect(sheet).not.toContain(':lang(')
})

test('what has one name in two languages is the same: the executable has each name once', async () => {
  const english = new Map(assets.map(({ name, contents }) => [name, contents.identity]))
  const german = (await bundlePage('de')).assets
  const shared = german.filter(({ name }) => english.has(name))
  expect(shared.length).toBeGreaterThan(0)
  expect(shared.length).toBeLessThan(german.length)
  const others = shared.filter(({ name, contents }) => !Bun.deepEquals(contents.identity, english.get(name)))
  expect(others.map(({ name }) => name)).toEqual([])
})
