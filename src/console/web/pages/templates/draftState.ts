import { type ChangeEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { checkDraft } from '../../../../templates/authoring/check.ts'
import { emptyDraft, type TemplateDraft } from '../../../../templates/authoring/draft.ts'
import { draftKey, forgetDraft, keepDraft, keptDraft } from '../../api/drafts.ts'
import { useAccount } from '../../app/session.tsx'
import { hintBelow } from '../../components/fields.ts'
import { useUnloadQuestion } from '../../components/losses.ts'
import { capital } from '../../texts/texts.ts'

/** A template while it is written. */
export type DraftState = ReturnType<typeof useDraft>

/** What is kept has the fields of a draft, unless another version of the console has kept it. */
function restored(key: string): TemplateDraft | null {
  const kept = keptDraft(key)
  const isDraft = typeof kept === 'object' && kept !== null && Object.keys(emptyDraft).every(name => name in kept)
  return isDraft ? (kept as TemplateDraft) : null
}

/**
 * The rules are those of the server (templates/authoring), checked at each change. A restored draft shows all its
 * problems at once: otherwise nobody would find the field.
 * @param form names the form among those of the user, for example by its address
 */
export function useDraft(initial: TemplateDraft, form: string) {
  const key = draftKey(useAccount().user.id, form)
  const [draft, setDraft] = useState(() => restored(key) ?? initial)
  const [isRestored, setRestored] = useState(draft !== initial)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [isAllShown, setAllShown] = useState(initial !== emptyDraft)
  const issues = useMemo(() => checkDraft(draft), [draft])
  const change = useCallback((next: Partial<TemplateDraft>) => {
    setDraft(before => ({ ...before, ...next }))
    // Who goes on with it knows.
    setRestored(false)
  }, [])
  const isOver = useRef(false)
  useUnloadQuestion(draft !== initial)
  useEffect(() => {
    if (draft !== initial && !isOver.current) keepDraft(key, draft)
  }, [key, draft, initial])
  const forget = () => {
    isOver.current = true
    forgetDraft(key)
  }
  const beginAnew = () => {
    forgetDraft(key)
    setDraft(initial)
    setRestored(false)
  }
  const touch = useCallback((path: string) => setTouched(before => new Set(before).add(path)), [])
  const problemOf = (path: string) => {
    if (!isAllShown && !touched.has(path)) return undefined
    const message = issues.find(issue => issue.path === path)?.message
    return message && capital(message)
  }
  return {
    draft,
    change,
    /** @returns what is wrong with the field, once it was left or the template was to be submitted */
    problemOf,
    /** The field was left. */
    touch,
    /** From now on every problem is shown. */
    showAll: () => setAllShown(true),
    problems: issues.length,
    /** Whether all of them are shown. */
    isAllShown,
    /** Whether it was begun before the page was opened. */
    isRestored,
    beginAnew,
    /** Something would be lost with it. */
    isWritten: draft !== initial,
    /** It was submitted or given up, and is not kept any more. */
    forget,
  }
}

/** The properties of a checked field: its problem, and a handler for leaving it. */
export const fieldOf = ({ problemOf, touch }: DraftState, path: string) => ({
  inputWrapperOrder: hintBelow,
  error: problemOf(path),
  onBlur: () => touch(path),
})

/** A part of a draft: its current value, and a function to change it. */
export interface Editing<Part> {
  readonly state: DraftState
  readonly part: Part
  /** Of the part in the draft, as a JSON Pointer. */
  readonly path: string
  readonly onChange: (part: Part) => void
}

/** Of one of them, where a part is one of several kinds. */
type TextName<Part> = Part extends unknown
  ? { [Name in keyof Part & string]: Part[Name] extends string ? Name : never }[keyof Part & string]
  : never

/** @returns a function from the name of a text of the part to the properties of its input */
export const textsOf =
  <Part>({ state, part, path, onChange }: Editing<Part>) =>
  (name: TextName<Part>) => ({
    value: String((part as Readonly<Record<string, unknown>>)[name]),
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange({ ...part, [name]: value }),
    ...fieldOf(state, `${path}/${name}`),
  })
