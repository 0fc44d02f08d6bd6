import type { MessageSearch } from '../../../db/queries.ts'
import type { Message } from '../../../db/records.ts'
import type { StoreReads } from '../../../db/store.ts'
import { readPhone } from '../../text/phone.ts'

/** Messages read in one step: if they are scattered, some three milliseconds in which nothing else is served. */
const stepMessages = 500
/** Messages that one request examines. A million take fifty requests, each of some 100 ms of work. */
const scanMax = 20_000

type Filter = Omit<MessageSearch, 'direction' | 'cursor' | 'limit' | 'scan'>

export interface PageQuery {
  readonly filter: Filter
  readonly direction: MessageSearch['direction']
  readonly cursor: string | undefined
  readonly limit: number
}

export interface MessageList {
  /** Newest first. */
  readonly messages: readonly Message[]
  /** Cursors of the pages beside this one; null where there is none. */
  readonly older: string | null
  readonly newer: string | null
  /** Set when the search stopped before the page was full: how far it came. The cursor continues from there. */
  readonly searchedTo: number | null
}

type Reads = Pick<StoreReads, 'searchMessages' | 'messagesReferred'>

/** Waits until a step may run. */
type Turn = () => Promise<void>

/** One page of a list, however rare its messages are. */
export async function findPage(
  read: Reads,
  turn: Turn,
  { filter, direction, cursor, limit }: PageQuery,
): Promise<MessageList> {
  const found: Message[] = []
  const cursors: string[] = []
  let next = cursor ?? null
  let reachedAt: number | null = null
  for (let scanned = 0; scanned < scanMax && found.length < limit; scanned += stepMessages) {
    await turn()
    const step = await read.searchMessages({
      ...filter,
      direction,
      cursor: next ?? undefined,
      limit: limit - found.length,
      scan: stepMessages,
    })
    found.push(...step.messages)
    cursors.push(...step.cursors)
    next = step.next
    reachedAt = step.reachedAt
    if (next === null) break
  }
  // The way back begins with the first message of this page; the newest page has no way back.
  const back = cursor === undefined ? null : (cursors[0] ?? cursor)
  const searchedTo = next !== null && found.length < limit ? reachedAt : null
  return direction === 'older'
    ? { messages: found, older: next, newer: back, searchedTo }
    : { messages: found.reverse(), older: cursors[0] ?? cursor ?? null, newer: next, searchedTo }
}

/** All matching messages, newest first, a step at a time: for an export. */
export async function* findAll(read: Reads, turn: Turn, filter: Filter): AsyncGenerator<readonly Message[]> {
  let cursor: string | undefined
  for (;;) {
    await turn()
    const step = await read.searchMessages({
      ...filter,
      direction: 'older',
      cursor,
      limit: stepMessages,
      scan: stepMessages,
    })
    yield step.messages
    if (step.next === null) return
    cursor = step.next
  }
}

/**
 * The meaning of a search text: one of our ids, the upstream's id, an idempotency key; else the recipient. A number
 * with a plus is always a recipient.
 */
export async function findWritten(
  read: Reads,
  workspaceId: string,
  written: string,
): Promise<{ readonly messages: readonly Message[] | null; readonly recipient: string | undefined }> {
  if (written === '') return { messages: null, recipient: undefined }
  const phone = readPhone(written)
  const messages = written.startsWith('+') ? [] : await read.messagesReferred({ reference: written, workspaceId })
  if (messages.length === 0) return { messages: null, recipient: phone.ok ? phone.number : written }
  return { messages: messages.toSorted((one, other) => other.createdAt - one.createdAt), recipient: undefined }
}
