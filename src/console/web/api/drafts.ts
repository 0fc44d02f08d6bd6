/**
 * What people have begun to write, in this tab: a form finds it again after another page, a reload, or a session that
 * has ended. Never a secret: a form names the fields that are not kept.
 */
const prefix = 'waypost.draft '
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

/** @returns null where none is kept. What it holds is for the form to check */
export function keptDraft(key: string): unknown {
  try {
    return (JSON.parse(storage()?.getItem(key) ?? 'null') as Kept | null)?.draft ?? null
  } catch {
    return null
  }
}

export function keepDraft(key: string, draft: unknown): void {
  const text = JSON.stringify({ at: Date.now(), draft } satisfies Kept)
  if (text.length > charsMax) return
  try {
    storage()?.setItem(key, text)
    const oldest = keys().toSorted((one, other) => timeOf(one) - timeOf(other))
    for (const old of oldest.slice(0, -draftsMax)) forgetDraft(old)
  } catch {
    // There is no room for it: the form works on.
  }
}

export const forgetDraft = (key: string): void => storage()?.removeItem(key)

/** At a sign-out, and when somebody else signs in. @param userId whose drafts stay; null: nobody's */
export function forgetDrafts(userId: string | null): void {
  for (const key of keys()) if (userId === null || !key.startsWith(draftKey(userId, ''))) forgetDraft(key)
}

/** Null in a browser that blocks it: there the console works without drafts. */
function storage(): Storage | null {
  try {
    return sessionStorage
  } catch {
    return null
  }
}

const keys = () => Object.keys(storage() ?? {}).filter(key => key.startsWith(prefix))

const timeOf = (key: string) => Number(/"at":(\d+)/.exec(storage()?.getItem(key) ?? '')?.[1] ?? 0)
