import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  gte,
  isNotNull,
  lt,
  lte,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import { sentAt } from '../../src/message/saidAt.ts'
import { isCancelled, isScheduled } from '../../src/message/statuses.ts'
import {
  answerScan,
  type Conversation,
  type ConversationReads,
  type ConversationState,
  type Sorted,
} from '../contract/conversations.ts'
import { eventAbout } from '../contract/events.ts'
import { type Related, unrelated } from '../contract/inbound.ts'
import type { Message } from '../contract/records.ts'
import type { StoreWrites } from '../contract/store.ts'
import { isChange, lastWord } from '../schema/contacts.ts'
import { statusText } from '../schema/statuses.ts'
import { answers, hasUnread, isTrue } from './answers.ts'
import { meantContacts, wantsNoMarketing } from './contactReads.ts'
import { type Engine, first } from './engine.ts'
import { fileColumnsOf } from './files.ts'
import type { NamesTable } from './formerNames.ts'
import { openedAt } from './opened.ts'
import { relations, shownBy } from './relations.ts'

/** Of a contact without a conversation. */
export const notHeard = { heardSeq: null, spokenSeq: 0, readSeq: 0, unreadAt: null, doneSeq: 0, takenBy: null } as const

const isOpen = sql`heard_seq > done_seq`

/** Which conversations there are, and what they hold of the person's side. */
export function conversationReads(engine: Engine): ConversationReads {
  const { db, tables, columns, conditions, isAnyOf } = engine
  const { apiKeys, contacts, formerUserIds, inboundFiles, inboundMessages, lines, messages, numberSpellings, users } =
    tables
  const { channelMessageId, contactId, lineId, kind, at, recordedAt, content, seq, workspaceId } = inboundMessages
  const { relatedTo } = relations(engine)
  const { isAnswer, isLastUnread, lastHeard, unread, unreadFrom } = answers(engine)
  const entryColumns = { channelMessageId, lineId, kind, at, recordedAt, content, seq: sql<number>`${seq}` }
  const { heardSeq, takenBy } = contacts

  /** Written out as the partial indexes have it. */
  const isInState = (state: ConversationState | undefined): SQL => {
    if (state === undefined) return isNotNull(heardSeq)
    if (state === 'open') return isOpen
    if (state === 'free') return sql`heard_seq > done_seq AND taken_by IS NULL`
    return state === 'done' ? sql`heard_seq <= done_seq` : eq(takenBy, state.takenBy)
  }
  const isIn = (workspaceId: string, is: SQL) => and(eq(contacts.workspaceId, workspaceId), is)
  const lastSeq = sql<number>`${lastWord}`.mapWith(Number)
  /**
   * Messages are pruned in the order of their numbers: where nothing was said since the oldest, there is no
   * conversation. Where nobody's words are kept, there are those in which a member has the last word.
   */
  const isKept = (workspaceId: string) => {
    const oldest = sql`(SELECT min(seq) FROM ${inboundMessages} WHERE ${eq(inboundMessages.workspaceId, workspaceId)})`
    return sql`${lastWord} >= coalesce(${oldest}, 0) AND (spoken_seq >= heard_seq OR ${oldest} IS NOT NULL)`
  }

  const entries = (condition: SQL | undefined) =>
    db
      .select({ ...entryColumns, contactId, workspaceId, file: fileColumnsOf(inboundFiles) })
      .from(inboundMessages)
      .leftJoin(inboundFiles, eq(inboundFiles.id, inboundMessages.fileId))
      .where(condition)

  type EntryRow = Awaited<ReturnType<typeof entries>>[number]
  const entryOf = ({ contactId: _, workspaceId: __, ...row }: EntryRow, related: Related) => ({
    ...row,
    ...{ seq: Number(row.seq), ...shownBy(related, row.content, row.file) },
  })

  const sortedColumns = {
    takenBy,
    takenByName: sql<
      string | null
    >`(SELECT coalesce(${users.name}, ${users.email}) FROM ${users} WHERE ${users.id} = ${takenBy})`,
    isDone: sql`CASE WHEN ${heardSeq} <= ${contacts.doneSeq} THEN 1 ELSE 0 END`.mapWith(isTrue),
  }
  const isTheirs = eq(inboundMessages.contactId, contacts.id)
  /** A change is told by the message that it changes. Few follow each other, and they are of one person. */
  const lastReceived = (order: SQL) =>
    sql<number>`coalesce(
    (SELECT ${seq} FROM ${inboundMessages} WHERE ${isTheirs} AND NOT (${isChange}) ORDER BY ${order} LIMIT 1),
    (SELECT ${seq} FROM ${inboundMessages} WHERE ${isTheirs} ORDER BY ${order} LIMIT 1))`.mapWith(
      (value): number | null => value && Number(value),
    )
  /** As `sentAt` has it. */
  const saidAt = sql`CASE WHEN ${messages.dueAt} IS NULL OR ${sql.raw(statusText(isScheduled, 'messages.status'))}
    OR ${sql.raw(statusText(isCancelled, 'messages.status'))} THEN ${messages.createdAt} ELSE ${messages.dueAt} END`
  const lastSentTo = (workspaceId: string, address: SQLWrapper) =>
    sql<number | null>`(SELECT newest.seq FROM (
        SELECT ${messages.seq} AS seq, ${saidAt} AS at, CASE WHEN ${isAnswer} THEN 1 ELSE 0 END AS is_answer
        FROM ${messages} WHERE ${conditions.isOfWorkspace(workspaceId)} AND ${messages.recipient} = ${address}
        ORDER BY ${messages.createdAt} DESC, ${messages.seq} DESC LIMIT ${answerScan}) AS newest
      WHERE newest.is_answer = 1 ORDER BY newest.at DESC, newest.seq DESC LIMIT 1)`.mapWith(Number)

  /**
   * The line that the person wrote to last; where a member began and the person wrote nothing, the one that was written
   * from last, to the number as it is or was spelled, or to the user id.
   */
  const lastLine = (workspaceId: string) => {
    const sentFrom = (address: SQLWrapper) => sql`(SELECT ${lines.id} FROM ${lines} WHERE ${lines.seq} =
      (SELECT ${messages.lineSeq} FROM ${messages} WHERE ${messages.seq} = ${lastSentTo(workspaceId, address)}))`
    const spelled = sql`(SELECT max(${sentFrom(numberSpellings.former)}) FROM ${numberSpellings}
      WHERE ${numberSpellings.workspaceId} = ${workspaceId} AND ${numberSpellings.current} = ${contacts.phone})`
    const ways = [lastHeard(workspaceId, lineId), sentFrom(contacts.phone), sentFrom(contacts.userId), spelled]
    return sql`coalesce(${sql.join(ways, sql`, `)})`
  }

  /** The messages with these numbers, which only the tables know. */
  async function messagesOf(seqs: readonly number[]): Promise<ReadonlyMap<number, Message>> {
    if (seqs.length === 0) return new Map()
    const rows = await db
      .select({ ...columns.messageColumns, seq: messages.seq })
      .from(messages)
      .crossJoin(lines)
      .leftJoin(apiKeys, eq(apiKeys.seq, messages.apiKeySeq))
      .where(and(isAnyOf(messages.seq, seqs), eq(lines.seq, messages.lineSeq)))
    return new Map(rows.map(({ seq, ...message }) => [seq, message]))
  }

  /** The last message to each other name that one of these has or had: with that of the present one, few. */
  async function sentToFormer(table: NamesTable, workspaceId: string, names: readonly string[]) {
    if (names.length === 0) return []
    const { current, former } = table
    return await db
      .select({ current, seq: lastSentTo(workspaceId, former) })
      .from(table)
      .where(and(eq(table.workspaceId, workspaceId), isAnyOf(current, names)))
  }

  async function withLastWords(workspaceId: string, ids: readonly string[]): Promise<Conversation[]> {
    const rows = await db
      .select({
        contact: columns.contactColumns,
        heardSeq,
        ...sortedColumns,
        unread: unread(workspaceId),
        lastSaid: lastReceived(sql`${at} DESC, ${seq} DESC`),
        lastCome: lastReceived(sql`${seq} DESC`),
        toPhone: lastSentTo(workspaceId, contacts.phone),
        toUser: lastSentTo(workspaceId, contacts.userId),
      })
      .from(contacts)
      .where(isAnyOf(contacts.id, ids))
    const received = await entries(
      and(
        eq(inboundMessages.workspaceId, workspaceId),
        isAnyOf(
          seq,
          rows.flatMap(row => row.lastSaid ?? []),
        ),
      ),
    )
    const related = await relatedTo(workspaceId, received)
    const receivedOf = new Map(received.map((row, at) => [Number(row.seq), entryOf(row, related[at] ?? unrelated)]))
    const named = (name: 'phone' | 'userId') => rows.flatMap(({ contact }) => contact[name] ?? [])
    const former = [
      ...(await sentToFormer(formerUserIds, workspaceId, named('userId'))),
      ...(await sentToFormer(numberSpellings, workspaceId, named('phone'))),
    ]
    const toFormer = Map.groupBy(former, row => row.current)
    const seqsOf = ({ contact: { phone, userId }, toPhone, toUser }: (typeof rows)[number]) =>
      [toPhone, toUser, ...[phone, userId].flatMap(name => toFormer.get(name ?? '') ?? []).map(row => row.seq)].flatMap(
        seq => seq ?? [],
      )
    const sent = await messagesOf(rows.flatMap(seqsOf))
    const found = rows.flatMap(row => {
      const { contact, unread } = row
      const lastReceived = receivedOf.get(row.lastSaid ?? 0) ?? null
      const [lastSent = null] = seqsOf(row)
        .flatMap(seq => sent.get(seq) ?? [])
        .sort((one, other) => sentAt(other) - sentAt(one))
      const upTo = row.lastCome ?? row.heardSeq ?? 0
      return lastReceived || lastSent ? [{ contact, unread, upTo, sorted: sortedOf(row), lastReceived, lastSent }] : []
    })
    const byId = new Map(found.map(conversation => [conversation.contact.id, conversation]))
    return ids.flatMap(id => byId.get(id) ?? [])
  }

  return {
    async conversations({ workspaceId, state, isUnread = false, lineId: line, words, cursor, limit, scan }) {
      const meant = meantContacts(tables, words)
      const isUnreadOne = isUnread ? and(isInState(state), isLastUnread(workspaceId)) : undefined
      const isOfLine = line === undefined ? undefined : sql`${lastLine(workspaceId)} = ${line}`
      const filter = and(isUnreadOne, isOfLine, meant?.condition)
      const size = filter === undefined ? Math.min(limit + 1, scan) : scan
      const walk = isIn(workspaceId, isUnread ? hasUnread : isInState(state))
      const step = and(walk, cursor === undefined ? undefined : lt(lastSeq, cursor))
      const order = [desc(contacts.workspaceId), desc(lastSeq)]
      const end = await first(
        db
          .select({ seq: lastSeq })
          .from(contacts)
          .where(and(step, isKept(workspaceId)))
          .orderBy(...order)
          .limit(1)
          .offset(size - 1),
      )
      const rows = await db
        .select({ ...columns.contactColumns, lastSeq, ...meant?.columns })
        .from(contacts)
        // One lower bound alone: SQLite would take the first for the index.
        .where(and(step, end ? gte(lastSeq, end.seq) : isKept(workspaceId), filter))
        .orderBy(...order)
      const found = meant === null ? rows : rows.filter(meant.isIt)
      const page = found.slice(0, limit)
      const last = found.length > limit ? page.at(-1)?.lastSeq : end?.seq
      const ids = page.map(({ id }) => id)
      return { conversations: ids.length === 0 ? [] : await withLastWords(workspaceId, ids), next: last ?? null }
    },

    async conversationCounts({ workspaceId, userId, max, scan }) {
      const walk = (is: SQL) => and(isIn(workspaceId, is), isKept(workspaceId))
      const isUnread = isLastUnread(workspaceId)
      const looked = await db
        .select({ isUnread: sql<number>`CASE WHEN ${isUnread} THEN 1 ELSE 0 END`.mapWith(Number) })
        .from(contacts)
        .where(walk(hasUnread))
        .orderBy(desc(contacts.workspaceId), desc(lastSeq))
        .limit(scan)
      const counted = async (state: ConversationState) => {
        const few = db
          .select({ id: contacts.id })
          .from(contacts)
          .where(walk(isInState(state)))
          .limit(max)
          .as('few')
        return (await first(db.select({ count: count() }).from(few)))?.count ?? 0
      }
      return {
        unread: Math.min(max, looked.filter(({ isUnread }) => isUnread === 1).length),
        isUnreadMore: looked.length === scan,
        open: await counted('open'),
        mine: await counted({ takenBy: userId }),
        free: await counted('free'),
        done: await counted('done'),
      }
    },

    async heard({ workspaceId, contactId }) {
      const columns = { upTo: heardSeq, unread: unread(workspaceId), from: unreadFrom(workspaceId), ...sortedColumns }
      const isIt = and(eq(contacts.workspaceId, workspaceId), eq(contacts.id, contactId))
      const row = await first(db.select(columns).from(contacts).where(isIt))
      if (!row) return { upTo: 0, unread: 0, unreadFrom: null, sorted: unsorted }
      const { seq, at } = row.from
      const from = seq === null || at === null ? null : { seq, at }
      return { upTo: row.upTo ?? 0, unread: row.unread, unreadFrom: from, sorted: sortedOf(row) }
    },

    async heardOfEach({ workspaceId, contactIds, lineIds, since, scan }) {
      const opened = openedAt(engine, { lineIds, since, scan }).mapWith(Number)
      const heardAt = sql<number | null>`(SELECT ${at} FROM ${inboundMessages}
        WHERE ${inboundMessages.workspaceId} = ${workspaceId} AND ${seq} = ${heardSeq})`.mapWith(Number)
      const noMarketing = sql`CASE WHEN ${wantsNoMarketing(tables)} THEN 1 ELSE 0 END`.mapWith(one => Number(one) === 1)
      const rows = await db
        .select({ id: contacts.id, unread: unread(workspaceId), openedAt: opened, noMarketing, heardAt })
        .from(contacts)
        .where(and(eq(contacts.workspaceId, workspaceId), isAnyOf(contacts.id, contactIds)))
      return new Map(rows.map(({ id, ...heard }) => [id, heard]))
    },

    async inbound({ contactId, limit, before, after }) {
      // The upstream's times are in whole seconds.
      const isOlder = before && and(lte(at, before.at), or(lt(at, before.at), lt(seq, before.seq)))
      const isNewer = after && and(gte(at, after.at), or(gt(at, after.at), gt(seq, after.seq)))
      const order = after ? [asc(at), asc(seq)] : [desc(at), desc(seq)]
      const rows = await entries(and(eq(inboundMessages.contactId, contactId), isOlder, isNewer))
        .orderBy(...order)
        .limit(limit)
      const workspaceId = rows[0]?.workspaceId ?? null
      const related = workspaceId === null ? [] : await relatedTo(workspaceId, rows)
      return rows.map((row, at) => entryOf(row, related[at] ?? unrelated))
    },
  }
}

const unsorted: Sorted = { isDone: false, takenBy: null }

const sortedOf = (row: { isDone: boolean; takenBy: string | null; takenByName: string | null }): Sorted => ({
  isDone: row.isDone,
  takenBy: row.takenBy === null || row.takenByName === null ? null : { userId: row.takenBy, name: row.takenByName },
})

export const conversationVerbs = (engine: Engine) => {
  const { db, isAnyOf, tables } = engine
  const { contacts, inboundMessages, messages, numberSpellings } = tables
  const { isLastUnread, lastHeard } = answers(engine)
  return {
    async noteSpoken({ workspaceId, messageIds, begins, at }) {
      await engine.lockContacts([workspaceId])
      const { id, phone, userId, heardSeq } = contacts
      // Their ids lead to them, and to nothing of the workspace that others do not share.
      const rows = await db
        .select({ to: messages.recipient, of: messages.workspaceId })
        .from(messages)
        .where(isAnyOf(messages.id, messageIds))
      const sent = rows.filter(({ of }) => of === workspaceId).map(({ to }) => to)
      const { former, current } = numberSpellings
      const isSpelling = and(eq(numberSpellings.workspaceId, workspaceId), isAnyOf(former, sent))
      const spelled = (await db.select({ current }).from(numberSpellings).where(isSpelling)).map(row => row.current)
      const isTheirs = and(eq(contacts.workspaceId, workspaceId), begins ? undefined : isNotNull(heardSeq))
      // Each by its own index.
      const byPhone = await db
        .select({ id })
        .from(contacts)
        .where(and(isTheirs, isAnyOf(phone, [...sent, ...spelled])))
      const byUser = await db
        .select({ id })
        .from(contacts)
        .where(and(isTheirs, isAnyOf(userId, sent)))
      const found = [...new Set([...byPhone, ...byUser].map(contact => contact.id))]
      const told = { type: null, workspaceId, at, recordedAt: at }
      await engine.tell(found.map(contactId => ({ ...eventAbout(null, told), spokenTo: contactId })))
      return found.length > 0
    },

    async readConversation({ workspaceId, contactId, upTo }) {
      const { heardSeq, readSeq } = contacts
      const isUnread = and(gt(heardSeq, readSeq), lt(readSeq, upTo))
      const read = await db
        .update(contacts)
        // What was not said yet cannot be read.
        .set({ readSeq: sql`CASE WHEN ${heardSeq} < ${upTo} THEN ${heardSeq} ELSE ${upTo} END` })
        .where(and(eq(contacts.workspaceId, workspaceId), eq(contacts.id, contactId), isUnread))
        .returning({ id: contacts.id })
      return read.length > 0
    },

    async unreadConversation({ workspaceId, contactId, upTo, at }) {
      const { heardSeq } = contacts
      const isIt = and(eq(contacts.workspaceId, workspaceId), eq(contacts.id, contactId), eq(heardSeq, upTo), isOpen)
      // What is unread stays so: of several, the others would be lost. Where a member began, nothing can be.
      const isRead = and(
        not(sql`(${hasUnread} AND ${isLastUnread(workspaceId)})`),
        sql`${lastHeard(workspaceId, inboundMessages.seq)} IS NOT NULL`,
      )
      const marked = await db
        .update(contacts)
        .set({ readSeq: sql`${heardSeq} - 1`, unreadAt: at })
        .where(and(isIt, isRead))
        .returning({ id: contacts.id })
      return marked.length > 0
    },
  } satisfies Partial<StoreWrites>
}
