import type { InboundMessage } from '../../../db/contract/inbound.ts'
import type { SearchedWord } from '../../../db/contract/queries.ts'
import type { Contact } from '../../../db/contract/records.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import { hasWords, isNamed } from '../../../db/rules/meantBy.ts'
import { caseless } from '../../base/chars.ts'
import { knownContent } from '../../inbound/named.ts'
import { saidAfter, saidOf } from '../../inbound/said.ts'
import { type Searcher, searcherOf } from '../../reading/messages.ts'
import { searchedWords } from '../../reading/searchedWords.ts'
import { inSteps } from '../../reading/steps.ts'
import { findMeant, findTextsTo } from '../../reading/text.ts'
import type { ConsoleParts } from '../parts.ts'
import { iso, isoOrNull } from '../shapes.ts'
import { entriesOf } from './page.ts'
import type { Entry } from './schemas.ts'

interface Query {
  readonly workspaceId: string
  /** Null: in all conversations. */
  readonly contact: Contact | null
  readonly written: string
  /** The `next` of the page before. */
  readonly cursor: string | undefined
  readonly limit: number
}

/** A page has what is found of each side until then. */
const sideMs = 60
/** What the cursor has of a side of which all was looked at. */
const end = '-'
/** What is shown of a text before the word in it, and in all. */
const [leadChars, hitCharsMax] = [30, 160]

/** Whose conversation it is. */
type Person = Pick<Contact, 'id' | 'phone' | 'userId' | 'name' | 'username'>

/**
 * Finds what was written in conversations by the words of it, some of which may be the name or number of the person: of
 * each side the newest, as far as it was looked through. Nothing that was deleted is found, and what was edited by the
 * words that it has now.
 */
export async function findHits({ clock, store: { read } }: ConsoleParts, turn: () => Promise<void>, query: Query) {
  const { workspaceId, written, cursor = '!' } = query
  const words = searchedWords(written)
  if (words.length === 0) return { hits: [], next: null, searchedTo: null }
  const [sentFrom, receivedFrom = ''] = cursor.split('!')
  // One after the other: reads that wait for each other have pauses between them.
  const searcher = () => searcherOf(read, clock, turn, sideMs)
  const sent = sentFrom === end ? nothing : await findSent(searcher(), query, sentFrom || undefined)
  const received = receivedFrom === end ? nothing : await findReceived(searcher(), query, numberIn(receivedFrom))
  const addresses = sent.rows.map(({ recipient }) => recipient)
  const owners = query.contact ? null : await read.contactsAt({ workspaceId, addresses })
  const people = new Map<string, Person | null | undefined>([
    ...received.rows.map(
      row => [row.channelMessageId, row.contactId === null ? null : { ...row, id: row.contactId }] as const,
    ),
    ...sent.rows.map(({ id, recipient }) => [id, query.contact ?? owners?.get(recipient)] as const),
  ])
  const entries = await entriesOf(read, workspaceId, [
    ...sent.rows.map(row => ({ at: row.createdAt, position: '', sent: row })),
    ...received.rows.map(row => ({ at: row.at, position: '', received: row })),
  ])
  // By the clock by which a conversation is gone to.
  const times = new Map(received.rows.map(({ channelMessageId, at }) => [channelMessageId, iso(at)]))
  const hits = entries.flatMap(entry => {
    const { id, isOurs } = entry
    const at = times.get(id) ?? entry.at
    const person = people.get(id)
    const text = person && textWith(entry, words, person)
    if (!text) return []
    const { id: contactId, phone, userId, name, username } = person
    return [{ contact: { id: contactId, phone, userId, name, username }, id, at, isOurs, words: text }]
  })
  const next = [sent.next ?? end, received.next ?? end].join('!')
  return {
    hits: hits.sort((one, other) => Date.parse(other.at) - Date.parse(one.at)),
    next: next === `${end}!${end}` ? null : next,
    searchedTo: isoOrNull(Math.max(sent.reachedAt ?? 0, received.reachedAt ?? 0) || null),
  }
}

const nothing = { rows: [], next: null, reachedAt: null }

/** @returns undefined for the beginning, and for what is no number of a message: it comes from an address */
const numberIn = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)

async function findSent(searcher: Searcher, { workspaceId, contact, ...page }: Query, cursor: string | undefined) {
  if (contact === null) {
    const query = { ...page, filter: { workspaceId }, inText: true, cursor }
    const { messages, older, searchedTo } = await findMeant(searcher, query)
    return {
      rows: messages,
      next: older,
      reachedAt: older === null ? null : (searchedTo ?? messages.at(-1)?.createdAt ?? null),
    }
  }
  const { found, next } = await findTextsTo(searcher, contact, { ...page, cursor })
  const reachedAt = next === null ? null : Number(next.split('.')[0])
  return { rows: found.map(({ message }) => message), next, reachedAt }
}

async function findReceived(
  { read, turn, isLate }: Omit<Searcher, 'read'> & { readonly read: StoreReads },
  { workspaceId, contact, written, limit }: Query,
  cursor: number | undefined,
) {
  const words = searchedWords(written)
  const search = { workspaceId, contactId: contact?.id, words }
  let reachedAt: number | null = null
  const { rows, next } = await inSteps<InboundMessage, number>(
    turn,
    { cursor, limit },
    async step => {
      const found = await read.searchInbound({ ...search, ...step })
      reachedAt = found.reachedAt
      const told = await Promise.all(found.messages.map(row => toldBy(read, workspaceId, row)))
      return { rows: told.filter(row => isSaid(row, words)), next: found.next }
    },
    isLate,
  )
  // Several edits are told by one message.
  return { rows: [...new Map(rows.map(row => [row.seq, row])).values()], next, reachedAt: reachedAt as number | null }
}

/** @returns the message that an edit changed, which shows its words; else the message itself */
async function toldBy(read: StoreReads, workspaceId: string, message: InboundMessage): Promise<InboundMessage> {
  if (!message.related.isTold) return message
  const { about } = saidOf({ kind: message.kind, content: knownContent(message) })
  const named = [...message.related.named.values()].find(({ channelMessageId }) => channelMessageId === about)
  return (named?.seq && (await read.inboundMessage({ workspaceId, seq: named.seq }))) || message
}

/** Whether it says one of the words: its kind and its ids may have them too, and would fill pages with no hits. */
function isSaid(message: InboundMessage, words: readonly SearchedWord[]): boolean {
  const { kind, related } = message
  const { edited, deleted, isTold } = related
  if (isTold || deleted !== null) return false
  const said = { ...saidOf({ kind, content: knownContent(message) }), files: [] }
  const texts = textsOf({ sent: null, said, edited: edited && { at: '', text: saidAfter(edited) }, deletedAt: null })
  return words.some(word => texts.some(text => hasWords(text, word.words)))
}

/** @returns a part of a text with one of the words, where the others are in a text too, or are who it is */
function textWith(entry: Entry, words: readonly SearchedWord[], person: Person): string | null {
  const texts = textsOf(entry)
  const found = words.flatMap(word => {
    const text = texts.find(text => hasWords(text, word.words))
    return text === undefined ? [] : [{ word, text }]
  })
  const isWho = (word: SearchedWord) => isNamed(person, word) || person.phone?.includes(word.digits ?? ' ')
  const [first] = found
  if (!first || !words.every(word => found.some(one => one.word === word) || isWho(word))) return null
  const from = Math.max(0, caseless(first.text).indexOf(caseless(first.word.words)) - leadChars)
  // No sign of two units is cut in half.
  const part = first.text.slice(from, from + hitCharsMax).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return `${from > 0 ? '…' : ''}${part}`
}

/** What the page shows of a message, without a click. */
function textsOf({ sent, said, edited, deletedAt }: Pick<Entry, 'sent' | 'said' | 'edited' | 'deletedAt'>): string[] {
  const shown = said ?? sent?.said ?? null
  if (deletedAt !== null || shown?.type === 'reaction') return []
  const draft = sent?.bubble?.draft
  const texts = draft
    ? [draft.header.kind === 'text' ? draft.header.text : null, draft.body.text, draft.footer]
    : [edited?.text ?? shown?.text, ...(shown?.facts ?? []).flatMap(({ name, value }) => [name, value])]
  return texts.flatMap(text => text || [])
}
