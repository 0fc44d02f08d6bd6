import type { Contact, InboundEntry, Message } from '../../../db/records.ts'
import type { StoreReads } from '../../../db/store.ts'
import { failureWords } from '../../graph/failures.ts'
import { saidOf } from '../../inbound/said.ts'
import { replyToOf } from '../../inbound/view.ts'
import { isEcho } from '../../message/echo.ts'
import { field } from '../../text/json.ts'
import { bubblesOf } from '../messages/bubbles.ts'
import { wordsCharsMax } from '../messages/view.ts'
import { iso } from '../shapes.ts'
import { shownMedia } from './media.ts'
import type { Entry } from './schemas.ts'

/** Two screens of a desktop. */
const pageEntries = 40
/** Above the number of any message. */
const lastNumber = 999_999_999_999_999

export type Reads = Pick<
  StoreReads,
  'searchMessages' | 'inbound' | 'messageContents' | 'messagesReferred' | 'templatesNamed'
>

/** A message of one side with its place there: the next page begins before it. */
type Placed = { readonly at: number; readonly place: string } & (
  | { readonly sent: Message }
  | { readonly received: InboundEntry }
)

/**
 * A page of both sides in the order of time, oldest first. Each side has its place in the cursor, and goes on from
 * there: so no page loses or repeats a message, also of those of one millisecond.
 * @param before the `older` of the page after it
 */
export async function conversationPage(read: Reads, contact: Contact, before = '') {
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
  const placeOf = (side: readonly Placed[], from: string) =>
    page.findLast(entry => side.includes(entry))?.place ?? (from || end)
  const older = `${placeOf(sent, sentBefore)}~${placeOf(received, receivedBefore)}`
  return {
    entries: await entriesOf(read, contact.workspaceId, page.reverse()),
    older: newest.length > page.length ? older : null,
  }
}

/** The messages to the number and to the user id of a contact: all have one order, so one place is enough for both. */
async function sentTo(read: Reads, { workspaceId, phone, userId }: Contact, cursor: string): Promise<Placed[]> {
  const limit = pageEntries + 1
  const found: Placed[] = []
  for (const recipient of [phone, userId]) {
    if (recipient === null) continue
    const step = await read.searchMessages({
      ...{ workspaceId, recipient, direction: 'older', limit, scan: limit },
      cursor: cursor === '' ? undefined : cursor,
    })
    step.messages.forEach((sent, at) => {
      found.push({ at: sent.createdAt, place: step.cursors[at] ?? '', sent })
    })
  }
  return found.sort((one, other) => other.at - one.at || numberOf(other.place) - numberOf(one.place))
}

/** `1767225600000.17` is the 17th. */
const numberOf = (place: string) => Number(place.split('.')[1])

async function receivedFrom(read: Reads, { id: contactId }: Contact, cursor: string): Promise<Placed[]> {
  const [at, seq] = cursor.split('.').map(Number)
  const before = at === undefined || seq === undefined ? undefined : { at, seq }
  const entries = await read.inbound({ contactId, limit: pageEntries + 1, before })
  return entries.map(received => ({ at: received.at, place: `${received.at}.${received.seq}`, received }))
}

async function entriesOf(read: Reads, workspaceId: string, page: readonly Placed[]): Promise<Entry[]> {
  const sentEntries = await sentEntriesOf(
    read,
    page.flatMap(entry => ('sent' in entry ? [entry.sent] : [])),
  )
  const entries: Entry[] = []
  const answered = new Map<string, string>()
  for (const entry of page) {
    if ('sent' in entry) {
      const shown = sentEntries.get(entry.sent.id)
      if (shown) entries.push(shown)
      continue
    }
    const { channelMessageId: id, at, kind, content, file } = entry.received
    const said = saidOf(entry.received)
    const shared = { id, isOurs: isEcho(kind), at: iso(at), channelMessageId: id, sent: null, quoted: null }
    entries.push({ ...shared, said: { ...said, media: file && shownMedia(file, said.type === 'document') } })
    const replyTo = said.type === 'reaction' ? null : replyToOf(field(content, 'context'))?.channelMessageId
    if (replyTo) answered.set(id, replyTo)
  }
  const quotes = await quotesOf(read, workspaceId, entries, new Set(answered.values()))
  return entries.map(entry => ({ ...entry, quoted: quotes.get(answered.get(entry.id) ?? '') ?? null }))
}

/** @returns messages as their recipient sees them, by their ids */
export async function sentEntriesOf(read: Reads, messages: readonly Message[]): Promise<ReadonlyMap<string, Entry>> {
  const contents = await read.messageContents(messages.map(({ id }) => id))
  const bubbleFor = bubblesOf(read)
  const entries = new Map<string, Entry>()
  for (const message of messages) {
    const { id, createdAt, channelMessageId, status, type, templateName } = message
    const payload = contents.get(id)
    const bubble = payload === undefined ? null : (await bubbleFor(message, payload)).bubble
    entries.set(id, {
      ...{ id, isOurs: true, at: iso(createdAt), channelMessageId, said: null, quoted: null },
      sent: {
        ...{ status, type, templateName, bubble },
        words: bubble?.draft.body.text.slice(0, wordsCharsMax) || null,
        failure: failureWords(message),
      },
    })
  }
  return entries
}

/** The first words of what is answered: from the same page, else one of ours, which has an index of its own. */
async function quotesOf(read: Reads, workspaceId: string, entries: readonly Entry[], ids: ReadonlySet<string>) {
  const quotes = new Map<string, NonNullable<Entry['quoted']>>()
  for (const channelMessageId of ids) {
    const quoted =
      entries.find(entry => entry.channelMessageId === channelMessageId) ??
      (await sentEarlier(read, workspaceId, channelMessageId))
    const words = quoted?.sent?.words ?? quoted?.sent?.templateName ?? quoted?.said?.text?.slice(0, wordsCharsMax)
    quotes.set(channelMessageId, { channelMessageId, isOurs: quoted?.isOurs ?? null, words: words ?? null })
  }
  return quotes
}

async function sentEarlier(read: Reads, workspaceId: string, reference: string): Promise<Entry | undefined> {
  const [message] = await read.messagesReferred({ reference, workspaceId })
  return message && (await sentEntriesOf(read, [message])).get(message.id)
}
