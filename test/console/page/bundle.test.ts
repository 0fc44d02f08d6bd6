import { expect, setDefaultTimeout, test } from 'bun:test'
import { bundlePage } from '../../../src/console/page/bundle.ts'
import { hungAfterMs } from '../../timeLimit.ts'

setDefaultTimeout(hungAfterMs)

/** All pages of the console together, as a browser loads them over a slow line. */
const gzippedBytesMax = 500_000
/** What is loaded before the first page is drawn: a second on a line of 2 Mbit/s. */
const firstGzippedBytesMax = 250_000

const gzipped = (content: Uint8Array<ArrayBuffer> = new Uint8Array()) => Bun.gzipSync(content, { level: 9 }).length

test(`all pages together have at most ${gzippedBytesMax} bytes, and the first one ${firstGzippedBytesMax}`, async () => {
  const { assets } = await bundlePage()
  const sizes = new Map(assets.map(({ name, contents }) => [name, gzipped(contents.identity)]))
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  const document = assets.find(({ name }) => name === 'index.html')
  const text = new TextDecoder().decode(document?.contents.identity)
  const first = [...sizes].filter(([name]) => text.includes(name)).reduce((sum, [, size]) => sum + size, 0)
  expect(first).toBeGreaterThan(10_000)
  expect(first).toBeLessThanOrEqual(firstGzippedBytesMax)
  expect(total).toBeLessThanOrEqual(gzippedBytesMax)
})

test('it is built for production, and its names tell the content', async () => {
  const { assets, inputs } = await bundlePage()
  expect(inputs.filter(path => path.includes('react-dom') && path.includes('development'))).toEqual([])
  expect(inputs.some(path => path.endsWith('src/console/web/main.tsx'))).toBe(true)
  const unnamed = assets
    .map(({ name }) => name)
    .filter(name => name !== 'index.html' && !/-[a-z0-9]{8}\.\w+$/.test(name))
  expect(unnamed).toEqual([])
})
