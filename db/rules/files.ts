import { and, asc, count, eq, gt, inArray, isNotNull, lt, lte, max, ne, not, or, type SQL, sql } from 'drizzle-orm'
import { formFileIds, formKinds } from '../../src/message/formFiles.ts'
import type { FileReads, FileState, InboundFile } from '../contract/files.ts'
import type { StoreWrites } from '../contract/store.ts'
import type { Row, Tables } from '../schema/tables.ts'
import { type Engine, first, prepared, selectedThrough } from './engine.ts'

/** What is read of a file that is shown. */
export const fileColumnsOf = ({ id, state, mimeType, fileName, bytes }: Tables['inboundFiles']) => ({
  ...{ id, state, mimeType, fileName, bytes },
})

export type FileRow = Pick<Row<'inboundFiles'>, keyof InboundFile>

/** @returns the file as it is shown; null for one that was erased: its row is only to be removed */
export const shownFile = (row: FileRow | null): InboundFile | null =>
  row && isShown(row.state) ? { ...row, state: row.state } : null

const isShown = (state: FileRow['state']): state is FileState => state !== 'erased'

/** Due at once. */
const now = 0

/**
 * Makes files nobody's, and due to be removed. Their rows go when their files are gone.
 * @param found which, and along which index they are found; null: by their id
 * @param order that of the condition's index, where it has one; without any, PostgreSQL may read all files for a range
 * @returns how many, at most `limit`
 */
export async function eraseFiles(
  { db, tables: { inboundFiles }, onEach, locking, through }: Engine,
  { index, condition }: { index: string | null; condition: SQL },
  limit: number,
  order: readonly SQL[] = [],
): Promise<number> {
  const { id, state } = inboundFiles
  const table = index === null ? sql`${inboundFiles}` : through(inboundFiles, index)
  const found = db
    .select(selectedThrough({ id }))
    .from(table)
    .where(and(ne(state, 'erased'), condition))
    .orderBy(...order)
    .limit(limit)
  const ids = (await locking(found)).map(file => file.id)
  const nobody = { workspaceId: '', channelId: '', upstreamId: '', sha256: null, mimeType: null, fileName: null }
  const erased = { ...nobody, state: 'erased', bytes: null, dueAt: now, attempts: 0 } as const
  await onEach(isOne => db.update(inboundFiles).set(erased).where(isOne(id)))(ids)
  return ids.length
}

/** The verbs of files that users sent. */
export function fileVerbs(engine: Engine) {
  const { db, tables, isAnyOf, locking, through } = engine
  const { channels, inboundFiles } = tables
  const { id, workspaceId, channelId, bytes, recordedAt, state, attempts, mismatches, dueAt } = inboundFiles
  // Written out: the condition of an index is compared by its text.
  const isStored = sql`${state} = 'stored'`
  const isPending = (fileId: string) => and(eq(id, fileId), eq(state, 'pending'))

  const stored = (index: string, condition: SQL | undefined) =>
    db.select(selectedThrough({ id, bytes })).from(through(inboundFiles, index)).where(and(isStored, condition))

  /** @param found those that may expire, in their order @returns how many bytes they had */
  async function expire(
    found: PromiseLike<{ id: string; bytes: number | null }[]>,
    bytesMin = Number.POSITIVE_INFINITY,
  ) {
    const expired: string[] = []
    let total = 0
    for (const file of await found) {
      if (total >= bytesMin) break
      expired.push(file.id)
      total += file.bytes ?? 0
    }
    const set = { state: 'expired', dueAt: now, attempts: 0 } as const
    await db.update(inboundFiles).set(set).where(isAnyOf(id, expired))
    return { files: expired.length, bytes: total }
  }

  return {
    async announceFile(file) {
      const nothingUpstream = { channelId: '', upstreamId: '' }
      const begun = { state: 'pending', attempts: 0, mismatches: 0, bytes: null } as const
      await db.insert(inboundFiles).values({ ...file, ...nothingUpstream, ...begun })
    },

    async keepFile({ fileId, ...stored }) {
      const kept = await db
        .update(inboundFiles)
        .set({ ...stored, state: 'stored', dueAt: null })
        .where(isPending(fileId))
        .returning({ id })
      return kept.length > 0
    },

    async postponeFile({ fileId, dueAt: later, isMismatch }) {
      await db
        .update(inboundFiles)
        .set({
          dueAt: later,
          attempts: sql`${attempts} + 1`,
          ...(isMismatch && { mismatches: sql`${mismatches} + 1` }),
        })
        .where(and(eq(id, fileId), isNotNull(dueAt)))
    },

    async giveUpFile({ fileId, state: end }) {
      await db.update(inboundFiles).set({ state: end, dueAt: now, attempts: 0 }).where(isPending(fileId))
    },

    async expireFile({ fileId }) {
      const isKept = and(eq(id, fileId), inArray(state, ['pending', 'stored']))
      await db.update(inboundFiles).set({ state: 'expired', dueAt: now, attempts: 0 }).where(isKept)
    },

    async dropFile({ fileId }) {
      await db.delete(inboundFiles).where(and(eq(id, fileId), eq(state, 'erased')))
      await db
        .update(inboundFiles)
        .set({ dueAt: null })
        .where(and(eq(id, fileId), inArray(state, ['failed', 'expired'])))
    },

    async expireFiles({ recordedBefore, limit }) {
      const aged = stored('inbound_files_stored', lt(recordedAt, recordedBefore)).orderBy(asc(recordedAt)).limit(limit)
      const { files } = await expire(locking(aged))
      if (files === limit) return files
      // Asked before: in one statement with theirs PostgreSQL goes along all files that are stored.
      const removed = await db.select({ id: channels.id }).from(channels).where(isNotNull(channels.removedAt))
      const areTheirs = isAnyOf(
        channelId,
        removed.map(channel => channel.id),
      )
      // In no order: all that the channels have would be sorted for each step.
      const ofRemoved = stored('inbound_files_channel', areTheirs).limit(limit - files)
      return files + (await expire(locking(ofRemoved))).files
    },

    async expireOldestFiles({ workspaceId: owner, bytes: wanted, limit }) {
      const oldestOfIt = stored('inbound_files_kept', eq(workspaceId, owner)).orderBy(asc(recordedAt)).limit(limit)
      return (await expire(locking(oldestOfIt), wanted)).bytes
    },

    eraseOldFiles: ({ recordedBefore, limit }) =>
      eraseFiles(engine, { index: 'inbound_files_age', condition: lt(recordedAt, recordedBefore) }, limit, [
        asc(recordedAt),
      ]),
  } satisfies Partial<StoreWrites>
}

export function fileReads({ db, tables: { inboundFiles, inboundMessages }, isAnyOf, listed }: Engine): FileReads {
  const { id, workspaceId, channelId, recordedAt, state, bytes, dueAt, sha256 } = inboundFiles
  const isWanted = or(eq(state, 'pending'), eq(state, 'stored'))

  // Asked every five seconds, and again while there is something to do.
  const headsOf = prepared(() => {
    // Goes from workspace to workspace by the index: how many files each has makes no difference. Each step is in the
    // index's whole order: PostgreSQL may otherwise read and sort all files of a workspace.
    const firstAlong = (what: string, condition: SQL) =>
      sql`(SELECT ${sql.raw(what)} FROM inbound_files WHERE due_at IS NOT NULL AND ${condition}
        ORDER BY workspace_id, due_at LIMIT 1)`
    const isOther = not(isAnyOf(id, sql.placeholder('except')))
    // Where nothing is left of a workspace, it is that of the next.
    const head = firstAlong('id', sql`(workspace_id, due_at) >= (taking.turn, 0) AND ${isOther}`)
    const heads = sql`(WITH RECURSIVE taking(turn) AS (
      SELECT ${firstAlong('workspace_id', sql`workspace_id >= ''`)}
      UNION ALL SELECT ${firstAlong('workspace_id', sql`workspace_id > taking.turn`)} FROM taking
        WHERE taking.turn IS NOT NULL)
      SELECT ${head} AS id FROM taking WHERE taking.turn IS NOT NULL) AS heads`
    return db.select({ id: sql<string | null>`heads.id` }).from(heads)
  })
  const dueAmong = prepared(() =>
    db
      .select()
      .from(inboundFiles)
      .where(and(isAnyOf(id, sql.placeholder('ids')), lte(dueAt, sql.placeholder('at'))))
      .orderBy(asc(dueAt))
      .limit(sql.placeholder('limit')),
  )

  return {
    async file({ workspaceId: workspace, fileId, lineIds }) {
      const row = await first(
        db
          .select({ ...fileColumnsOf(inboundFiles), channelId, recordedAt, sha256 })
          .from(inboundFiles)
          .where(and(eq(id, fileId), eq(workspaceId, workspace))),
      )
      if (!row) return null
      const { channelId: channel, recordedAt: at, sha256: sum, ...kept } = row
      const shown = shownFile(kept)
      const file = shown && { ...shown, sha256: sum }
      if (lineIds === undefined || channel === '') return file
      // Its message is stored with it, at the same time, which has an index.
      const { lineId, channelMessageId, kind } = inboundMessages
      const maybeIts = and(
        eq(inboundMessages.recordedAt, at),
        or(eq(inboundMessages.fileId, fileId), inArray(kind, formKinds)),
      )
      const found = await db.select({ lineId, channelMessageId, kind }).from(inboundMessages).where(maybeIts)
      const message = found.find(
        each => !formKinds.includes(each.kind) || formFileIds(workspace, each.channelMessageId).includes(fileId),
      )
      return lineIds.some(line => line === message?.lineId) ? file : null
    },

    async dueFiles({ at, except, limit }) {
      const found = await headsOf({ except: listed(except) })
      // By themselves: PostgreSQL takes what the recursion finds for so much that it reads all files to join it.
      const ids = found.flatMap(head => head.id ?? [])
      return ids.length === 0 ? [] : await dueAmong({ ids: listed(ids), at, limit })
    },

    async wantedFiles(fileIds) {
      const found = db.select({ id }).from(inboundFiles)
      return (await found.where(and(isAnyOf(id, fileIds), isWanted))).map(file => file.id)
    },

    async storedBytes({ after, limit }) {
      const next = db
        .select({ id, workspaceId, state, bytes })
        .from(inboundFiles)
        .where(gt(id, after))
        .orderBy(asc(id))
        .limit(limit)
        .as('next')
      const sum = sql`coalesce(sum(CASE WHEN ${next.state} = 'stored' THEN ${next.bytes} END), 0)`.mapWith(Number)
      const owner = next.workspaceId
      const found = await db
        .select({ workspaceId: owner, bytes: sum, last: max(next.id), count: count() })
        .from(next)
        .groupBy(owner)
      const isEnd = found.reduce((total, each) => total + each.count, 0) < limit
      const workspaces = found.map(({ workspaceId: id, bytes: sum }) => ({ workspaceId: id, bytes: sum }))
      // In the order of bytes, as the database has it.
      return {
        workspaces,
        after: isEnd
          ? null
          : (found
              .map(({ last }) => last ?? '')
              .toSorted()
              .at(-1) ?? null),
      }
    },
  }
}
