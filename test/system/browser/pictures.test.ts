import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { listedPages, nameOf } from './listedPages.ts'

const docs = resolve(import.meta.dir, '../../../docs')
const pictures = join(docs, 'pictures')
/** They are in every clone of the repository. */
const bytesMax = 1_500_000

/** Lists that lead to a page with a picture, forms that look like another one, and what links lead to. */
const withoutPicture = ['channels-clients-one', 'invitation', 'lines-templates-edit', 'set-up', 'templates']

test('docs/console.md has a picture of each page, and each picture is there', async () => {
  const shown = [...readFileSync(join(docs, 'console.md'), 'utf8').matchAll(/\(pictures\/([\w-]+)\.webp\)/g)].map(
    ([, name]) => name,
  )
  const pages = (await listedPages()).map(nameOf).filter(name => !withoutPicture.includes(name))
  expect(shown.toSorted()).toEqual(pages.toSorted())
  expect(readdirSync(pictures).toSorted()).toEqual(shown.map(name => `${name}.webp`).toSorted())
})

test('the pictures together are small', () => {
  const bytes = readdirSync(pictures).reduce((sum, name) => sum + statSync(join(pictures, name)).size, 0)
  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThanOrEqual(bytesMax)
})
