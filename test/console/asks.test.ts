import { expect, test } from 'bun:test'
import { resolve } from 'node:path'

interface Page {
  readonly path: string
}
/** Not by a static import: browser code is type-checked by itself. */
const { asksOf, pageAt } = (await import(resolve(import.meta.dir, '../../src/console/web/app/pages.ts'))) as {
  asksOf: (page: Page, path: string) => string[]
  pageAt: (path: string) => Page | undefined
}

const asked = (path: string) => {
  const page = pageAt(path)
  return page && asksOf(page, path)
}

test('a page asks beside its code for what its address names, and for nothing that it does not', () => {
  const list = ['conversations?show=open', 'phone-numbers']
  expect(asked('/w/ws_1/conversations')).toEqual(list)
  expect(asked('/w/ws_1/conversations/contact_1')?.toSorted()).toEqual(
    ['contacts/contact_1/conversation', ...list].toSorted(),
  )
  expect(asked('/w/ws_1/contacts/contact_1')).toEqual(['contacts/contact_1', 'contacts/contact_1/conversation'])
  expect(asked('/w/ws_1/messages')).toContain('message-count?status=SCHEDULED')
  expect([asked('/w/ws_1/members'), asked('/w/ws_1/nowhere')]).toEqual([[], undefined])
})
