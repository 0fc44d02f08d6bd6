import { eq } from 'drizzle-orm'
import { causeOf } from '../../src/message/counts.ts'
import { failureReasonOf } from '../../src/message/state.ts'
import { hasFailed, isUnsettled } from '../../src/message/statuses.ts'
import type { FoundMessages, MessageSearch } from '../contract/queries.ts'
import type { Message, MessageQuery } from '../contract/records.ts'
import type { StoreReads } from '../contract/store.ts'
import { type Engine, first } from './engine.ts'
import { isMeant } from './meantBy.ts'
import { messageReads } from './messageReads.ts'
import { isRough, isUnfiltered, type Position, type Walk } from './searchStep.ts'

type Rough = Pick<MessageSearch, 'cause' | 'meant'>

/** A list looks at so many messages at a time: its filters may fit none of a million. */
const listScan = 10_000
/**
 * What databases cannot tell exactly is looked at here: a message costs twenty times as much as one that they leave
 * out.
 */
const roughMax = 100

/**
 * Searches look at a bounded number of messages a step, in the order of an index, and filter only those: however rare
 * what they search for is, and whatever the planner believes about it. A list takes steps until it is full.
 */
export function messageSearches(engine: Engine): Pick<StoreReads, 'messages' | 'searchMessages'> {
  const { db, tables, searchStep } = engine
  const { messageContents } = messageReads(engine)
  const { id, seq, createdAt } = tables.messages

  async function searchMessages({ cursor, ...search }: MessageSearch): Promise<FoundMessages> {
    const walk = walkOf(search)
    const scan = scanOf(search)
    const limit = isRough(search) ? Math.min(scan, roughMax) : search.limit
    const step = await searchStep({ ...search, scan, limit, walk, from: positionOf(cursor, walk) })
    const rough = step.found.slice(0, limit)
    const last = step.found.length > limit ? (rough.at(-1) ?? null) : step.last
    const found = isRough(search) ? await fitting(search, rough) : rough
    const page = found.slice(0, search.limit)
    const reached = found.length > search.limit ? (page.at(-1) ?? null) : last
    return {
      messages: page.map(({ seq: _seq, ...message }) => message),
      cursors: page.map(message => textOf(message, walk)),
      next: reached && textOf(reached, walk),
      reachedAt: reached?.createdAt ?? null,
    }
  }

  async function fitting<Row extends Message>({ cause, meant }: Rough, rough: readonly Row[]) {
    const failed = cause === undefined ? rough : rough.filter(row => causeOf(failureReasonOf(row)) === cause)
    if (meant === undefined || failed.length === 0) return failed
    const contents = await messageContents(failed.map(row => row.id))
    return failed.filter(row => meant.every(word => isMeant(word, row, contents.get(row.id))))
  }

  return {
    searchMessages,

    async messages({ after, limit, ...filter }) {
      const messages: Message[] = []
      const position =
        after === undefined
          ? undefined
          : await first(db.select({ id, seq, createdAt }).from(tables.messages).where(eq(id, after)))
      if (position === null) return messages
      for (let cursor = position && textOf(position, walkOf(filter)); messages.length < limit; ) {
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

/** @returns how many messages a step looks at */
function scanOf({ ids, ...search }: Omit<MessageSearch, 'cursor'>): number {
  // One more than there can be: there is nothing behind the step.
  if (ids !== undefined) return ids.length + 1
  // Without a filter, all that is looked at fits.
  return isUnfiltered(search) ? Math.min(search.scan, search.limit + 1) : search.scan
}

/** What is rare has an index of its own. */
function walkOf({ recipient, reference, status, cause }: Omit<MessageQuery, 'limit'>): Walk {
  if (recipient !== undefined) return 'recipient'
  if (reference !== undefined) return 'reference'
  const [only, ...others] = status ?? []
  if (others.length > 0) return 'workspace'
  if (only === undefined) return cause === undefined ? 'workspace' : 'failed'
  if (isUnsettled(only)) return 'open'
  return hasFailed(only) ? 'failed' : 'workspace'
}

const textOf = ({ createdAt, seq, id }: Position, walk: Walk) => (walk === 'open' ? id : `${createdAt}.${seq}`)

/** @returns null for the beginning, and for a cursor that is none of this walk: it comes from the address of a page */
function positionOf(cursor: string | undefined, walk: Walk): Position | null {
  if (cursor === undefined) return null
  if (walk === 'open') return { id: cursor, createdAt: 0, seq: 0 }
  const [, createdAt, seq] = /^(\d{1,15})\.(\d{1,15})$/.exec(cursor) ?? []
  return seq === undefined ? null : { id: '', createdAt: Number(createdAt), seq: Number(seq) }
}
