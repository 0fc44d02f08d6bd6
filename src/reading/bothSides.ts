import type { RelatedEntry } from '../../db/contract/inbound.ts'
import type { Contact, Message } from '../../db/contract/records.ts'
import type { StoreReads } from '../../db/contract/store.ts'
import type { EpochMs } from '../base/clock.ts'
import { heardAt } from '../message/saidAt.ts'

/** Two screens of a desktop. */
const pageEntries = 40
/** Of them, behind what a page is around: it stands in the middle of a screen. */
const laterEntries = 10
/** Above the number of any message. */
const lastNumber = 999_999_999_999_999

/** A message of one side, where it stands among both, and its position on its own: the next page begins before it. */
export type Positioned = { readonly at: EpochMs; readonly position: string } & (
  | { readonly sent: Message }
  | { readonly received: RelatedEntry }
)

type Way = 'older' | 'newer'
type Reads = AddressReads & Pick<StoreReads, 'searchMessages' | 'inbound'>

/** Where a page is: at the end, unless it says otherwise. */
export type Place =
  | { readonly before?: string | undefined; readonly after?: string | undefined }
  | { readonly around: EpochMs }

/**
 * A page of both sides in the order of time, oldest first. Each side has its position in a cursor, and goes on from
 * there: so no page loses or repeats a message, also of those of one millisecond.
 * @param place `before`: the `older` of the page after it; `after`: the `newer` of the page before it
 */
export async function bothSides(read: Reads, contact: Contact, place: Place = {}) {
  if ('around' in place) {
    const now = `${place.around}.${lastNumber}`
    const at = `${now}~${now}`
    const [before, after] = await Promise.all([
      walked(read, contact, at, 'older', pageEntries - laterEntries),
      walked(read, contact, at, 'newer', laterEntries),
    ])
    const page = [...before.page.reverse(), ...after.page].sort((one, other) => one.at - other.at)
    return { page, older: before.next, newer: after.next }
  }
  const { before, after } = place
  if (after !== undefined) {
    const { page, next } = await walked(read, contact, after, 'newer', pageEntries)
    return { page, older: null, newer: next }
  }
  const { page, next } = await walked(read, contact, before ?? '', 'older', pageEntries)
  return { page: page.reverse(), older: next, newer: null }
}

/** @returns a page in the order of the way, and where the next one begins; null: there is none */
async function walked(read: Reads, contact: Contact, cursor: string, way: Way, limit: number) {
  const [, sentFrom = '', receivedFrom = ''] =
    /^((?:\d{1,15}\.\d{1,15})?)~((?:\d{1,15}\.\d{1,15})?)$/.exec(cursor) ?? []
  const [sent, received] = await Promise.all([
    sentTo(read, contact, sentFrom, way, limit + 1),
    writtenBy(read, contact, receivedFrom, way, limit + 1),
  ])
  const found = merged(sent, received, way)
  const page = found.slice(0, limit)
  // A side without a message on this page goes on from its end, or its own newest: what is said meanwhile is not older.
  const endOf = ([newest]: readonly Positioned[]) =>
    `${Math.max(page.at(-1)?.at ?? 0, Number(newest?.position.split('.')[0] ?? 0))}.${lastNumber}`
  const positionOf = (side: readonly Positioned[], from: string) =>
    page.findLast(entry => side.includes(entry))?.position ?? (from || endOf(side))
  const next = `${positionOf(sent, sentFrom)}~${positionOf(received, receivedFrom)}`
  return { page, next: found.length > page.length ? next : null }
}

/**
 * Each side keeps its own order, which its positions go by. Of what was said at one moment, the words of the person are
 * the later ones.
 */
function merged(sent: readonly Positioned[], received: readonly Positioned[], way: Way): readonly Positioned[] {
  const isNext = ({ at }: Positioned, our: Positioned) => (way === 'older' ? at >= our.at : at < our.at)
  const found: Positioned[] = []
  let rest = received
  for (const our of sent) {
    const end = rest.findIndex(their => !isNext(their, our))
    found.push(...rest.slice(0, end < 0 ? rest.length : end), our)
    rest = end < 0 ? [] : rest.slice(end)
  }
  return [...found, ...rest]
}

/** A user seldom has another id, and a number another spelling: with each, a page costs one more search. */
const otherNamesMax = 5

export type AddressReads = Pick<StoreReads, 'formerUserIds' | 'spellings'>

/** @returns what messages to a contact went to: its number in all spellings and its user ids, also those it has had */
export async function addressesOf(
  read: AddressReads,
  { workspaceId, phone, userId }: Contact,
): Promise<readonly string[]> {
  const numbers = phone === null ? [] : await numbersOf(read, workspaceId, phone)
  const former = userId === null ? [] : await read.formerUserIds({ workspaceId, userId })
  return [...numbers, userId, ...former.slice(0, otherNamesMax)].filter(address => address !== null)
}

/** @returns a number in all spellings that are known, first as the upstream writes it */
export const numbersOf = async (read: AddressReads, workspaceId: string, number: string): Promise<readonly string[]> =>
  (await read.spellings({ workspaceId, number })).slice(0, 1 + otherNamesMax)

/**
 * The messages to the number and to the user ids of a contact, also those that it has had: all have one order, so one
 * position is enough for all.
 */
async function sentTo(read: Reads, contact: Contact, from: string, way: Way, limit: number): Promise<Positioned[]> {
  const found: Positioned[] = []
  const { workspaceId } = contact
  for (const recipient of await addressesOf(read, contact)) {
    const step = await read.searchMessages({
      ...{ workspaceId, recipient, direction: way, limit, scan: limit },
      cursor: from === '' ? undefined : from,
    })
    step.messages.forEach((sent, at) => {
      found.push({ at: sent.createdAt, position: step.cursors[at] ?? '', sent })
    })
  }
  const older = found.sort((one, other) => other.at - one.at || numberOf(other.position) - numberOf(one.position))
  return way === 'older' ? older : older.reverse()
}

/** `1767225600000.17` is the 17th. */
const numberOf = (position: string) => Number(position.split('.')[1])

async function writtenBy(
  read: Reads,
  { id: contactId }: Contact,
  from: string,
  way: Way,
  limit: number,
): Promise<Positioned[]> {
  const [at, seq] = from.split('.').map(Number)
  const position = at === undefined || seq === undefined ? undefined : { at, seq }
  const entries = await read.inbound({ contactId, limit, [way === 'older' ? 'before' : 'after']: position })
  return entries.map(received => ({
    ...{ at: heardAt(received), position: `${received.at}.${received.seq}`, received },
  }))
}
