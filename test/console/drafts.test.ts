import { afterEach, expect, test } from 'bun:test'
import {
  answerKey,
  draftKey,
  forgetDraft,
  forgetDrafts,
  keepDraft,
  keptDraft,
} from '../../src/console/web/api/drafts.ts'

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

test('an answer is kept for all tabs of the browser, at most twenty, until somebody else signs in', () => {
  const kept: Record<string, string> = {}
  const storage = Object.create({
    getItem: (key: string) => kept[key] ?? null,
    setItem(key: string, text: string) {
      kept[key] = text
      Object.defineProperty(storage, key, { value: text, enumerable: true, configurable: true })
    },
    removeItem(key: string) {
      delete kept[key]
      delete storage[key]
    },
  })
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, get: () => storage })
  try {
    for (let n = 0; n < 25; n += 1) keepDraft(answerKey('user_1', `contact_${n}`), { text: `${n}` })
    expect(Object.keys(kept)).toHaveLength(20)
    expect(keptDraft(answerKey('user_1', 'contact_24'))).toEqual({ text: '24' })
    forgetDrafts('user_1')
    expect(Object.keys(kept)).toHaveLength(20)
    forgetDrafts('user_2')
    expect(kept).toEqual({})
  } finally {
    Reflect.deleteProperty(globalThis, 'localStorage')
  }
})
