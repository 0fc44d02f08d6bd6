import {
  and,
  count,
  desc,
  eq,
  gt,
  gte,
  isNotNull,
  lt,
  lte,
  notLike,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import { echoKind } from '../../src/message/kinds.ts'
import { type Conversation, type ConversationReads, unreadMax } from '../contract/conversations.ts'
import type { Message } from '../contract/records.ts'
import type { StoreWrites } from '../contract/store.ts'
import { type Engine, first } from './engine.ts'
import { fileColumnsOf, shownFile } from './files.ts'
import { meantContacts } from './meantContacts.ts'

/** Which conversations there are, and what they hold of the person's side. */
export function conversationReads(engine: Engine): ConversationReads {
  const { db, tables, columns, conditions, isAnyOf } = engine
  const { apiKeys, contacts, formerUserIds, inboundFiles, inboundMessages, lines, messages } = tables
  const { channelMessageId, lineId, kind, at, recordedAt, content, seq } = inboundMessages
  const entryColumns = { channelMessageId, lineId, kind, at, recordedAt, content, seq: sql<number>`${seq}` }
  const { heardSeq } = contacts

  /** Written out as the partial indexes have it. */
  const isIn = (workspaceId: string, isUnread: boolean) =>
    and(eq(contacts.workspaceId, workspaceId), isUnread ? sql`heard_seq > read_seq` : isNotNull(heardSeq))
  /** Messages are pruned in the order of their numbers: who said nothing since the oldest has no conversation. */
  const isKept = (workspaceId: string) =>
    sql`${heardSeq} >= (SELECT min(seq) FROM ${inboundMessages} WHERE ${eq(inboundMessages.workspaceId, workspaceId)})`

  const entries = (condition: SQL | undefined) =>
    db
      .select({ ...entryColumns, contactId: inboundMessages.contactId, file: fileColumnsOf(inboundFiles) })
      .from(inboundMessages)
      .leftJoin(inboundFiles, eq(inboundFiles.id, inboundMessages.fileId))
      .where(condition)

  type EntryRow = Awaited<ReturnType<typeof entries>>[number]
  const entryOf = ({ contactId: _, ...row }: EntryRow) => ({
    ...row,
    seq: Number(row.seq),
    content: JSON.parse(row.content),
    file: shownFile(row.file),
  })

  /** Each of these subqueries reads the end of an index. */
  const unread = sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${inboundMessages}
    WHERE ${inboundMessages.contactId} = ${contacts.id} AND ${seq} > ${contacts.readSeq} AND ${seq} <= ${heardSeq}
      AND ${notLike(kind, `${echoKind}%`)} LIMIT ${unreadMax}) AS few)`.mapWith(Number)
  const lastReceived = sql<number>`(SELECT max(${seq}) FROM ${inboundMessages}
    WHERE ${inboundMessages.contactId} = ${contacts.id})`.mapWith(Number)
  const lastSentTo = (workspaceId: string, address: SQLWrapper) =>
    sql<number | null>`(SELECT ${messages.seq} FROM ${messages}
      WHERE ${conditions.isOfWorkspace(workspaceId)} AND ${messages.recipient} = ${address}
      ORDER BY ${messages.createdAt} DESC, ${messages.seq} DESC LIMIT 1)`.mapWith(Number)

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

  /** The last message to each user id that one of these users has left: with that of the present one, few. */
  async function sentToFormer(workspaceId: string, userIds: readonly string[]) {
    if (userIds.length === 0) return []
    const { currentUserId, userId } = formerUserIds
    return await db
      .select({ currentUserId, seq: lastSentTo(workspaceId, userId) })
      .from(formerUserIds)
      .where(and(eq(formerUserIds.workspaceId, workspaceId), isAnyOf(currentUserId, userIds)))
  }

  async function withLastWords(workspaceId: string, ids: readonly string[]): Promise<Conversation[]> {
    const rows = await db
      .select({
        contact: columns.contactColumns,
        heardSeq,
        unread,
        lastReceived,
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
          rows.flatMap(row => [row.lastReceived, row.heardSeq ?? []].flat()),
        ),
      ),
    )
    const receivedOf = new Map(received.map(row => [Number(row.seq), row]))
    const former = await sentToFormer(
      workspaceId,
      rows.flatMap(({ contact }) => contact.userId ?? []),
    )
    const toFormer = Map.groupBy(former, row => row.currentUserId)
    const seqsOf = ({ contact: { userId }, toPhone, toUser }: (typeof rows)[number]) =>
      [toPhone, toUser, ...(toFormer.get(userId ?? '') ?? []).map(row => row.seq)].flatMap(seq => seq ?? [])
    const sent = await messagesOf(rows.flatMap(seqsOf))
    const found = rows.flatMap(row => {
      const { contact, heardSeq, unread, lastReceived } = row
      const last = receivedOf.get(lastReceived)
      const heard = receivedOf.get(heardSeq ?? 0)
      const [lastSent = null] = seqsOf(row)
        .flatMap(seq => sent.get(seq) ?? [])
        .sort((one, other) => other.createdAt - one.createdAt)
      return last && heard ? [{ contact, heardAt: heard.at, unread, lastReceived: entryOf(last), lastSent }] : []
    })
    const byId = new Map(found.map(conversation => [conversation.contact.id, conversation]))
    return ids.flatMap(id => byId.get(id) ?? [])
  }

  return {
    async conversations({ workspaceId, isUnread = false, name, digits, cursor, limit, scan }) {
      const meant = meantContacts(contacts, { name, digits })
      const size = meant === null ? Math.min(limit + 1, scan) : scan
      const step = and(isIn(workspaceId, isUnread), cursor === undefined ? undefined : lt(heardSeq, cursor))
      const order = [desc(contacts.workspaceId), desc(heardSeq)]
      const end = await first(
        db
          .select({ seq: heardSeq })
          .from(contacts)
          .where(and(step, isKept(workspaceId)))
          .orderBy(...order)
          .limit(1)
          .offset(size - 1),
      )
      const rows = await db
        .select({ ...columns.contactColumns, heardSeq })
        .from(contacts)
        // One lower bound alone: SQLite would take the first for the index.
        .where(and(step, end?.seq == null ? isKept(workspaceId) : gte(heardSeq, end.seq), meant?.condition))
        .orderBy(...order)
      const found = meant === null ? rows : rows.filter(meant.isIt)
      const page = found.slice(0, limit)
      const last = found.length > limit ? page.at(-1)?.heardSeq : end?.seq
      const ids = page.map(({ id }) => id)
      return { conversations: ids.length === 0 ? [] : await withLastWords(workspaceId, ids), next: last ?? null }
    },

    async unreadConversations({ workspaceId, max }) {
      const few = db
        .select({ id: contacts.id })
        .from(contacts)
        .where(and(isIn(workspaceId, true), isKept(workspaceId)))
        .limit(max)
        .as('few')
      return (await first(db.select({ count: count() }).from(few)))?.count ?? 0
    },

    async heard({ contactId }) {
      const row = await first(db.select({ upTo: heardSeq, unread }).from(contacts).where(eq(contacts.id, contactId)))
      return { upTo: row?.upTo ?? 0, unread: row?.unread ?? 0 }
    },

    async inbound({ contactId, limit, before }) {
      // The upstream's times are in whole seconds.
      const isOlder = before && and(lte(at, before.at), or(lt(at, before.at), lt(seq, before.seq)))
      const rows = await entries(and(eq(inboundMessages.contactId, contactId), isOlder))
        .orderBy(desc(at), desc(seq))
        .limit(limit)
      return rows.map(entryOf)
    },
  }
}

export const conversationVerbs = ({ db, tables: { contacts } }: Engine) =>
  ({
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
  }) satisfies Partial<StoreWrites>
