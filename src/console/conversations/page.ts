import type { KnownMessage, RelatedEntry } from '../../../db/contract/inbound.ts'
import type { Contact, Message } from '../../../db/contract/records.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import { field, parseObject, text } from '../../base/json.ts'
import { failureWords } from '../../graph/failures.ts'
import { knownContent } from '../../inbound/named.ts'
import { saidAfter, saidOf } from '../../inbound/said.ts'
import { replyToOf } from '../../inbound/view.ts'
import { formFields, formFileIds, formFilesIn, formJsonOf } from '../../message/formFiles.ts'
import { isEcho } from '../../message/kinds.ts'
import { heardAt } from '../../message/saidAt.ts'
import { bothSides, type Place, type Positioned } from '../../reading/bothSides.ts'
import { seenOf, shownFile } from '../messages/seen.ts'
import { sendersOf } from '../messages/senders.ts'
import { wordsCharsMax } from '../messages/view.ts'
import { iso, isoOrNull } from '../shapes.ts'
import type { Entry } from './schemas.ts'

export type Reads = Pick<
  StoreReads,
  | 'file'
  | 'formerUserIds'
  | 'spellings'
  | 'searchMessages'
  | 'inbound'
  | 'inboundMessage'
  | 'keys'
  | 'authors'
  | 'batch'
  | 'messageContents'
  | 'messagesReferred'
  | 'sentFiles'
  | 'templatesNamed'
>

/** A page of both sides, oldest first. */
export async function conversationPage(read: Reads, contact: Contact, place?: Place) {
  const { page, older, newer } = await bothSides(read, contact, place)
  return { entries: await entriesOf(read, contact.workspaceId, page), older, newer }
}

/** @returns them as their conversation shows them: without what another one tells */
export async function entriesOf(read: Reads, workspaceId: string, page: readonly Positioned[]): Promise<Entry[]> {
  const answered = new Map<string, string>()
  const known = new Map<string, KnownMessage>()
  const sentEntries = await sentEntriesOf(
    read,
    workspaceId,
    page.flatMap(entry => ('sent' in entry ? [entry.sent] : [])),
    answered,
  )
  const entries: Entry[] = []
  for (const entry of page) {
    if ('sent' in entry) {
      const shown = sentEntries.get(entry.sent.id)
      if (shown) entries.push(shown)
      continue
    }
    // What it changes or deletes says so.
    if (entry.received.related.isTold) continue
    const received = await receivedEntry(read, workspaceId, entry.received)
    entries.push(received)
    const context = field(knownContent(entry.received), 'context')
    const replyTo = received.said?.type === 'reaction' ? null : replyToOf(context)?.channelMessageId
    if (replyTo) answered.set(received.id, replyTo)
    for (const named of entry.received.related.named.values()) known.set(named.channelMessageId, named)
  }
  const quotes = await quotesOf(read, workspaceId, entries, new Set(answered.values()), known)
  return entries.map(entry => ({ ...entry, quoted: quotes.get(answered.get(entry.id) ?? '') ?? null }))
}

/** The files that came with a form. Few messages have any. */
async function formFilesOf(read: Reads, workspaceId: string, { channelMessageId, content }: RelatedEntry) {
  const ids = formFileIds(workspaceId, channelMessageId)
  const files = formFilesIn(formFields(formJsonOf(content)))
  const found = await Promise.all(files.map((_, at) => read.file({ workspaceId, fileId: ids[at] ?? '' })))
  return found.filter(file => file !== null)
}

/** What the person said, or the business in the app, where what it names has the ids of this page. */
async function receivedEntry(read: Reads, workspaceId: string, entry: RelatedEntry): Promise<Entry> {
  const { channelMessageId: id, lineId, kind, file } = entry
  const { edited, deleted } = entry.related
  const said = saidOf({ kind, content: knownContent(entry) })
  const files = said.type === 'form' ? await formFilesOf(read, workspaceId, entry) : [file ?? []].flat()
  return {
    ...{ id, isOurs: isEcho(kind), at: iso(heardAt(entry)), lineId, channelMessageId: id, sent: null, quoted: null },
    said: { ...said, files: files.map(each => shownFile(each, said.type === 'document')) },
    number: isEcho(kind) ? null : Math.max(entry.seq, edited?.seq ?? 0),
    edited: edited && { at: iso(edited.at), text: saidAfter(edited) },
    deletedAt: deleted && iso(deleted.at),
  }
}

/**
 * @param answered gets what each of them answers: the channel's ids, by ours
 * @returns messages as their recipient sees them, by their ids
 */
export async function sentEntriesOf(
  read: Reads,
  workspaceId: string,
  messages: readonly Message[],
  answered = new Map<string, string>(),
): Promise<ReadonlyMap<string, Entry>> {
  const [contents, senderOf] = await Promise.all([
    read.messageContents(messages.map(({ id }) => id)),
    sendersOf(read, workspaceId, messages),
  ])
  const seen = await seenOf(read, workspaceId, messages, contents)
  const entries = new Map<string, Entry>()
  for (const message of messages) {
    const { id, createdAt, dueAt, lineId, channelMessageId, status, type, templateName, idempotencyKey } = message
    const payload = contents.get(id)
    const replyTo = payload === undefined ? null : text(field(parseObject(payload)?.context, 'message_id'))
    if (replyTo !== null) answered.set(id, replyTo)
    entries.set(id, {
      ...{ id, isOurs: true, at: iso(createdAt), lineId, channelMessageId, said: null, quoted: null },
      ...{ number: null, edited: null, deletedAt: null },
      sent: {
        ...{ status, type, templateName, idempotencyKey, by: senderOf(message), sendAt: isoOrNull(dueAt) },
        ...withWords(await seen(message)),
        failure: failureWords(message),
      },
    })
  }
  return entries
}

/** What its recipient sees of a message, with its first words. */
const withWords = ({ bubble, said }: Pick<Seen, 'bubble' | 'said'>) => ({
  ...{ bubble, said },
  words: (bubble?.draft.body.text ?? said?.text)?.slice(0, wordsCharsMax) || null,
})
type Seen = Awaited<ReturnType<Awaited<ReturnType<typeof seenOf>>>>

/**
 * The first words of what is answered, as it is now: from the same page, else from an earlier one.
 * @param known what the messages of the page name
 */
async function quotesOf(
  read: Reads,
  workspaceId: string,
  entries: readonly Entry[],
  ids: ReadonlySet<string>,
  known: ReadonlyMap<string, KnownMessage>,
) {
  const quotes = new Map<string, NonNullable<Entry['quoted']>>()
  for (const channelMessageId of ids) {
    const quoted: Quotable | undefined =
      entries.find(entry => entry.channelMessageId === channelMessageId) ??
      (await sentEarlier(read, workspaceId, channelMessageId)) ??
      (await writtenEarlier(read, workspaceId, known.get(channelMessageId)?.seq ?? null))
    const now = quoted?.edited?.text ?? quoted?.said?.text ?? null
    const words = quoted?.sent?.words ?? quoted?.sent?.templateName ?? now?.slice(0, wordsCharsMax) ?? null
    const isDeleted = quoted?.deletedAt != null
    const isOurs = quoted?.isOurs ?? null
    quotes.set(channelMessageId, { channelMessageId, isOurs, words: isDeleted ? null : words, isDeleted })
  }
  return quotes
}

/** What a quote shows of its message: not who wrote it, which all keys and the audit would be read for. */
type Quotable = Pick<Entry, 'isOurs' | 'said' | 'edited' | 'deletedAt'> & {
  readonly sent: Pick<NonNullable<Entry['sent']>, 'words' | 'templateName'> | null
}

async function sentEarlier(read: Reads, workspaceId: string, reference: string): Promise<Quotable | undefined> {
  const [message] = await read.messagesReferred({ reference, workspaceId })
  if (!message) return undefined
  const contents = await read.messageContents([message.id])
  const { words } = withWords(await (await seenOf(read, workspaceId, [message], contents))(message))
  const sent = { words, templateName: message.templateName }
  return { isOurs: true, said: null, edited: null, deletedAt: null, sent }
}

async function writtenEarlier(read: Reads, workspaceId: string, seq: number | null): Promise<Entry | undefined> {
  const message = seq === null ? null : await read.inboundMessage({ workspaceId, seq })
  return message ? receivedEntry(read, workspaceId, message) : undefined
}
