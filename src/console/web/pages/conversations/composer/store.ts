import { currentSession, onSessionChange } from '../../../api/access.ts'
import { answerKey, forgetDraft, keepDraft, keptDraft, keptText } from '../../../api/drafts.ts'
import { type Composition, compositionIn, isEmpty, noComposition } from './composition.ts'

/** What is shown, with the text that it was read from. Where the browser keeps nothing, it is all there is. */
const known = new Map<string, { readonly text: string | null; readonly value: Composition }>()
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}
// Another tab has written.
addEventListener('storage', tell)
onSessionChange(() => {
  if (currentSession()) return
  known.clear()
  tell()
})

export const compositionKey = (contactId: string) => answerKey(currentSession()?.user.id ?? '', contactId)

export function onCompositions(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** @returns the same object as long as nobody has written */
export function compositionOf(key: string): Composition {
  const text = keptText(key)
  const last = known.get(key)
  if (last && last.text === text) return last.value
  const value = text === null ? noComposition : compositionIn(keptDraft(key))
  known.set(key, { text, value })
  return value
}

/** In one step, also when the conversation is not shown any more: an answer may come late. */
export function changeComposition(key: string, change: (before: Composition) => Composition): void {
  const value = change(compositionOf(key))
  if (isEmpty(value)) forgetDraft(key)
  else keepDraft(key, value)
  known.set(key, { text: keptText(key), value })
  tell()
}
