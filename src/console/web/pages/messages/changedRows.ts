import { pageMax } from '../../../../reading/steps.ts'
import type { ListedMessage, MessagesAnswer } from '../../../messages/schemas.ts'

interface Changed {
  readonly ids: readonly string[]
  /** Those of them that are in the list behind the cursor of the page, as they are now. */
  readonly rows: readonly ListedMessage[]
  /** Whether the page was read from its older end on. */
  readonly isBack: boolean
}

interface ChangedPage {
  readonly page: MessagesAnswer
  /** Whether it shows all that has changed, and the same messages as before. */
  readonly isAll: boolean
}

/** @returns the page as it is with what has changed; null: it has to be read as a whole */
export function withChanged(page: MessagesAnswer, { ids, rows, isBack }: Changed): ChangedPage | null {
  const changed = new Map(rows.map(row => [row.id, row]))
  const kept = page.messages.filter(({ id }) => changed.has(id) || !ids.includes(id))
  const isLast = (isBack ? page.newer : page.older) === null
  // Another row takes the place of what is gone: only the gateway knows which.
  if (kept.length < page.messages.length && !isLast) return null
  const shown = new Set(kept.map(({ id }) => id))
  const end = page.searchedTo ?? page.messages.at(isBack ? 0 : -1)?.createdAt ?? ''
  const isOfPage = ({ createdAt }: ListedMessage) => isLast || (isBack ? createdAt <= end : createdAt >= end)
  const come = rows.filter(row => !shown.has(row.id) && isOfPage(row))
  const messages = [...come, ...kept.map(row => changed.get(row.id) ?? row)]
  // A page that would be too long is read again, and has its usual length then.
  if (messages.length > pageMax) return null
  // Ids of one millisecond are in the order in which they were given.
  messages.sort((one, other) => other.createdAt.localeCompare(one.createdAt) || other.id.localeCompare(one.id))
  return { page: { ...page, messages }, isAll: ids.every(id => shown.has(id)) }
}
