import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { isolated } from '../../src/base/direction.ts'

test('a text from the right is isolated, and any other left as it is', () => {
  expect(isolated('محمد 2')).toBe('\u2068محمد 2\u2069')
  expect(isolated('שרה')).toBe('\u2068שרה\u2069')
  for (const text of ['Ada', '+4930123456', 'Zoë', '渡辺', '👍', '']) expect(isolated(text)).toBe(text)
})

const folder = resolve(import.meta.dir, '../../src/console/web/texts/en')
const name = 'أحمد'
/** No sentence is made of more. */
const partsMax = 5

/** @returns the sentences that are made with a name and do not isolate it, by their places */
function* withBareNames(words: unknown, place: string): Generator<string> {
  if (typeof words === 'function') {
    const made = [Array(partsMax).fill(name), [{ name, what: name, count: '1', of: '2', until: name }]].map(given => {
      try {
        return words(...given)
      } catch {
        // It is made with something else.
        return ''
      }
    })
    if (made.some(sentence => String(sentence).replaceAll(isolated(name), '').includes(name))) yield place
  } else if (typeof words === 'object' && words !== null)
    for (const [part, inner] of Object.entries(words)) yield* withBareNames(inner, `${place}.${part}`)
}

test('each sentence of the page isolates the names that it is made with', async () => {
  const files = [...new Bun.Glob('*.ts').scanSync({ cwd: folder })]
  const found: string[] = []
  for (const file of files) {
    const words: Record<string, unknown> = await import(resolve(folder, file))
    found.push(...withBareNames(words, file))
  }
  expect(files.length).toBeGreaterThan(10)
  expect(found).toEqual([])
})
