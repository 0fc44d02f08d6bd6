import { and, asc, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { EpochMs } from '../../src/base/clock.ts'
import { openBatchStates } from '../../src/message/batches.ts'
import { needsContent, type StatusQuestion } from '../../src/message/statuses.ts'
import type { StoreWrites } from '../contract/store.ts'
import { hasStatus } from '../schema/statuses.ts'
import type { Row } from '../schema/tables.ts'
import { type Engine, first, selectedThrough } from './engine.ts'
import { eraseFiles } from './files.ts'
import { removeUsersWithoutWorkspace } from './members.ts'
import { messageDeletion } from './messageDeletion.ts'

/**
 * Tables besides the messages that can be long, each with a condition that an index finds, in the order in which they
 * are erased. A test fails when a table with data of a workspace is neither here nor in the verbs below.
 */
async function longTablesOf(
  { db, tables, ownLongTables }: Engine,
  workspaceId: string,
): Promise<readonly (readonly [PgTable, SQL])[]> {
  const { batches, channels, lines, webhookEndpoints } = tables
  const ofWorkspace = [sql`workspace_id = ${workspaceId}`]
  // One by one: given a list, SQLite reads all of a table that it believes to be small.
  const ofEach = async (
    column: 'batch_id' | 'channel_id' | 'line_id' | 'endpoint_id',
    table: typeof batches | typeof channels | typeof lines | typeof webhookEndpoints,
  ) => {
    const its = await db.select({ id: table.id }).from(table).where(eq(table.workspaceId, workspaceId))
    return its.map(({ id }) => sql`${sql.raw(column)} = ${id}`)
  }
  const ofItsChannels = await ofEach('channel_id', channels)
  const ofItsLines = await ofEach('line_id', lines)
  const ofItsEndpoints = await ofEach('endpoint_id', webhookEndpoints)
  const isItsOwn = sql`workspace_id = ${workspaceId}`
  // Updates of the upstream name what they are about by its id alone: all are looked at.
  const ofItsSubjects = sql`EXISTS (SELECT 1 FROM channels WHERE id = subject AND ${isItsOwn})
    OR EXISTS (SELECT 1 FROM lines WHERE id = subject AND ${isItsOwn})
    OR EXISTS (SELECT 1 FROM contacts WHERE id = subject AND ${isItsOwn})
    OR EXISTS (SELECT 1 FROM templates JOIN channels ON channels.id = templates.channel_id
      WHERE templates.id = subject AND ${isItsOwn})`
  const own = ownLongTables.map(([table, of]) => [table, { ofWorkspace, ofItsChannels, ofItsLines }[of]] as const)
  const long = [
    [tables.batchItems, await ofEach('batch_id', batches)],
    [tables.batches, ofWorkspace],
    [tables.webhookDeliveries, ofItsEndpoints],
    [tables.inboundMessages, ofItsChannels],
    [tables.parkedReports, ofItsChannels],
    [tables.callbackReceipts, ofItsChannels],
    [tables.mediaUploads, ofItsLines],
    [tables.dailyCounts, ofWorkspace],
    [tables.apiRequests, ofWorkspace],
    [tables.events, ofWorkspace],
    [tables.eventCounters, ofWorkspace],
    [tables.formerUserIds, ofWorkspace],
    [tables.numberSpellings, ofWorkspace],
    ...own,
    // Before their subjects, and after all that takes many steps.
    [tables.upstreamUpdates, [ofItsSubjects]],
    [tables.templates, ofItsChannels],
    [tables.contacts, ofWorkspace],
  ] as const
  return long.flatMap(([table, conditions]) => conditions.map(belongs => [table, belongs] as const))
}

/**
 * @param of what of them counts; left out: all that is still to be sent
 * @returns how many messages of a workspace were accepted and have no outcome yet, of those for which it holds
 */
export async function waitingIn(
  { db, through, tables: { messages }, conditions: { isOfWorkspace, isUnsettled } }: Engine,
  workspaceId: string,
  condition?: SQL,
  of: StatusQuestion = needsContent,
): Promise<number> {
  const isWaiting = and(isUnsettled, hasStatus(messages.status, of), isOfWorkspace(workspaceId), condition)
  return (
    (await first(db.select({ count: count() }).from(through(messages, 'messages_unsettled')).where(isWaiting)))
      ?.count ?? 0
  )
}

type Begun = Pick<Row<'erasures'>, 'subject' | 'workspaceId' | 'part'> &
  Partial<Pick<Row<'erasures'>, 'addresses' | 'contactIds' | 'untilSeq'>> & { readonly at: EpochMs }

/** @returns the row of an erasure before its first step */
export const begun = ({
  at,
  addresses = [],
  contactIds = [],
  untilSeq = null,
  ...erasure
}: Begun): Row<'erasures'> => ({
  ...{ ...erasure, addresses, contactIds, untilSeq, begunAt: at, steppedAt: at },
  ...{ afterAt: 0, afterSeq: 0, messages: 0, inbound: 0 },
})

/**
 * The verbs that erase a workspace for good. They share commits with sends, or hold locks that sends need, so each call
 * erases a bounded number of rows and is repeated until nothing is left. The row in `erasures` says that it is not
 * done.
 */
export function erasureVerbs(engine: Engine) {
  const {
    columns: { workspaceColumns },
    db,
    tables,
    deleteSome,
    locking,
    lockContacts,
    through,
  } = engine
  const { apiKeys, batches, channels, erasures, inboundFiles, invitations } = tables
  const { lines, memberships, messages, planUsage, priceRates, putAwayFindings } = tables
  const { webhookEndpoints, workspaces } = tables
  const deleteMessages = messageDeletion(engine)

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
      const workspace = await first(db.select(workspaceColumns).from(workspaces).where(eq(workspaces.id, workspaceId)))
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
        .update(batches)
        .set({ state: 'cancelled', endedAt: at })
        .where(and(eq(batches.workspaceId, workspaceId), inArray(batches.state, [...openBatchStates])))
      await db
        .update(webhookEndpoints)
        .set({
          sealedSecrets: null,
          sealedHeaders: null,
          removedAt: sql`coalesce(${webhookEndpoints.removedAt}, ${at})`,
        })
        .where(eq(webhookEndpoints.workspaceId, workspaceId))
      await db
        .insert(erasures)
        .values(begun({ subject: workspaceId, workspaceId, at, part: 'workspace' }))
        .onConflictDoNothing()
      return { outcome: 'removed', removed: workspace }
    },

    async eraseWorkspace({ workspaceId, limit, at }) {
      await engine.findByIndex()
      const isIt = eq(erasures.subject, workspaceId)
      await db.update(erasures).set({ steppedAt: at }).where(isIt)
      // Nothing that refers to the workspace can be added until this step is over.
      await lockContacts([workspaceId])
      await lockWorkspace(workspaceId)
      await lockSendersOf(workspaceId)
      const found = await db
        .select(selectedThrough({ seq: messages.seq, id: messages.id }))
        .from(through(messages, 'messages_workspace'))
        .where(eq(messages.workspaceId, workspaceId))
        .limit(limit)
      if (found.length > 0) {
        await deleteMessages(found)
        return { erased: found.length, isDone: false }
      }
      const ofWorkspace = { index: 'inbound_files_workspace', condition: eq(inboundFiles.workspaceId, workspaceId) }
      // Not deleted: the rows say which files are still to be removed.
      const files = await eraseFiles(engine, ofWorkspace, limit)
      if (files > 0) return { erased: files, isDone: false }
      for (const [table, belongs] of await longTablesOf(engine, workspaceId)) {
        const { found, erased } = await deleteSome(table, belongs, limit)
        if (found > 0) return { erased, isDone: false }
      }
      // In one step with the check of all other tables, so that nothing can come between.
      const members = await db
        .delete(memberships)
        .where(eq(memberships.workspaceId, workspaceId))
        .returning({ userId: memberships.userId })
      let erased = members.length
      for (const table of [
        ...[planUsage, priceRates, putAwayFindings, invitations, apiKeys, lines, channels, webhookEndpoints, erasures],
      ]) {
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
  } satisfies Partial<StoreWrites>
}
