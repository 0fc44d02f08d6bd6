import { eq } from 'drizzle-orm'
import type { FoundMessages, MessageSearch } from '../queries.ts'
import type { Message, MessageQuery } from '../records.ts'
import type { StoreReads } from '../store.ts'
import { type Engine, first } from './engine.ts'
import { filterFields, type Place, type Walk } from './searchStep.ts'

/** A list looks at so many messages at a time: its filters may fit none of a million. */
const listScan = 1_000

/**
 * Searches look at a bounded number of messages a step, in the order of an index, and filter only those: however rare
 * what they search for is, and whatever the planner believes about it. A list takes steps until it is full.
 */
export function messageSearches(engine: Engine): Pick<StoreReads, 'messages' | 'searchMessages'> {
  const { db, tables, searchStep } = engine
  const { id, seq, createdAt } = tables.messages

  async function searchMessages({ cursor, ...search }: MessageSearch): Promise<FoundMessages> {
    const walk = walkOf(search)
    // Without a filter, all that is looked at fits.
    const isUnfiltered = filterFields.every(field => search[field] === undefined)
    const scan = isUnfiltered ? Math.min(search.scan, search.limit + 1) : search.scan
    const { found, last } = await searchStep({ ...search, scan, walk, from: placeOf(cursor, walk) })
    const page = found.slice(0, search.limit)
    const reached = found.length > search.limit ? (page.at(-1) ?? null) : last
    return {
      messages: page.map(({ seq: _seq, ...message }) => message),
      cursors: page.map(message => textOf(message, walk)),
      next: reached && textOf(reached, walk),
      reachedAt: reached?.createdAt ?? null,
    }
  }

  return {
    searchMessages,

    async messages({ after, limit, ...filter }) {
      const messages: Message[] = []
      const place =
        after === undefined
          ? undefined
          : await first(db.select({ id, seq, createdAt }).from(tables.messages).where(eq(id, after)))
      if (place === null) return messages
      for (let cursor = place && textOf(place, walkOf(filter)); messages.length < limit; ) {
        const left = limit - messages.length
        const step = await searchMessages({ ...filter, direction: 'older', cursor, limit: left, scan: listScan })
        messages.push(...step.messages)
        if (step.next === null) break
        cursor = step.next
      }
      return messages
    },
  }
}

/** What is rare has an index of its own. */
function walkOf({ recipient, status }: Pick<MessageQuery, 'recipient' | 'status'>): Walk {
  if (recipient !== undefined) return 'recipient'
  if (status === 'QUEUED' || status === 'UNKNOWN') return 'open'
  return status === 'FAILED' ? 'failed' : 'workspace'
}

const textOf = ({ createdAt, seq, id }: Place, walk: Walk) => (walk === 'open' ? id : `${createdAt}.${seq}`)

/** @returns null for the beginning, and for a cursor that is none of this walk: it comes from the address of a page */
function placeOf(cursor: string | undefined, walk: Walk): Place | null {
  if (cursor === undefined) return null
  if (walk === 'open') return { id: cursor, createdAt: 0, seq: 0 }
  const [, createdAt, seq] = /^(\d{1,15})\.(\d{1,15})$/.exec(cursor) ?? []
  return seq === undefined ? null : { id: '', createdAt: Number(createdAt), seq: Number(seq) }
}
