import type { MessageSearch } from '../../db/contract/queries.ts'
import type { Message } from '../../db/contract/records.ts'
import type { StoreReads } from '../../db/contract/store.ts'
import type { Clock } from '../base/clock.ts'
import { readPhone } from '../base/phone.ts'
import { scanMax, stepRows } from './steps.ts'

/** A request is answered with what it has found until then; the page goes on from there, or says what narrows it. */
const answerMs = 100
/** Rows that a step looks at where an index tells what fits: some two milliseconds. */
const plainStepRows = 5_000
/** Rows that one request looks at then. On a slow machine its time ends it before. */
const plainScanMax = 1_000_000
/** What is counted exactly; more is told as "more than". */
const countMax = 1_000

export type Filter = Omit<MessageSearch, 'direction' | 'cursor' | 'limit' | 'scan'>

/** A filter that names every one, `undefined` where it leaves it out: one that is added is a type error there. */
export type WholeFilter = { readonly [Name in keyof Required<Filter>]: Filter[Name] }

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

/** @param withinMs after which it is answered with what was found. @returns what a search of now reads with */
export function searcherOf<Read>(read: Read, clock: Clock, turn: () => Promise<void>, withinMs = answerMs) {
  const startedAt = clock.steady()
  return { read, turn, isLate: () => clock.steady() - startedAt >= withinMs }
}

/** What a search reads with. */
export interface Searcher extends Walker {
  readonly read: Pick<
    StoreReads,
    | 'contact'
    | 'key'
    | 'line'
    | 'messagesReferred'
    | 'formerUserIds'
    | 'spellings'
    | 'searchContacts'
    | 'searchMessages'
    | 'templates'
  >
}

/** What a search by filters alone reads with. */
export interface Walker {
  readonly read: Pick<StoreReads, 'searchMessages'>
  /** Whether it is time to answer with what was found. */
  isLate(): boolean
  /** Waits until a step may run. */
  turn(): Promise<void>
}

/** What some steps have found, in the direction of the search. */
export interface Walked {
  readonly found: readonly Found[]
  /** Null at the end. */
  readonly next: string | null
  readonly reachedAt: number | null
}
/** A message with its position: the search continues after it. */
export interface Found {
  readonly message: Message
  readonly cursor: string
}

/** What a step looks at, and a request. Words and failures of messages are in no index. */
const boundsOf = ({ cause, meant }: Filter) =>
  cause === undefined && meant === undefined
    ? { scan: plainStepRows, scanned: plainScanMax }
    : { scan: stepRows, scanned: scanMax }

/** Takes steps until a page is full, or the time is up. @param isWanted of what fits the filter */
export async function walk(
  { read, isLate, turn }: Walker,
  { filter, direction, cursor, limit }: PageQuery,
  isWanted: (message: Message) => boolean = () => true,
): Promise<Walked> {
  const found: Found[] = []
  let next = cursor ?? null
  let reachedAt: number | null = null
  const { scan, scanned: most } = boundsOf(filter)
  for (let scanned = 0; scanned < most && found.length < limit; scanned += scan) {
    if (scanned > 0 && isLate()) break
    await turn()
    const step = await read.searchMessages({
      ...filter,
      direction,
      cursor: next ?? undefined,
      limit: limit - found.length,
      scan,
    })
    const steps = step.messages.map((message, at) => ({ message, cursor: step.cursors[at] ?? '' }))
    found.push(...steps.filter(({ message }) => isWanted(message)))
    next = step.next
    reachedAt = step.reachedAt
    if (next === null) break
  }
  return { found, next, reachedAt }
}

/** One page of a list, however rare its messages are. */
export async function findPage(searcher: Searcher, page: PageQuery): Promise<MessageList> {
  const { found, next, reachedAt } = await walk(searcher, page)
  const { cursor, direction, limit } = page
  const messages = found.map(({ message }) => message)
  const first = found[0]?.cursor ?? cursor
  // The way back begins with the first message of this page; the newest page has no way back.
  const back = cursor === undefined ? null : (first ?? null)
  const searchedTo = next !== null && found.length < limit ? reachedAt : null
  return direction === 'older'
    ? { messages, older: next, newer: back, searchedTo }
    : { messages: messages.reverse(), older: first ?? null, newer: next, searchedTo }
}

/** All matching messages, newest first, a step at a time: for an export. */
export async function* findAll({ read, turn }: Searcher, filter: Filter): AsyncGenerator<readonly Message[]> {
  let cursor: string | undefined
  for (;;) {
    await turn()
    const step = await read.searchMessages({
      ...filter,
      direction: 'older',
      cursor,
      limit: stepRows,
      scan: boundsOf(filter).scan,
    })
    yield step.messages
    if (step.next === null) return
    cursor = step.next
  }
}

/** How many messages fit, as far as that is known soon. */
export async function countFound(searcher: Searcher, filter: Filter): Promise<{ count: number; isMore: boolean }> {
  const page = { filter, direction: 'older', cursor: undefined, limit: countMax + 1 } as const
  const { found, next } = await walk(searcher, page)
  const count = Math.min(found.length, countMax)
  return { count, isMore: next !== null || found.length > count }
}

/** What was searched for by a text. */
export type Written =
  | { readonly kind: 'nothing' }
  /** By an id of ours or of the upstream's, or an idempotency key. */
  | { readonly kind: 'messages'; readonly messages: readonly Message[] }
  /** By the id of a line, a key or a contact, or a recipient or a reference as a whole. */
  | { readonly kind: 'filter'; readonly filter: Pick<Filter, 'recipient' | 'reference' | 'line' | 'key'> }
  /** Any part of what messages have. */
  | { readonly kind: 'text' }

/** The meaning of a search text. A number with a plus is never an id. */
export async function findWritten({ read }: Searcher, workspaceId: string, written: string): Promise<Written> {
  if (written === '') return { kind: 'nothing' }
  const messages = written.startsWith('+') ? [] : await read.messagesReferred({ reference: written, workspaceId })
  if (messages.length > 0) {
    return { kind: 'messages', messages: messages.toSorted((one, other) => other.createdAt - one.createdAt) }
  }
  const [line, key, contact] = await Promise.all([
    read.line(written),
    read.key(written),
    read.contact({ workspaceId, contactId: written }),
  ])
  if (line?.workspaceId === workspaceId) return { kind: 'filter', filter: { line: written } }
  if (key?.workspaceId === workspaceId) return { kind: 'filter', filter: { key: written } }
  const phone = readPhone(written)
  // One of several spellings: those to the others are meant too.
  if (phone.ok && (await read.spellings({ workspaceId, number: phone.number })).length > 1) return { kind: 'text' }
  const recipients = [contact?.phone, contact?.userId, phone.ok ? phone.number : null, written]
  const filters = [...recipients.flatMap(recipient => (recipient ? [{ recipient }] : [])), { reference: written }]
  for (const filter of filters) {
    const step = await read.searchMessages({ workspaceId, ...filter, direction: 'older', limit: 1, scan: 1 })
    if (step.messages.length > 0) return { kind: 'filter', filter }
  }
  return { kind: 'text' }
}
