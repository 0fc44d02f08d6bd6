import { and, asc, count, eq, gt, inArray, isNotNull, ne, notLike, or, sql } from 'drizzle-orm'
import { digestMark, digestOf, erased } from '../../src/message/forgotten.ts'
import { lockContacts } from './identities.ts'
import { type Connection, first, jsonRows } from './open.ts'
import { isOfWorkspace, isUnsettled } from './rows.ts'
import {
  apiKeys,
  channels,
  contacts,
  flowSessions,
  inboundMessages,
  invitations,
  lines,
  memberships,
  messageContents,
  messages,
  planUsage,
  upstreamUpdates,
  workspaces,
} from './schema/tables.ts'
import type { Verbs } from './verbs.ts'

const ofItsChannels = 'channel_id IN (SELECT id FROM channels WHERE workspace_id = $1)'
const ofItsLines = 'line_id IN (SELECT id FROM lines WHERE workspace_id = $1)'
const ofWorkspace = 'workspace_id = $1'

/** Updates of the upstream name what they are about by its id alone. */
const ofItsSubjects = ['channels', 'lines', 'contacts']
  .map(table => `EXISTS (SELECT 1 FROM ${table} WHERE id = subject AND workspace_id = $1)`)
  .concat(
    `EXISTS (SELECT 1 FROM templates JOIN channels ON channels.id = templates.channel_id
       WHERE templates.id = subject AND workspace_id = $1)`,
  )
  .join(' OR ')

/**
 * Tables besides the messages that can be long, with the rows that belong to a workspace. A test fails when a table with
 * data of a workspace is neither here nor in the verbs below.
 */
const longTables = [
  // Before what they are about.
  ['upstream_updates', ofItsSubjects],
  ['inbound_messages', ofItsChannels],
  ['parked_reports', ofItsChannels],
  ['templates', ofItsChannels],
  ['callback_receipts', ofItsChannels],
  ['channel_pauses', ofItsChannels],
  ['media_uploads', ofItsLines],
  ['line_paces', ofItsLines],
  ['daily_counts', ofWorkspace],
  ['changes', ofWorkspace],
  ['contacts', ofWorkspace],
] as const

/** How many rows a step has found, and how many of them it has deleted: others may change a row meanwhile. */
interface Step {
  readonly found: number
  readonly erased: number
}

const deletions = longTables.map(
  ([table, belongs]) =>
    `WITH found AS MATERIALIZED (SELECT ctid FROM ${table} WHERE ${belongs} LIMIT $2),
       gone AS (DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM found)) RETURNING 1)
     SELECT (SELECT count(*) FROM found)::float8 AS found, (SELECT count(*) FROM gone)::float8 AS erased`,
)

/** Deletes messages with all that belongs to them, in the order in which hot verbs lock. */
export async function deleteMessages(
  { query }: Connection,
  old: readonly { readonly seq: number; readonly id: string }[],
): Promise<void> {
  const seqs = old.map(({ seq }) => seq)
  const ids = old.map(({ id }) => id)
  await query('DELETE FROM idempotency_keys WHERE message_seq = ANY($1::bigint[])', [seqs])
  await query('SELECT seq FROM messages WHERE seq = ANY($1::bigint[]) ORDER BY id FOR UPDATE', [seqs])
  await query('DELETE FROM message_events WHERE message_seq = ANY($1::bigint[])', [seqs])
  await query('DELETE FROM message_contents WHERE message_seq = ANY($1::bigint[])', [seqs])
  await query('DELETE FROM flow_sessions WHERE message_id = ANY($1::text[])', [ids])
  await query('DELETE FROM messages WHERE seq = ANY($1::bigint[])', [seqs])
}

/**
 * A user who can see no workspace has nothing to sign in for.
 * @param userIds of users who have left a workspace
 * @returns how many users were erased
 */
export async function removeUsersWithoutWorkspace({ query }: Connection, userIds: readonly string[]): Promise<number> {
  // Who joins a workspace or signs in at this moment locks the user too: it is seen below, or finds no user. Who leaves
  // another workspace at this moment does not see this step; a change, not a lock alone, makes it begin anew.
  await query(
    `UPDATE users SET updated_at = updated_at
     WHERE id IN (SELECT id FROM users WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE)`,
    [userIds],
  )
  const gone = await query<{ id: string }>(
    `SELECT id FROM users WHERE id = ANY($1::text[])
       AND NOT EXISTS (SELECT FROM memberships WHERE memberships.user_id = users.id)`,
    [userIds],
  )
  const ids = gone.map(({ id }) => id)
  for (const table of ['sessions', 'recovery_codes']) {
    await query(`DELETE FROM ${table} WHERE user_id = ANY($1::text[])`, [ids])
  }
  await query('DELETE FROM users WHERE id = ANY($1::text[])', [ids])
  return ids.length
}

/** @returns how many messages wait to be sent to a contact */
export async function waitingFor(
  db: Connection['db'],
  { workspaceId, contactId, addresses }: { workspaceId: string; contactId: string; addresses: readonly string[] },
): Promise<number> {
  const isToContact = or(eq(messages.contactId, contactId), inArray(messages.recipient, [...addresses]))
  const isWaiting = and(isUnsettled, eq(messages.status, 'QUEUED'), isOfWorkspace(workspaceId), isToContact)
  return (await first(db.select({ count: count() }).from(messages).where(isWaiting)))?.count ?? 0
}

/**
 * The verbs that erase for good. Each call erases a bounded number of rows, so that it holds no lock for long, and is
 * repeated until nothing is left. After a crash, the next call finds the rest.
 */
export function erasureVerbs(connection: Connection) {
  const { query, db } = connection

  /** An acceptance locks its line: it came before, and is seen from now on, or it finds what was done meanwhile. */
  async function lockLinesOf(workspaceId: string) {
    await db
      .select({ id: channels.id })
      .from(channels)
      .where(eq(channels.workspaceId, workspaceId))
      .orderBy(asc(channels.id))
      .for('update')
    await db
      .select({ seq: lines.seq })
      .from(lines)
      .where(eq(lines.workspaceId, workspaceId))
      .orderBy(asc(lines.id))
      .for('update')
  }

  return {
    async closeWorkspace({ workspaceId, at }) {
      const workspace = await first(db.select().from(workspaces).where(eq(workspaces.id, workspaceId)))
      if (!workspace) return { outcome: 'unknown' }
      await lockLinesOf(workspaceId)
      // Nothing that refers to the workspace can be added from here on; what was added just before is seen below.
      await db.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.id, workspaceId)).for('update')
      await lockLinesOf(workspaceId)
      const isWaiting = and(isUnsettled, eq(messages.status, 'QUEUED'), isOfWorkspace(workspaceId))
      const waiting = (await first(db.select({ count: count() }).from(messages).where(isWaiting)))?.count ?? 0
      if (waiting > 0) return { outcome: 'waiting', waiting }
      await db
        .update(apiKeys)
        .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${at})` })
        .where(eq(apiKeys.workspaceId, workspaceId))
      await db
        .update(lines)
        .set({ active: false, isDefault: false, removedAt: sql`coalesce(${lines.removedAt}, ${at})` })
        .where(eq(lines.workspaceId, workspaceId))
      const noSecrets = { sealedAccessToken: '', sealedAppSecret: '', sealedVerifyToken: '' }
      await db
        .update(channels)
        .set({ ...noSecrets, removedAt: sql`coalesce(${channels.removedAt}, ${at})` })
        .where(eq(channels.workspaceId, workspaceId))
      return { outcome: 'removed', removed: workspace }
    },

    async eraseWorkspace({ workspaceId, limit }) {
      // Nothing that refers to the workspace can be added until this step is over.
      await lockContacts(connection, [workspaceId])
      await db.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.id, workspaceId)).for('update')
      await lockLinesOf(workspaceId)
      const found = await db
        .select({ seq: messages.seq, id: messages.id })
        .from(messages)
        .where(eq(messages.workspaceId, workspaceId))
        .limit(limit)
      if (found.length > 0) {
        await deleteMessages(connection, found)
        return { erased: found.length, isDone: false }
      }
      for (const deletion of deletions) {
        const step = await first(query<Step>(deletion, [workspaceId, limit]))
        if (step && step.found > 0) return { erased: step.erased, isDone: false }
      }
      // In one step with the check of all other tables, so that nothing can come between.
      const members = await db
        .delete(memberships)
        .where(eq(memberships.workspaceId, workspaceId))
        .returning({ userId: memberships.userId })
      let erased = members.length
      for (const table of [planUsage, invitations, apiKeys, lines, channels]) {
        const rows = db.delete(table).where(eq(table.workspaceId, workspaceId)).returning({ of: table.workspaceId })
        erased += (await rows).length
      }
      erased += await removeUsersWithoutWorkspace(
        connection,
        members.map(({ userId }) => userId),
      )
      const gone = db.delete(workspaces).where(eq(workspaces.id, workspaceId)).returning({ id: workspaces.id })
      return { erased: erased + (await gone).length, isDone: true }
    },

    async forgetMessages({ contactId, workspaceId, addresses, after, limit }) {
      const page = await db
        .select({ id: messages.id })
        .from(messages)
        .where(and(eq(messages.workspaceId, workspaceId), gt(messages.id, after)))
        .orderBy(asc(messages.id))
        .limit(limit)
      const last = page.at(-1)
      if (last === undefined) return { forgotten: 0, after: null }
      const isOfContact = or(
        eq(messages.contactId, contactId),
        inArray(messages.recipient, [...addresses]),
        inArray(messages.waId, [...addresses]),
      )
      const ids = page.map(({ id }) => id)
      // Locked in the order in which hot verbs lock. What still waits is left as it is.
      const { seq, recipient, waId, channelMessageId, failures } = messages
      const found = await db
        .select({ seq, recipient, waId, channelMessageId, failures })
        .from(messages)
        .where(and(inArray(messages.id, ids), isOfContact, ne(messages.status, 'QUEUED')))
        .orderBy(asc(messages.id))
        .for('update')
      const changed = found.flatMap(({ seq, ...traces }) => {
        const left = erased(traces)
        return left ? [{ seq, ...left }] : []
      })
      const seqs = changed.map(({ seq }) => seq)
      if (seqs.length > 0) {
        await query(
          `UPDATE messages SET recipient = kept.recipient, wa_id = kept."waId",
             channel_message_id = kept."channelMessageId", failures = kept.failures
           FROM json_to_recordset($1::text::json)
             AS kept (seq bigint, recipient text, "waId" text, "channelMessageId" text, failures text)
           WHERE messages.seq = kept.seq`,
          [jsonRows(changed)],
        )
        await db.delete(messageContents).where(inArray(messageContents.messageSeq, seqs))
      }
      return { forgotten: seqs.length, after: last.id }
    },

    async forgetInbound({ contactId, limit }) {
      const { channelId, channelMessageId, content, phone, formerPhone } = inboundMessages
      const hasId = notLike(channelMessageId, `${digestMark}%`)
      const hasTraces = or(ne(content, '{}'), isNotNull(phone), isNotNull(formerPhone), hasId)
      const page = await db
        .select({ channelId, channelMessageId })
        .from(inboundMessages)
        .where(and(eq(inboundMessages.contactId, contactId), hasTraces))
        .limit(limit)
      await query(
        `UPDATE inbound_messages SET content = '{}', phone = NULL, former_phone = NULL, channel_message_id = digest
         FROM json_to_recordset($1::text::json) AS page ("channelId" text, "channelMessageId" text, digest text)
         WHERE channel_id = "channelId" AND channel_message_id = "channelMessageId"`,
        [jsonRows(page.map(message => ({ ...message, digest: digestOf(message.channelMessageId) })))],
      )
      return page.length
    },

    async forgetContact({ contactId, addresses, at }) {
      const contact = await first(db.select().from(contacts).where(eq(contacts.id, contactId)))
      if (!contact) return { outcome: 'unknown' }
      // What is being received at this moment would give the contact its name and number back.
      await lockContacts(connection, [contact.workspaceId])
      const waiting = await waitingFor(db, { contactId, addresses, workspaceId: contact.workspaceId })
      if (waiting > 0) return { outcome: 'waiting', waiting }
      await db
        .update(contacts)
        .set({ phone: null, userId: null, name: null, updatedAt: at })
        .where(or(eq(contacts.id, contactId), eq(contacts.mergedInto, contactId)))
      await db
        .update(flowSessions)
        .set({
          flowToken: null,
          closedAt: sql`coalesce(${flowSessions.closedAt}, ${at})`,
          closedBy: sql`coalesce(${flowSessions.closedBy}, 'revalidated')`,
        })
        .where(eq(flowSessions.contactId, contactId))
      // What the upstream said about the contact has its number.
      await db.delete(upstreamUpdates).where(eq(upstreamUpdates.subject, contactId))
      return { outcome: 'removed', removed: contactId }
    },
  } satisfies Partial<Verbs>
}
