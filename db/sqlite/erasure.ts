import { and, asc, count, eq, gt, inArray, isNotNull, ne, notInArray, notLike, or, sql } from 'drizzle-orm'
import { digestMark, digestOf, erased, type Traces } from '../../src/message/forgotten.ts'
import type { Connection } from './open.ts'
import { isOfWorkspace, isUnsettled } from './rows.ts'
import {
  apiKeys,
  channels,
  contacts,
  flowSessions,
  idempotencyKeys,
  inboundMessages,
  invitations,
  lines,
  memberships,
  messageContents,
  messageEvents,
  messages,
  planUsage,
  recoveryCodes,
  sessions,
  upstreamUpdates,
  users,
  workspaces,
} from './schema.ts'
import type { Verbs } from './verbs.ts'

const ofItsChannels = 'channel_id IN (SELECT id FROM channels WHERE workspace_id = ?1)'

/** Updates of the upstream name what they are about by its id alone. */
const ofItsSubjects = ['channels', 'lines', 'contacts']
  .map(table => `EXISTS (SELECT 1 FROM ${table} WHERE id = subject AND workspace_id = ?1)`)
  .concat(
    `EXISTS (SELECT 1 FROM templates JOIN channels ON channels.id = templates.channel_id
       WHERE templates.id = subject AND workspace_id = ?1)`,
  )
  .join(' OR ')

/**
 * Tables besides the messages that can be long, with their keys and the rows that belong to a workspace. A test fails
 * when a table with data of a workspace is neither here nor in the verbs below.
 */
const longTables = [
  // Before what they are about.
  ['upstream_updates', 'subject, kind', ofItsSubjects],
  ['inbound_messages', 'channel_id, channel_message_id', ofItsChannels],
  ['parked_reports', 'channel_id, channel_message_id, status, at, detail', ofItsChannels],
  ['templates', 'id', ofItsChannels],
  ['callback_receipts', 'channel_id', ofItsChannels],
  ['media_uploads', 'line_id, link, format', 'line_id IN (SELECT id FROM lines WHERE workspace_id = ?1)'],
  ['daily_counts', 'workspace_id, day, kind', 'workspace_id = ?1'],
  ['contacts', 'id', 'workspace_id = ?1'],
] as const

/** Deletes messages with all that belongs to them. */
export function deleteMessages(db: Connection['db'], old: readonly { seq: number; id: string }[]): void {
  const seqs = old.map(({ seq }) => seq)
  const ids = old.map(({ id }) => id)
  db.delete(messageEvents).where(inArray(messageEvents.messageSeq, seqs)).run()
  db.delete(messageContents).where(inArray(messageContents.messageSeq, seqs)).run()
  db.delete(idempotencyKeys).where(inArray(idempotencyKeys.messageSeq, seqs)).run()
  db.delete(flowSessions).where(inArray(flowSessions.messageId, ids)).run()
  db.delete(messages).where(inArray(messages.seq, seqs)).run()
}

/** A user who can see no workspace has nothing to sign in for. @returns how many rows were deleted */
export function removeUsersWithoutWorkspace(db: Connection['db']): number {
  const gone = db
    .select({ id: users.id })
    .from(users)
    .where(notInArray(users.id, db.select({ id: memberships.userId }).from(memberships)))
    .all()
    .map(({ id }) => id)
  for (const table of [sessions, recoveryCodes]) db.delete(table).where(inArray(table.userId, gone)).run()
  db.delete(users).where(inArray(users.id, gone)).run()
  return gone.length
}

/** @returns how many messages wait to be sent to a contact */
export function waitingFor(
  db: Connection['db'],
  { workspaceId, contactId, addresses }: { workspaceId: string; contactId: string; addresses: readonly string[] },
): number {
  const isToContact = or(eq(messages.contactId, contactId), inArray(messages.recipient, [...addresses]))
  const isWaiting = and(isUnsettled, eq(messages.status, 'QUEUED'), isOfWorkspace(workspaceId), isToContact)
  return db.select({ count: count() }).from(messages).where(isWaiting).get()?.count ?? 0
}

/**
 * The verbs that erase for good. They share commits with sends, so each call erases a bounded number of rows and is
 * repeated until nothing is left. After a crash, the next call finds the rest.
 */
export function erasureVerbs({ client, db }: Connection) {
  const deletions = longTables.map(([table, key, belongs]) =>
    client.query(`DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${belongs} LIMIT ?2)`),
  )
  const keepErased = client.query<never, [Traces & { seq: number }]>(
    `UPDATE messages SET recipient = $recipient, wa_id = $waId, channel_message_id = $channelMessageId,
       failures = $failures
     WHERE seq = $seq`,
  )
  const keepEmpty = client.query<never, [{ channelId: string; channelMessageId: string; digest: string }]>(
    `UPDATE inbound_messages SET content = '{}', phone = NULL, former_phone = NULL, channel_message_id = $digest
     WHERE channel_id = $channelId AND channel_message_id = $channelMessageId`,
  )

  return {
    closeWorkspace({ workspaceId, at }) {
      const workspace = db.select().from(workspaces).where(eq(workspaces.id, workspaceId)).limit(1).get()
      if (!workspace) return { outcome: 'unknown' }
      const waiting =
        db
          .select({ count: count() })
          .from(messages)
          .where(and(isUnsettled, eq(messages.status, 'QUEUED'), isOfWorkspace(workspaceId)))
          .get()?.count ?? 0
      if (waiting > 0) return { outcome: 'waiting', waiting }
      db.update(apiKeys)
        .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${at})` })
        .where(eq(apiKeys.workspaceId, workspaceId))
        .run()
      db.update(lines)
        .set({ active: false, isDefault: false, removedAt: sql`coalesce(${lines.removedAt}, ${at})` })
        .where(eq(lines.workspaceId, workspaceId))
        .run()
      const noSecrets = { sealedAccessToken: '', sealedAppSecret: '', sealedVerifyToken: '' }
      db.update(channels)
        .set({ ...noSecrets, removedAt: sql`coalesce(${channels.removedAt}, ${at})` })
        .where(eq(channels.workspaceId, workspaceId))
        .run()
      return { outcome: 'removed', removed: workspace }
    },

    eraseWorkspace({ workspaceId, limit }) {
      const found = db
        .select({ seq: messages.seq, id: messages.id })
        .from(messages)
        .where(eq(messages.workspaceId, workspaceId))
        .limit(limit)
        .all()
      if (found.length > 0) {
        deleteMessages(db, found)
        return { erased: found.length, isDone: false }
      }
      for (const deletion of deletions) {
        const erased = deletion.run(workspaceId, limit).changes
        if (erased > 0) return { erased, isDone: false }
      }
      // In one step with the check of all other tables, so that nothing can come between.
      let erased = 0
      for (const table of [planUsage, invitations, memberships, apiKeys, lines, channels])
        erased += db.delete(table).where(eq(table.workspaceId, workspaceId)).returning().all().length
      erased += removeUsersWithoutWorkspace(db)
      erased += db.delete(workspaces).where(eq(workspaces.id, workspaceId)).returning().all().length
      return { erased, isDone: true }
    },

    forgetMessages({ contactId, workspaceId, addresses, after, limit }) {
      const page = db
        .select({ id: messages.id })
        .from(messages)
        .where(and(eq(messages.workspaceId, workspaceId), gt(messages.id, after)))
        .orderBy(asc(messages.id))
        .limit(limit)
        .all()
        .map(({ id }) => id)
      const last = page.at(-1)
      if (last === undefined) return { forgotten: 0, after: null }
      const isOfContact = or(
        eq(messages.contactId, contactId),
        inArray(messages.recipient, [...addresses]),
        inArray(messages.waId, [...addresses]),
      )
      const { seq, recipient, waId, channelMessageId, failures } = messages
      const changed = db
        .select({ seq, recipient, waId, channelMessageId, failures })
        .from(messages)
        .where(and(inArray(messages.id, page), isOfContact, ne(messages.status, 'QUEUED')))
        .all()
        .flatMap(({ seq, ...traces }) => {
          const left = erased(traces)
          return left ? [{ seq, ...left }] : []
        })
      for (const message of changed) keepErased.run(message)
      const seqs = changed.map(({ seq }) => seq)
      db.delete(messageContents).where(inArray(messageContents.messageSeq, seqs)).run()
      return { forgotten: changed.length, after: last }
    },

    forgetInbound({ contactId, limit }) {
      const { channelId, channelMessageId, content, phone, formerPhone } = inboundMessages
      const hasId = notLike(channelMessageId, `${digestMark}%`)
      const hasTraces = or(ne(content, '{}'), isNotNull(phone), isNotNull(formerPhone), hasId)
      const page = db
        .select({ channelId, channelMessageId })
        .from(inboundMessages)
        .where(and(eq(inboundMessages.contactId, contactId), hasTraces))
        .limit(limit)
        .all()
      for (const message of page) keepEmpty.run({ ...message, digest: digestOf(message.channelMessageId) })
      return page.length
    },

    forgetContact({ contactId, addresses, at }) {
      const contact = db.select().from(contacts).where(eq(contacts.id, contactId)).limit(1).get()
      if (!contact) return { outcome: 'unknown' }
      const waiting = waitingFor(db, { contactId, addresses, workspaceId: contact.workspaceId })
      if (waiting > 0) return { outcome: 'waiting', waiting }
      db.update(contacts)
        .set({ phone: null, userId: null, name: null, updatedAt: at })
        .where(or(eq(contacts.id, contactId), eq(contacts.mergedInto, contactId)))
        .run()
      db.update(flowSessions)
        .set({
          flowToken: null,
          closedAt: sql`coalesce(${flowSessions.closedAt}, ${at})`,
          closedBy: sql`coalesce(${flowSessions.closedBy}, 'revalidated')`,
        })
        .where(eq(flowSessions.contactId, contactId))
        .run()
      // What the upstream said about the contact has its number.
      db.delete(upstreamUpdates).where(eq(upstreamUpdates.subject, contactId)).run()
      return { outcome: 'removed', removed: contactId }
    },
  } satisfies Partial<Verbs>
}
