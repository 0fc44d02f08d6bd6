import type { RelatedEntry } from '../../db/contract/inbound.ts'
import type { Contact, Message } from '../../db/contract/records.ts'
import type { StoreReads } from '../../db/contract/store.ts'

/** Two screens of a desktop. */
const pageEntries = 40
/** Above the number of any message. */
const lastNumber = 999_999_999_999_999

/** A message of one side with its position there: the next page begins before it. */
export type Positioned = { readonly at: number; readonly position: string } & (
  | { readonly sent: Message }
  | { readonly received: RelatedEntry }
)

type Reads = AddressReads & Pick<StoreReads, 'searchMessages' | 'inbound'>

/**
 * A page of both sides in the order of time, oldest first. Each side has its position in the cursor, and goes on from
 * there: so no page loses or repeats a message, also of those of one millisecond.
 * @param before the `older` of the page after it
 */
export async function bothSides(read: Reads, contact: Contact, before = '') {
  const [, sentBefore = '', receivedBefore = ''] =
    /^((?:\d{1,15}\.\d{1,15})?)~((?:\d{1,15}\.\d{1,15})?)$/.exec(before) ?? []
  const [sent, received] = await Promise.all([
    sentTo(read, contact, sentBefore),
    receivedFrom(read, contact, receivedBefore),
  ])
  // In whole seconds the upstream's times are early: what came at the same time came after.
  const newest = [...received, ...sent].sort((one, other) => other.at - one.at)
  const page = newest.slice(0, pageEntries)
  // A side without a message on this page goes on from its end: what is said meanwhile is not older.
  const end = `${page.at(-1)?.at}.${lastNumber}`
  const positionOf = (side: readonly Positioned[], from: string) =>
    page.findLast(entry => side.includes(entry))?.position ?? (from || end)
  const older = `${positionOf(sent, sentBefore)}~${positionOf(received, receivedBefore)}`
  return { page: page.reverse(), older: newest.length > page.length ? older : null }
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
async function sentTo(read: Reads, contact: Contact, cursor: string): Promise<Positioned[]> {
  const limit = pageEntries + 1
  const found: Positioned[] = []
  const { workspaceId } = contact
  for (const recipient of await addressesOf(read, contact)) {
    const step = await read.searchMessages({
      ...{ workspaceId, recipient, direction: 'older', limit, scan: limit },
      cursor: cursor === '' ? undefined : cursor,
    })
    step.messages.forEach((sent, at) => {
      found.push({ at: sent.createdAt, position: step.cursors[at] ?? '', sent })
    })
  }
  return found.sort((one, other) => other.at - one.at || numberOf(other.position) - numberOf(one.position))
}

/** `1767225600000.17` is the 17th. */
const numberOf = (position: string) => Number(position.split('.')[1])

async function receivedFrom(read: Reads, { id: contactId }: Contact, cursor: string): Promise<Positioned[]> {
  const [at, seq] = cursor.split('.').map(Number)
  const before = at === undefined || seq === undefined ? undefined : { at, seq }
  const entries = await read.inbound({ contactId, limit: pageEntries + 1, before })
  return entries.map(received => ({ at: received.at, position: `${received.at}.${received.seq}`, received }))
}
