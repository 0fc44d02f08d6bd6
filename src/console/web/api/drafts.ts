/**
 * What people have begun to write: a form finds it again after another page, a reload, or a session that has ended. A
 * form's is of its tab, an answer's of the browser. Never a secret: a form names the fields that are not kept.
 */
const prefix = 'waypost.draft '
const browserPrefix = 'waypost.answer '
/** Characters of one draft: a carousel with ten cards has some 20,000. */
const charsMax = 100_000
/** The oldest is dropped; nobody writes this many at once. */
const draftsMax = 20

interface Kept {
  readonly at: number
  readonly draft: unknown
}

/** Names a form among those of all users. @param form for example its address */
export const draftKey = (userId: string, form: string) => `${prefix}${userId} ${form}`

/** Names what somebody writes in a conversation: every tab of the browser has it. */
export const answerKey = (userId: string, contactId: string) => `${browserPrefix}${userId} ${contactId}`

/** @returns null where none is kept. What it holds is for the form to check */
export function keptDraft(key: string): unknown {
  try {
    return (JSON.parse(keptText(key) ?? 'null') as Kept | null)?.draft ?? null
  } catch {
    return null
  }
}

/** @returns the draft as it is stored, to see whether it is another one */
export const keptText = (key: string): string | null => storage(key)?.getItem(key) ?? null

export function keepDraft(key: string, draft: unknown): void {
  const text = JSON.stringify({ at: Date.now(), draft } satisfies Kept)
  if (text.length > charsMax) return
  try {
    storage(key)?.setItem(key, text)
    const oldest = keys(key).toSorted((one, other) => timeOf(one) - timeOf(other))
    for (const old of oldest.slice(0, -draftsMax)) forgetDraft(old)
  } catch {
    // There is no room for it: the form works on.
  }
}

export const forgetDraft = (key: string): void => storage(key)?.removeItem(key)

/** At a sign-out, and when somebody else signs in. @param userId whose drafts stay; null: nobody's */
export function forgetDrafts(userId: string | null): void {
  for (const of of [draftKey, answerKey])
    for (const key of keys(of('', ''))) if (userId === null || !key.startsWith(of(userId, ''))) forgetDraft(key)
}

/** Null in a browser that blocks it: there the console works without drafts. @param key without one: all tabs' */
export function storage(key = browserPrefix): Storage | null {
  try {
    return key.startsWith(browserPrefix) ? localStorage : sessionStorage
  } catch {
    return null
  }
}

/** Those of the same kind. */
const keys = (like: string) => {
  const kind = like.startsWith(browserPrefix) ? browserPrefix : prefix
  return Object.keys(storage(like) ?? {}).filter(key => key.startsWith(kind))
}

const timeOf = (key: string) => Number(/"at":(\d+)/.exec(keptText(key) ?? '')?.[1] ?? 0)
