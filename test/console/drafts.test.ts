import { afterEach, expect, test } from 'bun:test'
import { draftKey, forgetDraft, forgetDrafts, keepDraft, keptDraft } from '../../src/console/web/api/drafts.ts'

/** @param get what a script gets that asks the browser for its storage */
const offer = (get: () => unknown) => Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, get })
afterEach(() => void Reflect.deleteProperty(globalThis, 'sessionStorage'))

test('a browser that blocks its storage keeps no draft, and everything else works on', () => {
  offer(() => {
    throw new DOMException('Access is denied for this document.', 'SecurityError')
  })
  const key = draftKey('user_1', '/form')
  keepDraft(key, { name: 'Ada' })
  expect(keptDraft(key)).toBeNull()
  forgetDraft(key)
  forgetDrafts('user_1')
  forgetDrafts(null)
})
