import { and, desc, eq, isNotNull, isNull, like, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { marketingKinds } from '../../src/message/kinds.ts'
import type { SearchedWord } from '../contract/queries.ts'
import type { Contact } from '../contract/records.ts'
import type { StoreReads } from '../contract/store.ts'
import type { Tables } from '../schema/tables.ts'
import { answers } from './answers.ts'
import { type Engine, first, prepared } from './engine.ts'
import { currentNames, formerNamesOf } from './formerNames.ts'
import { bareOf, isNamed, patternOf } from './meantBy.ts'
import { openedAt } from './opened.ts'

/** A bound for the flows of one contact, which others can create. Only shown to the operator. */
const shownFlowsMax = 1_000

/** As `hasUnread`, in words that match no index: PostgreSQL would read all who ever wrote, in place of a step. */
const isBehindRead = sql`coalesce(heard_seq - read_seq, 0) > 0`

export const isPhone = (address: string): boolean => address.startsWith('+')

type ContactReads = Pick<
  StoreReads,
  'contacts' | 'contactsAt' | 'formerUserIds' | 'spellings' | 'searchContacts' | 'updates' | 'flowSessions'
>

/** Contacts, and what is known of them beside their messages. */
export function contactReads(engine: Engine): ContactReads {
  const { db, isAnyOf, listed } = engine
  const { contacts, flowSessions, formerUserIds, numberSpellings, upstreamUpdates } = engine.tables
  const { contactColumns } = engine.columns
  const { isLastUnread } = answers(engine)
  const isOfWorkspace = (workspaceId: string) => and(eq(contacts.workspaceId, workspaceId), isNull(contacts.mergedInto))

  // One read for each column: with OR, SQLite would walk through all contacts of the workspace.
  const having = (column: typeof contacts.phone | typeof contacts.userId) =>
    prepared(() =>
      db
        .select(contactColumns)
        .from(contacts)
        .where(
          and(eq(contacts.workspaceId, sql.placeholder('workspaceId')), isAnyOf(column, sql.placeholder('wanted'))),
        ),
    )
  const [havingPhone, havingUserId] = [having(contacts.phone), having(contacts.userId)]
  const [currentNumbers, currentUserIds] = [currentNames(engine, numberSpellings), currentNames(engine, formerUserIds)]

  async function contactsAt({ workspaceId, addresses }: Parameters<ContactReads['contactsAt']>[0]) {
    const found = new Map<string, Contact>()
    const find = async (those: typeof havingPhone, wanted: readonly string[]) => {
      const rows = wanted.length === 0 ? [] : await those({ workspaceId, wanted: listed(wanted) })
      for (const row of rows) for (const address of [row.phone, row.userId]) if (address) found.set(address, row)
    }
    const [phones, userIds] = [addresses.filter(isPhone), addresses.filter(address => !isPhone(address))]
    await find(havingPhone, phones)
    const unknown = phones.filter(phone => !found.has(phone))
    const spelt = await currentNumbers(workspaceId, unknown)
    await find(havingPhone, [...spelt.values()])
    const current = await currentUserIds(workspaceId, userIds)
    await find(havingUserId, [...userIds, ...current.values()])
    for (const [former, name] of [...spelt, ...current]) {
      const contact = found.get(name)
      if (contact) found.set(former, contact)
    }
    return found
  }

  return {
    contacts: async ({ workspaceId, limit }) =>
      await db
        .select(contactColumns)
        .from(contacts)
        .where(isOfWorkspace(workspaceId))
        .orderBy(desc(contacts.workspaceId), desc(contacts.id))
        .limit(limit),

    contactsAt,

    formerUserIds: ({ workspaceId, userId }) => formerNamesOf(engine, formerUserIds, { workspaceId, name: userId }),

    async spellings({ workspaceId, number }) {
      const current = await currentNumbers(workspaceId, [number])
      const name = current.get(number) ?? number
      return [name, ...(await formerNamesOf(engine, numberSpellings, { workspaceId, name }))]
    },

    /**
     * Like the search for messages: a step looks at a bounded number of contacts of the workspace, the newest first.
     */
    async searchContacts({ workspaceId, phone, userId, words, isAny, isByHeard, cursor, limit, scan, ...only }) {
      if (phone !== undefined || userId !== undefined) {
        const found = await contactsAt({ workspaceId, addresses: [phone ?? userId ?? ''] })
        return { contacts: [...found.values()].slice(0, 1), next: null }
      }
      const meant = meantContacts(engine.tables, words, isAny)
      const isAsked = and(
        only.noMarketing ? wantsNoMarketing(engine.tables) : undefined,
        only.isUnread ? and(isBehindRead, isLastUnread(workspaceId)) : undefined,
        only.opened && sql`${openedAt(engine, only.opened)} > ${only.opened.since}`,
      )
      const size = meant === null && !isAsked ? Math.min(limit + 1, scan) : scan
      const place = isByHeard ? contacts.heardSeq : contacts.id
      const step = and(
        eq(contacts.workspaceId, workspaceId),
        isByHeard ? isNotNull(place) : undefined,
        cursor === undefined ? undefined : sql`${place} < ${isByHeard ? Number(cursor) : cursor}`,
      )
      const order = [desc(contacts.workspaceId), desc(place)]
      const end = await first(
        db
          .select({ place })
          .from(contacts)
          .where(step)
          .orderBy(...order)
          .limit(1)
          .offset(size - 1),
      )
      const rows = await db
        .select({ ...contactColumns, place, mergedInto: contacts.mergedInto, ...meant?.columns })
        .from(contacts)
        .where(and(step, end === null ? undefined : sql`${place} >= ${end.place}`, meant?.condition, isAsked))
        .orderBy(...order)
      const found = rows.filter(row => row.mergedInto === null && (meant === null || meant.isIt(row)))
      const page = found.slice(0, limit)
      const last = found.length > limit ? page.at(-1) : end
      return {
        contacts: page.map(({ place: _, mergedInto: __, withDigits: ___, ...contact }) => contact),
        next: last ? String(last.place) : null,
      }
    },

    async updates(subject) {
      const rows = await db
        .select()
        .from(upstreamUpdates)
        .where(eq(upstreamUpdates.subject, subject))
        .orderBy(desc(upstreamUpdates.at))
      return rows.map(({ kind, at, detail }) => ({ kind, at, detail: JSON.parse(detail) }))
    },

    flowSessions: async contactId =>
      await db
        .select()
        .from(flowSessions)
        .where(eq(flowSessions.contactId, contactId))
        .orderBy(desc(flowSessions.openedAt), desc(flowSessions.messageId))
        .limit(shownFlowsMax),
  }
}

/** Whether an update of a contact says that it wants no marketing, in a statement on `upstream_updates`. */
export const wantsNone = `upstream_updates.kind IN (${marketingKinds.map(kind => `'${kind}'`).join(', ')})
    AND upstream_updates.detail LIKE '%"value":"stop"%'`

/** Whether a contact has asked for no marketing: one look at an index. */
export const wantsNoMarketing = ({ contacts, upstreamUpdates }: Pick<Tables, 'contacts' | 'upstreamUpdates'>) =>
  sql`(SELECT count(*) FROM ${upstreamUpdates}
    WHERE ${upstreamUpdates.subject} = ${contacts.id} AND ${sql.raw(wantsNone)}) > 0`

/** Which contacts somebody means. */
interface Meant {
  /** At least those: SQLite knows upper case of ASCII only, and a server other letters, as its locale says. */
  readonly condition: SQL | undefined
  /** What is selected beside the contact, to find those among them: of each word, whether the number has it. */
  readonly columns: { readonly withDigits: SQL<unknown> }
  isIt(contact: Pick<Contact, 'name' | 'username'> & { readonly withDigits?: unknown }): boolean
}

/** Who has a word as a part of the name or the username: at least those, as `Meant` says. */
export function isNamedBy({ name, username }: Tables['contacts'], word: SearchedWord): SQL[] {
  const has = (column: SQLWrapper, words: string) => sql`lower(${column}) LIKE ${patternOf(words)} ESCAPE '\\'`
  return [has(name, word.words), has(username, bareOf(word))]
}

/** @returns whom each of the words means, or one of them; null when there are none: all are meant */
export function meantContacts(
  { contacts, numberSpellings }: Pick<Tables, 'contacts' | 'numberSpellings'>,
  words: readonly SearchedWord[] = [],
  isAny = false,
): Meant | null {
  if (words.length === 0) return null
  const { workspaceId, current, former } = numberSpellings
  // Counted: what only has to be there, PostgreSQL gathers from the whole table.
  const hasDigits = ({ digits }: SearchedWord) =>
    digits === null
      ? undefined
      : sql`(${like(contacts.phone, `%${digits}%`)} OR (SELECT count(*) FROM ${numberSpellings}
          WHERE ${workspaceId} = ${contacts.workspaceId} AND ${current} = ${contacts.phone}
            AND ${like(former, `%${digits}%`)}) > 0)`
  const conditions = words.map(word => or(...isNamedBy(contacts, word), hasDigits(word)))
  const digit = (word: SearchedWord) => sql`CASE WHEN ${hasDigits(word) ?? sql`1 = 0`} THEN '1' ELSE '0' END`
  return {
    condition: isAny ? or(...conditions) : and(...conditions),
    columns: { withDigits: sql.join(words.map(digit), sql` || `) },
    isIt: contact =>
      words[isAny ? 'some' : 'every']((word, at) => isNamed(contact, word) || String(contact.withDigits)[at] === '1'),
  }
}
