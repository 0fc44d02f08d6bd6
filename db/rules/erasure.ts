import { and, asc, count, eq, gt, inArray, isNotNull, max, ne, notLike, or, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { digestMark, digestOf, erased } from '../../src/message/forgotten.ts'
import type { StoreWrites } from '../store.ts'
import { deleteDeliveries, deleteDeliveriesOf, forgetAnswers, forgetAnswersTo } from './deliveryErasure.ts'
import { type Engine, first } from './engine.ts'
import { eraseFiles } from './files.ts'
import { removeUsersWithoutWorkspace } from './members.ts'
import { rewindUsage } from './usage.ts'

/**
 * Tables besides the messages that can be long, with the rows that belong to a workspace. A test fails when a table
 * with data of a workspace is neither here nor in the verbs below.
 */
function longTablesOf({ tables, ownLongTables }: Engine, workspaceId: string): readonly (readonly [PgTable, SQL])[] {
  const { callbackReceipts, contacts, dailyCounts, inboundMessages, mediaUploads, parkedReports } = tables
  const ofWorkspace = sql`workspace_id = ${workspaceId}`
  const ofItsChannels = sql`channel_id IN (SELECT id FROM channels WHERE ${ofWorkspace})`
  const ofItsLines = sql`line_id IN (SELECT id FROM lines WHERE ${ofWorkspace})`
  // Updates of the upstream name what they are about by its id alone.
  const ofItsSubjects = sql`EXISTS (SELECT 1 FROM channels WHERE id = subject AND ${ofWorkspace})
    OR EXISTS (SELECT 1 FROM lines WHERE id = subject AND ${ofWorkspace})
    OR EXISTS (SELECT 1 FROM contacts WHERE id = subject AND ${ofWorkspace})
    OR EXISTS (SELECT 1 FROM templates JOIN channels ON channels.id = templates.channel_id
      WHERE templates.id = subject AND ${ofWorkspace})`
  const ofItsEndpoints = sql`endpoint_id IN (SELECT id FROM webhook_endpoints WHERE ${ofWorkspace})`
  return [
    // Deleted before their subjects.
    [tables.upstreamUpdates, ofItsSubjects],
    [tables.webhookDeliveries, ofItsEndpoints],
    [inboundMessages, ofItsChannels],
    [parkedReports, ofItsChannels],
    [tables.templates, ofItsChannels],
    [callbackReceipts, ofItsChannels],
    [mediaUploads, ofItsLines],
    [dailyCounts, ofWorkspace],
    [tables.apiRequests, ofWorkspace],
    [tables.events, ofWorkspace],
    [tables.eventCounters, ofWorkspace],
    [contacts, ofWorkspace],
    ...ownLongTables.map(([table, of]) => [table, { ofWorkspace, ofItsChannels, ofItsLines }[of]] as const),
  ]
}

/** Deletes messages with all that belongs to them, in the order in which hot verbs lock. */
export async function deleteMessages(
  engine: Engine,
  old: readonly { readonly seq: number; readonly id: string }[],
): Promise<void> {
  const { db, tables, isAnyOf, locking } = engine
  const { events, flowSessions, idempotencyKeys, messageContents, messageEvents, messages } = tables
  const seqs = old.map(({ seq }) => seq)
  const ids = old.map(({ id }) => id)
  const isOld = isAnyOf(messages.seq, seqs)
  await db.delete(idempotencyKeys).where(isAnyOf(idempotencyKeys.messageSeq, seqs))
  await locking(db.select({ seq: messages.seq }).from(messages).where(isOld).orderBy(asc(messages.id)))
  await db.delete(messageEvents).where(isAnyOf(messageEvents.messageSeq, seqs))
  await db.delete(messageContents).where(isAnyOf(messageContents.messageSeq, seqs))
  await db.delete(flowSessions).where(isAnyOf(flowSessions.messageId, ids))
  await deleteDeliveries(engine, seqs)
  await db.delete(messages).where(isOld)
  // SQLite gives the numbers of the newest messages again when they are gone. No event may be left that names one: it
  // would show another message, perhaps of another workspace. No index finds them, but the newest are seldom deleted.
  const newest = (await first(db.select({ seq: max(messages.seq) }).from(messages)))?.seq ?? 0
  if (seqs.every(seq => seq <= newest)) return
  await db.delete(events).where(gt(events.messageSeq, newest))
  await rewindUsage(engine, newest)
}

/** @returns how many messages of a workspace were accepted and have no outcome yet, of those for which it holds */
export async function waitingIn(
  { db, tables: { messages }, conditions: { isOfWorkspace, isUnsettled } }: Engine,
  workspaceId: string,
  condition?: SQL,
): Promise<number> {
  const isWaiting = and(isUnsettled, eq(messages.status, 'QUEUED'), isOfWorkspace(workspaceId), condition)
  return (await first(db.select({ count: count() }).from(messages).where(isWaiting)))?.count ?? 0
}

/** @returns how many messages wait to be sent to a contact */
export function waitingFor(
  engine: Engine,
  { workspaceId, contactId, addresses }: { workspaceId: string; contactId: string; addresses: readonly string[] },
): Promise<number> {
  const { contactId: ofContact, recipient } = engine.tables.messages
  return waitingIn(engine, workspaceId, or(eq(ofContact, contactId), engine.isAnyOf(recipient, addresses)))
}

/**
 * The verbs that erase for good. They share commits with sends, or hold locks that sends need, so each call erases a
 * bounded number of rows and is repeated until nothing is left. After a crash, the next call finds the rest.
 */
export function erasureVerbs(engine: Engine) {
  const { db, tables, deleteSome, isAnyOf, locking, lockContacts } = engine
  const { apiKeys, channels, contacts, events, flowSessions, inboundFiles, inboundMessages, invitations } = tables
  const { lines, memberships, messageContents, messages, planUsage, upstreamUpdates } = tables
  const { webhookEndpoints, workspaces } = tables

  /**
   * An acceptance locks its line, and an attempt its endpoint: either it came before and is visible from now on, or it
   * sees this change.
   */
  async function lockSendersOf(workspaceId: string) {
    for (const table of [channels, lines, webhookEndpoints]) {
      const isItsOwn = eq(table.workspaceId, workspaceId)
      await locking(db.select({ id: table.id }).from(table).where(isItsOwn).orderBy(asc(table.id)))
    }
  }

  const lockWorkspace = (workspaceId: string) =>
    locking(db.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.id, workspaceId)))

  return {
    async closeWorkspace({ workspaceId, at }) {
      const workspace = await first(db.select().from(workspaces).where(eq(workspaces.id, workspaceId)))
      if (!workspace) return { outcome: 'unknown' }
      await lockSendersOf(workspaceId)
      // Nothing that refers to the workspace can be added from here on; what was added just before is seen below.
      await lockWorkspace(workspaceId)
      await lockSendersOf(workspaceId)
      const waiting = await waitingIn(engine, workspaceId)
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
      await db
        .update(webhookEndpoints)
        .set({
          sealedSecrets: null,
          sealedHeaders: null,
          removedAt: sql`coalesce(${webhookEndpoints.removedAt}, ${at})`,
        })
        .where(eq(webhookEndpoints.workspaceId, workspaceId))
      return { outcome: 'removed', removed: workspace }
    },

    async eraseWorkspace({ workspaceId, limit }) {
      // Nothing that refers to the workspace can be added until this step is over.
      await lockContacts([workspaceId])
      await lockWorkspace(workspaceId)
      await lockSendersOf(workspaceId)
      const found = await db
        .select({ seq: messages.seq, id: messages.id })
        .from(messages)
        .where(eq(messages.workspaceId, workspaceId))
        .limit(limit)
      if (found.length > 0) {
        await deleteMessages(engine, found)
        return { erased: found.length, isDone: false }
      }
      // Not deleted: the rows say which files are still to be removed.
      const files = await eraseFiles(engine, eq(inboundFiles.workspaceId, workspaceId), limit)
      if (files > 0) return { erased: files, isDone: false }
      for (const [table, belongs] of longTablesOf(engine, workspaceId)) {
        const { found, erased } = await deleteSome(table, belongs, limit)
        if (found > 0) return { erased, isDone: false }
      }
      // In one step with the check of all other tables, so that nothing can come between.
      const members = await db
        .delete(memberships)
        .where(eq(memberships.workspaceId, workspaceId))
        .returning({ userId: memberships.userId })
      let erased = members.length
      for (const table of [planUsage, invitations, apiKeys, lines, channels, webhookEndpoints]) {
        const rows = db.delete(table).where(eq(table.workspaceId, workspaceId)).returning({ of: table.workspaceId })
        erased += (await rows).length
      }
      erased += await removeUsersWithoutWorkspace(
        engine,
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
        isAnyOf(messages.recipient, addresses),
        isAnyOf(messages.waId, addresses),
      )
      const ids = page.map(({ id }) => id)
      // Locked in the order in which hot verbs lock. Waiting messages are left as they are.
      const { seq, recipient, waId, channelMessageId, failures } = messages
      const isTheirs = and(isAnyOf(messages.id, ids), isOfContact, ne(messages.status, 'QUEUED'))
      const traces = { seq, recipient, waId, channelMessageId, failures }
      const found = await locking(db.select(traces).from(messages).where(isTheirs).orderBy(asc(messages.id)))
      const changed = found.flatMap(({ seq, ...traces }) => {
        const left = erased(traces)
        return left ? [{ seq, ...left }] : []
      })
      for (const { seq, ...left } of changed) await db.update(messages).set(left).where(eq(messages.seq, seq))
      const seqs = changed.map(({ seq }) => seq)
      await db.delete(messageContents).where(isAnyOf(messageContents.messageSeq, seqs))
      await forgetAnswers(engine, seqs)
      return { forgotten: seqs.length, after: last.id }
    },

    async forgetInbound({ contactId, limit }) {
      const { channelId, channelMessageId, content, phone, formerPhone, fileId } = inboundMessages
      const hasId = notLike(channelMessageId, `${digestMark}%`)
      const hasTraces = or(ne(content, '{}'), isNotNull(phone), isNotNull(formerPhone), isNotNull(fileId), hasId)
      const { workspaceId, seq } = inboundMessages
      const page = await db
        .select({ channelId, channelMessageId, workspaceId, seq, fileId })
        .from(inboundMessages)
        .where(and(eq(inboundMessages.contactId, contactId), hasTraces))
        .limit(limit)
      for (const named of page) {
        const isIt = and(eq(channelId, named.channelId), eq(channelMessageId, named.channelMessageId))
        const empty = { content: '{}', phone: null, formerPhone: null, fileId: null }
        await db
          .update(inboundMessages)
          .set({ ...empty, channelMessageId: digestOf(named.channelMessageId) })
          .where(isIt)
      }
      // Without a number it gave no event. A contact has one workspace.
      const told = page.flatMap(({ seq }) => (seq === null ? [] : [seq]))
      const of = page.find(({ workspaceId }) => workspaceId !== null)?.workspaceId
      if (of) await forgetAnswersTo(engine, of, told)
      const fileIds = page.flatMap(({ fileId }) => fileId ?? [])
      await eraseFiles(engine, isAnyOf(inboundFiles.id, fileIds), limit)
      return page.length
    },

    async forgetContact({ contactId, addresses, at }) {
      const contact = await first(db.select().from(contacts).where(eq(contacts.id, contactId)))
      if (!contact) return { outcome: 'unknown' }
      // A message being received at this moment would restore the contact's name and number.
      await lockContacts([contact.workspaceId])
      const waiting = await waitingFor(engine, { contactId, addresses, workspaceId: contact.workspaceId })
      if (waiting > 0) return { outcome: 'waiting', waiting }
      await db
        .update(contacts)
        .set({ phone: null, userId: null, name: null, heardSeq: null, readSeq: 0, updatedAt: at })
        .where(or(eq(contacts.id, contactId), eq(contacts.mergedInto, contactId)))
      await db
        .update(flowSessions)
        .set({
          flowToken: null,
          closedAt: sql`coalesce(${flowSessions.closedAt}, ${at})`,
          closedBy: sql`coalesce(${flowSessions.closedBy}, 'revalidated')`,
        })
        .where(eq(flowSessions.contactId, contactId))
      // What the upstream said about the contact has its number, and what its events show has its name too.
      await db.delete(upstreamUpdates).where(eq(upstreamUpdates.subject, contactId))
      const merged = db.select({ id: contacts.id }).from(contacts).where(eq(contacts.mergedInto, contactId))
      const told = await db
        .delete(events)
        .where(or(eq(events.subject, contactId), inArray(events.subject, merged)))
        .returning({ seq: events.seq })
      await deleteDeliveriesOf(
        engine,
        contact.workspaceId,
        told.map(({ seq }) => seq),
      )
      return { outcome: 'removed', removed: contactId }
    },
  } satisfies Partial<StoreWrites>
}
