import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import type { FunctionComponent } from 'react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

// Not by a static import: browser code is type-checked by itself.
const path = resolve(import.meta.dir, '../../src/console/web/components/Linked.tsx')
const { Linked } = (await import(path)) as { Linked: FunctionComponent<{ text: string }> }

const attributes = 'target="_blank" rel="noopener noreferrer" dir="ltr"'

test.each<[text: string, address: string | null, shown: string]>([
  ['See https://shop.example/a_b?c=1&d.', 'https://shop.example/a_b?c=1&amp;d', 'https://shop.example/a_b?c=1&amp;d'],
  ['(www.shop.example)', 'https://www.shop.example/', 'www.shop.example'],
  ['Now: *https://shop.example/new*', 'https://shop.example/new', 'https://shop.example/new'],
  ['javascript:alert(1) data:text/html,x ftp://a.example', null, ''],
  ['https://', null, ''],
  ['nothttps://shop.example', null, ''],
])('of %p the address is %p', (text, address, shown) => {
  const html = renderToStaticMarkup(createElement(Linked, { text }))
  if (address === null) expect(html).toBe(text)
  else expect(html).toContain(`<a href="${address}" ${attributes}>${shown}</a>`)
})

test('a long text takes no long time', () => {
  const text = `https://shop.example/${')'.repeat(100_000)}x`
  const begun = performance.now()
  renderToStaticMarkup(createElement(Linked, { text }))
  expect(performance.now() - begun).toBeLessThan(1_000)
})
