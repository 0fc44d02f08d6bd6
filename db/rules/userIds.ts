import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/base/clock.ts'
import { digestOf } from '../../src/message/forgotten.ts'
import type { StoreWrites } from '../contract/store.ts'
import { type Engine, first, prepared } from './engine.ts'

/** The upstream says that a user has another user id. */
interface UserIdChange<Id = string> {
  readonly former: Id
  readonly current: Id
  readonly at: EpochMs
  readonly recordedAt: EpochMs
}

/**
 * Which user ids are of one user. The upstream gives an id to one user only, so all that news connects is one user,
 * whenever the news comes; which id the user has now is the one that no news says was left. It is known without a
 * contact: the news may come before the first message.
 *
 * Each row names the current id itself, so that one look finds it however often the id has changed.
 *
 * The caller has locked the contacts of the workspace.
 */
export function userIds({ db, tables: { formerUserIds } }: Pick<Engine, 'db' | 'tables'>) {
  const { at, currentUserId, userId, workspaceId } = formerUserIds
  const isOf = (workspace: string, condition: SQL) => and(eq(workspaceId, workspace), condition)
  const found = prepared(() =>
    db
      .select({ current: currentUserId, at })
      .from(formerUserIds)
      .where(and(eq(workspaceId, sql.placeholder('workspaceId')), eq(userId, sql.placeholder('userId')))),
  )
  const leaving = (workspace: string, id: string) => first(found({ workspaceId: workspace, userId: id }))

  /** @returns the id that the user with this one has now */
  const currentOf = async (workspace: string, id: string | null) =>
    id === null ? null : ((await leaving(workspace, id))?.current ?? id)

  /** @param former,current are in no row a former one */
  async function connect(workspace: string, { former, current, ...times }: UserIdChange): Promise<void> {
    const row = { workspaceId: workspace, userId: former, currentUserId: current, ...times }
    await db.insert(formerUserIds).values(row)
    await db
      .update(formerUserIds)
      .set({ currentUserId: current })
      .where(isOf(workspace, eq(currentUserId, former)))
  }

  /**
   * Keeps a change of a user id.
   * @returns every id that this shows to be of one user; null when it was told before, or is of a forgotten one
   */
  async function change(
    workspace: string,
    { former, current, ...times }: UserIdChange<string | null>,
  ): Promise<readonly string[] | null> {
    if (former === null || current === null || former === current) return []
    // Told again after the user was forgotten, or late of an id from before, it brings nothing back.
    for (const id of [former, current]) if (await leaving(workspace, digestOf(id))) return null
    const before = await leaving(workspace, former)
    const after = await leaving(workspace, current)
    const [one, other] = [before?.current ?? former, after?.current ?? current]
    if (one === other) {
      // Of one user already. Who is said to have come back since has the earlier id again.
      if (!after || before || after.at >= times.at) return null
      await db.delete(formerUserIds).where(isOf(workspace, eq(userId, current)))
      await connect(workspace, { former, current, ...times })
      return [former, current]
    }
    // Two changes of one id name two others: the later word counts.
    const isLater = !before || before.at <= times.at
    const ends = isLater ? { former: one, current: other } : { former: other, current: one }
    await connect(workspace, { ...ends, ...times, at: isLater ? times.at : before.at })
    return [former, current, one, other]
  }

  return { currentOf, change }
}

/** @returns of these user ids, those that were left, each with the one that its user has now */
export async function currentIdsOf(
  { db, isAnyOf, tables: { formerUserIds } }: Engine,
  query: { workspaceId: string; userIds: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  if (query.userIds.length === 0) return new Map()
  const { workspaceId, userId, currentUserId } = formerUserIds
  const rows = await db
    .select({ userId, currentUserId })
    .from(formerUserIds)
    .where(and(eq(workspaceId, query.workspaceId), isAnyOf(userId, query.userIds)))
  return new Map(rows.map(row => [row.userId, row.currentUserId]))
}

/** @returns the user ids that the user with this one had before, as far as they are kept */
export async function formerIdsOf(
  { db, tables: { formerUserIds } }: Engine,
  { workspaceId, userId }: { workspaceId: string; userId: string | null },
): Promise<string[]> {
  if (userId === null) return []
  const isTheirs = and(eq(formerUserIds.workspaceId, workspaceId), eq(formerUserIds.currentUserId, userId))
  const rows = await db
    .select({ userId: formerUserIds.userId })
    .from(formerUserIds)
    .where(isTheirs)
    .orderBy(desc(formerUserIds.at), asc(formerUserIds.userId))
  return rows.map(row => row.userId)
}

/** Forgets the user ids that a contact had. Of each stays a digest, so that the same news does not bring them back. */
export async function forgetFormerIds(engine: Engine, contact: { workspaceId: string; userId: string | null }) {
  const { formerUserIds } = engine.tables
  const isIn = eq(formerUserIds.workspaceId, contact.workspaceId)
  for (const id of await formerIdsOf(engine, contact)) {
    await engine.db
      .update(formerUserIds)
      .set({ userId: digestOf(id), currentUserId: '' })
      .where(and(isIn, eq(formerUserIds.userId, id)))
  }
}

export const formerIdPruning = ({ deleteSome, tables: { formerUserIds } }: Engine) =>
  ({
    async pruneFormerUserIds({ recordedBefore, limit }) {
      // In order, so that PostgreSQL goes along the index also where it knows nothing of the table.
      const isOld = sql`recorded_at < ${recordedBefore} ORDER BY recorded_at`
      return (await deleteSome(formerUserIds, isOld, limit)).erased
    },
  }) satisfies Partial<StoreWrites>
