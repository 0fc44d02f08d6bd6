import { useCallback, useMemo, useState } from 'react'
import { checkDraft } from '../../../../templates/authoring/check.ts'
import {
  type BodyDraft,
  type CardDraft,
  emptyDraft,
  type TemplateDraft,
} from '../../../../templates/authoring/draft.ts'

/** A template while it is written. */
export interface DraftState {
  readonly draft: TemplateDraft
  readonly change: (next: Partial<TemplateDraft>) => void
  /** @returns what is wrong with the field, once it was left or the template was to be submitted */
  readonly problemOf: (path: string) => string | undefined
  /** The field was left. */
  readonly touch: (path: string) => void
  /** From now on every problem is shown. */
  readonly showAll: () => void
  readonly problems: number
}

/**
 * The rules are those of the server (templates/authoring), checked at each change. A template that was written before shows
 * all its problems from the beginning: nobody would find the field.
 */
export function useDraft(initial: TemplateDraft): DraftState {
  const [draft, setDraft] = useState(initial)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [isAllShown, setAllShown] = useState(initial !== emptyDraft)
  const issues = useMemo(() => checkDraft(draft), [draft])
  const change = useCallback((next: Partial<TemplateDraft>) => setDraft(before => ({ ...before, ...next })), [])
  const touch = useCallback((path: string) => setTouched(before => new Set(before).add(path)), [])
  const problemOf = (path: string) => {
    if (!isAllShown && !touched.has(path)) return undefined
    const message = issues.find(issue => issue.path === path)?.message
    return message && message.charAt(0).toUpperCase() + message.slice(1)
  }
  return { draft, change, problemOf, touch, showAll: () => setAllShown(true), problems: issues.length }
}

/** What a field needs to be checked: its problem, and to say that it was left. */
export const fieldOf = ({ problemOf, touch }: DraftState, path: string) => ({
  error: problemOf(path),
  onBlur: () => touch(path),
})

/** @returns the list with one element replaced */
export const replaced = <Element>(list: readonly Element[], at: number, element: Element): Element[] =>
  list.map((known, index) => (index === at ? element : known))

export const without = <Element>(list: readonly Element[], at: number): Element[] =>
  list.filter((_, index) => index !== at)

export function moved<Element>(list: readonly Element[], from: number, to: number): Element[] {
  const next = [...list]
  const [element] = next.splice(from, 1)
  if (element !== undefined) next.splice(to, 0, element)
  return next
}

/** @returns the text with the next variable at its end */
export function withVariable(body: BodyDraft, format: TemplateDraft['parameterFormat'], known: readonly string[]) {
  const next = format === 'NAMED' ? `name_${known.length + 1}` : String(known.length + 1)
  const gap = body.text === '' || /\s$/.test(body.text) ? '' : ' '
  return { ...body, text: `${body.text}${gap}{{${next}}}` }
}

export const emptyCard: CardDraft = {
  header: { kind: 'image', handle: '', fileName: '' },
  body: { text: '', examples: {} },
  buttons: [{ kind: 'quickReply', text: '' }],
}
