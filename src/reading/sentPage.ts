import { type Found, type PageQuery, type Walker, walk } from './messages.ts'

/** What a page has, and where the next one begins; null at the end. */
export interface SentPage {
  readonly found: readonly Found[]
  readonly next: string | null
}

/** `1767225600000.17` is the 17th message, of this time. @returns below 0 when one is before the other */
function byAge(one: string, other: string): number {
  const [[at = 0, seq = 0], [otherAt = 0, otherSeq = 0]] = [one.split('.').map(Number), other.split('.').map(Number)]
  return at - otherAt || seq - otherSeq
}

/**
 * A page of the messages to any of some recipients. Each has its walk, and all have one order: so one position is
 * enough for all of them. A walk that ended before its page was full bounds the page: behind it, it may have more.
 * @param recipients null: to anybody
 */
export async function sentPage(
  searcher: Walker,
  page: PageQuery,
  recipients: readonly string[] | null,
): Promise<SentPage> {
  if (recipients === null) return walk(searcher, page)
  const walks = []
  for (const recipient of recipients)
    walks.push(await walk(searcher, { ...page, filter: { ...page.filter, recipient } }))
  const sign = page.direction === 'newer' ? 1 : -1
  const inOrder = (one: string, other: string) => sign * byAge(one, other)
  const [end] = walks.flatMap(({ next }) => (next === null ? [] : [next])).sort(inOrder)
  const found = walks
    .flatMap(({ found }) => found)
    .filter(({ cursor }) => end === undefined || inOrder(cursor, end) <= 0)
    .sort((one, other) => inOrder(one.cursor, other.cursor))
  const shown = found.slice(0, page.limit)
  return { found: shown, next: found.length > shown.length ? (shown.at(-1)?.cursor ?? null) : (end ?? null) }
}
