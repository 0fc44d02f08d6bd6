import type { ContactSearch, MeantBy, SearchedWord } from '../../db/contract/queries.ts'
import type { Contact, Template } from '../../db/contract/records.ts'
import { isNamed } from '../../db/rules/meantBy.ts'
import { caseless } from '../base/chars.ts'
import { isObject, isText, parseJson } from '../base/json.ts'
import { readPhone } from '../base/phone.ts'
import { addressesOf, numbersOf } from './bothSides.ts'
import { type Filter, type Found, type MessageList, type Searcher, type Walked, walk } from './messages.ts'
import { searchedWords } from './searchedWords.ts'

/*
 * A search for words goes two ways at once. The messages to people who have some of them as name or number are found
 * along the index of the recipients, however old they are. All other messages of the workspace are looked at one after
 * the other, the newest first: whether they have the words, or are of a template that has them. Both give their newest,
 * and the cursor has the position of each.
 */

/** Contacts that are looked at by name, the newest first, in steps of some two milliseconds. */
const contactsMax = 10_000
const stepContacts = 1_000
/** Their messages are one read each. */
const peopleMax = 10
/** Messages to one person that one step reads, for filters that fit few of them. */
const personScan = 500

/**
 * Finds what somebody may mean by a text.
 * @param query `inText`: not by the name and number alone; `cursor` is the `older` of the page before
 */
export async function findMeant(
  searcher: Searcher,
  query: {
    readonly filter: Filter
    readonly written: string
    readonly inText?: boolean
    readonly cursor: string | undefined
    readonly limit: number
  },
): Promise<MessageList> {
  const { filter, written, inText = false, cursor, limit } = query
  const { contactIds, ...positions } = positionsOf(cursor)
  const people =
    contactIds === null
      ? await findPeople(searcher, filter.workspaceId, searchedWords(written), inText)
      : await contactsOf(searcher, filter.workspaceId, contactIds)
  const words = searchedWords(written)
  const meant = await meantBy(
    searcher,
    filter.workspaceId,
    inText && words.length === 1 ? ofText(words) : words,
    people,
  )
  const toPeople = await walkIfLeft(positions.people, from => walkPeople(searcher, filter, meant, from, limit))
  const others = await walkIfLeft(positions.others, from =>
    walk(
      searcher,
      { filter: { ...filter, meant }, direction: 'older', cursor: from, limit },
      ({ recipient }) => !meant.some(({ recipients }) => recipients.has(recipient)),
    ),
  )
  const page = new Set(newestOf(toPeople.found, others.found).slice(0, limit))
  const left = {
    people: positionAfter(toPeople, page, positions.people),
    others: positionAfter(others, page, positions.others),
  }
  return {
    messages: [...page].map(({ message }) => message),
    older:
      left.people === end && left.others === end
        ? null
        : [left.people, left.others, people.map(({ id }) => id).join()].join('~'),
    newer: null,
    searchedTo: page.size < limit && others.next !== null ? others.reachedAt : null,
  }
}

/** The position of a way in a cursor: empty at its beginning. */
const end = '-'

/** The people of a cursor are those of the first page: else a new contact would shift what is shown. */
function positionsOf(cursor: string | undefined) {
  const [, people = '', others = '', ids = null] = /^([\w.-]*)~([\w.-]*)~([\w,]*)$/.exec(cursor ?? '') ?? []
  return { people, others, contactIds: ids === null ? null : ids.split(',', peopleMax).filter(id => id !== '') }
}

const nothing: Walked = { found: [], next: null, reachedAt: null }
const walkIfLeft = async (position: string, walkFrom: (cursor: string | undefined) => Promise<Walked>) =>
  position === end ? nothing : walkFrom(position === '' ? undefined : position)

/** Of two ways, each in its own order, which its position counts on: what is open lies in that of the ids. */
function newestOf(one: readonly Found[], other: readonly Found[]): Found[] {
  const merged: Found[] = []
  let at = 0
  for (const found of one) {
    for (let next = other[at]; next && next.message.createdAt > found.message.createdAt; next = other[at]) {
      merged.push(next)
      at += 1
    }
    merged.push(found)
  }
  return [...merged, ...other.slice(at)]
}

/** Behind what is shown of a way. */
function positionAfter({ found, next }: Walked, page: ReadonlySet<Found>, before: string): string {
  const shown = found.filter(one => page.has(one))
  if (shown.length === found.length) return next ?? end
  return shown.at(-1)?.cursor ?? before
}

/** All messages that a text may mean, for an export. */
export const exportFilter = async (searcher: Searcher, filter: Filter, written: string): Promise<Filter> => {
  const words = searchedWords(written)
  const people = await findPeople(searcher, filter.workspaceId, words)
  return { ...filter, meant: await meantBy(searcher, filter.workspaceId, words, people) }
}

/** Finds what was sent to a contact by words in its text, beside those in name and number of the contact. */
export async function findTextsTo(
  searcher: Searcher,
  contact: Contact,
  query: { readonly written: string; readonly cursor: string | undefined; readonly limit: number },
): Promise<Walked> {
  const { workspaceId } = contact
  const { written, ...page } = query
  const words = searchedWords(written)
  const addresses = await addressesOf(searcher.read, contact)
  const others = words.filter(word => !isOf(contact, addresses, word))
  const meant = await meantBy(searcher, workspaceId, ofText(others.length === 0 ? words : others), [])
  const walks: Walked[] = []
  for (const recipient of addresses)
    walks.push(await walk(searcher, { filter: { workspaceId, recipient, meant }, direction: 'older', ...page }))
  return together(walks, page.limit)
}

/** The number of a person says nothing of a text. */
const ofText = (words: readonly SearchedWord[]) => words.map(word => ({ ...word, digits: null }))

/** What each word may be: words, a part of a number, people, and the templates that have it. */
async function meantBy(
  { read }: Searcher,
  workspaceId: string,
  words: readonly SearchedWord[],
  people: readonly Contact[],
) {
  const templates = await read.templates({ workspaceId, approved: false })
  const named = await Promise.all(people.map(async person => ({ person, addresses: await addressesOf(read, person) })))
  return Promise.all(
    words.map(async (word): Promise<MeantBy> => {
      const phone = readPhone(word.words)
      const recipients = new Set(
        word.digits !== null && phone.ok ? await numbersOf(read, workspaceId, phone.number) : [],
      )
      for (const { person, addresses } of named)
        if (isOf(person, addresses, word)) for (const address of addresses) recipients.add(address)
      return { ...word, recipients, templates: templatesWith(templates, caseless(word.words)) }
    }),
  )
}

/** Whether a word is a part of the name or of an address of a person. */
const isOf = (person: Contact, addresses: readonly string[], word: SearchedWord) =>
  isNamed(person, word) || addresses.some(address => address.includes(word.digits ?? ' '))

function templatesWith(templates: readonly Template[], words: string): ReadonlyMap<string, ReadonlySet<string> | null> {
  const found = new Map<string, Set<string> | null>()
  for (const template of templates) {
    const { name, language } = template
    if (name.includes(words)) found.set(name, null)
    else if (saysOf(template, words) && found.get(name) !== null) {
      found.set(name, new Set([...(found.get(name) ?? []), language]))
    }
  }
  return found
}

/** Most templates are not parsed. */
const saysOf = ({ components }: Template, words: string) =>
  caseless(components).includes(JSON.stringify(words).slice(1, -1)) && saysPart(parseJson(components), words)

/** Whether a part of a template has the words in a text; its examples are none. */
function saysPart(part: unknown, words: string): boolean {
  if (Array.isArray(part)) return part.some(one => saysPart(one, words))
  if (!isObject(part)) return false
  return Object.entries(part).some(([name, value]) => {
    if (name === 'example') return false
    return isText(value) ? name === 'text' && caseless(value).includes(words) : saysPart(value, words)
  })
}

/**
 * Who has all of the words, then who has some: what was sent to them may have the others. However late it is: the
 * cursor keeps these people, so that one who is missed now would be missing on each page.
 */
async function findPeople(
  searcher: Searcher,
  workspaceId: string,
  words: readonly SearchedWord[],
  inText = false,
): Promise<Contact[]> {
  const isOne = words.length === 1
  const all = isOne && inText ? [] : await peopleWith(searcher, { workspaceId, words })
  const ids = new Set(all.map(({ id }) => id))
  const some = isOne ? [] : await peopleWith(searcher, { workspaceId, words, isAny: true })
  const others = some.filter(({ id }) => !ids.has(id))
  return (inText ? others : [...all, ...others]).slice(0, peopleMax)
}

async function peopleWith(
  { read, turn }: Searcher,
  search: Pick<ContactSearch, 'workspaceId' | 'words' | 'isAny'>,
): Promise<Contact[]> {
  const found: Contact[] = []
  let cursor: string | undefined
  for (let scanned = 0; scanned < contactsMax && found.length < peopleMax; scanned += stepContacts) {
    await turn()
    const step = { cursor, limit: peopleMax - found.length, scan: stepContacts }
    const { contacts, next } = await read.searchContacts({ ...search, ...step })
    found.push(...contacts)
    if (next === null) break
    cursor = next
  }
  return found
}

async function contactsOf({ read }: Searcher, workspaceId: string, ids: readonly string[]): Promise<Contact[]> {
  const contacts = await Promise.all(ids.map(contactId => read.contact({ workspaceId, contactId })))
  return contacts.filter(contact => contact !== null)
}

/**
 * The messages to some addresses together, which have the words that the person has not. All have one position, since
 * all are read in the order of time.
 */
async function walkPeople(
  { read, turn }: Searcher,
  filter: Filter,
  meant: readonly MeantBy[],
  cursor: string | undefined,
  limit: number,
): Promise<Walked> {
  const walks: Walked[] = []
  for (const recipient of new Set(meant.flatMap(({ recipients }) => [...recipients]))) {
    await turn()
    const others = meant.filter(({ recipients }) => !recipients.has(recipient))
    const left = others.length === 0 ? filter : { ...filter, meant: others }
    const search = { ...left, recipient, direction: 'older', cursor, limit, scan: personScan } as const
    const { messages, cursors, next } = await read.searchMessages(search)
    walks.push({
      found: messages.map((message, at) => ({ message, cursor: cursors[at] ?? '' })),
      next,
      reachedAt: null,
    })
  }
  return together(walks, limit)
}

/** Walks from one position, each in the order of time. */
function together(walks: readonly Walked[], limit: number): Walked {
  // Behind the newest end, messages of that walk may be missing.
  const newest = walks.flatMap(({ next }) => next ?? []).sort(byPosition)[0]
  const found = walks.flatMap(walked => walked.found).sort((one, two) => byPosition(one.cursor, two.cursor))
  const known = newest === undefined ? found : found.filter(one => byPosition(one.cursor, newest) <= 0)
  const page = known.slice(0, limit)
  const next = known.length > limit ? (page.at(-1)?.cursor ?? null) : (newest ?? null)
  return { found: page, next, reachedAt: null }
}

/** Newest first: `1767225600000.17`. */
function byPosition(one: string, two: string): number {
  const [at = 0, seq = 0] = one.split('.').map(Number)
  const [otherAt = 0, otherSeq = 0] = two.split('.').map(Number)
  return otherAt - at || otherSeq - seq
}
