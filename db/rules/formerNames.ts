import { and, asc, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/base/clock.ts'
import { digestOf } from '../../src/message/forgotten.ts'
import type { Contact } from '../contract/records.ts'
import type { StoreWrites } from '../contract/store.ts'
import type { Tables } from '../schema/tables.ts'
import { type Engine, first, prepared } from './engine.ts'

/** The upstream says that somebody or something has another name. */
interface Renaming<Name = string> {
  readonly former: Name
  readonly current: Name
  readonly at: EpochMs
  readonly recordedAt: EpochMs
}

/** User ids that a user has left, or spellings of a number that the upstream writes in another way. */
export type NamesTable = Tables['formerUserIds' | 'numberSpellings']

/**
 * Which names are of one user, or of one number. The upstream gives a name to one only, so all that news connects is
 * one, whenever the news comes; which name it has now is the one that no news says was left. It is known without a
 * contact: the news may come before the first message.
 *
 * Each row names the current name itself, so that one look finds it however often the name has changed.
 *
 * The caller has locked the contacts of the workspace.
 */
export function formerNames({ db }: Pick<Engine, 'db'>, table: NamesTable) {
  const isOf = (workspace: string, condition: SQL) => and(eq(table.workspaceId, workspace), condition)
  const found = prepared(() =>
    db
      .select({ current: table.current, at: table.at })
      .from(table)
      .where(and(eq(table.workspaceId, sql.placeholder('workspaceId')), eq(table.former, sql.placeholder('name')))),
  )

  /** @returns what the one with this name is called since, and when the upstream said so; null: it has this name */
  const leaving = (workspace: string, name: string) => first(found({ workspaceId: workspace, name }))

  /** @returns the name that the one with this name has now */
  const currentOf = async (workspace: string, name: string | null) =>
    name === null ? null : ((await leaving(workspace, name))?.current ?? name)

  /** @param former,current are in no row a former one */
  async function connect(workspace: string, { former, current, ...times }: Renaming): Promise<void> {
    await db.insert(table).values({ workspaceId: workspace, former, current, ...times })
    await db
      .update(table)
      .set({ current })
      .where(isOf(workspace, eq(table.current, former)))
  }

  /** Keeps a name longer: it was told again. */
  async function keepSince(workspace: string, name: string, recordedAt: EpochMs): Promise<void> {
    const isOlder = and(eq(table.former, name), lt(table.recordedAt, recordedAt))
    await db
      .update(table)
      .set({ recordedAt })
      .where(and(eq(table.workspaceId, workspace), isOlder))
  }

  /** The name is one of its own again. */
  async function giveBack(workspace: string, name: string): Promise<void> {
    await db.delete(table).where(isOf(workspace, eq(table.former, name)))
  }

  /**
   * Keeps a change of a name.
   * @returns every name that this shows to be of one; null when it was told before, or is of a forgotten one
   */
  async function change(
    workspace: string,
    { former, current, ...times }: Renaming<string | null>,
  ): Promise<readonly string[] | null> {
    if (former === null || current === null || former === current) return []
    // Told again after the user was forgotten, or late of a name from before, it brings nothing back.
    for (const name of [former, current]) if (await leaving(workspace, digestOf(name))) return null
    const before = await leaving(workspace, former)
    const after = await leaving(workspace, current)
    const [one, other] = [before?.current ?? former, after?.current ?? current]
    if (one === other) {
      // Of one already. Who is said to have come back since has the earlier name again.
      if (!after || before || after.at >= times.at) return null
      await giveBack(workspace, current)
      await connect(workspace, { former, current, ...times })
      return [former, current]
    }
    // Two changes of one name give two others: the later word counts.
    const isLater = !before || before.at <= times.at
    const ends = isLater ? { former: one, current: other } : { former: other, current: one }
    await connect(workspace, { ...ends, ...times, at: isLater ? times.at : before.at })
    return [former, current, one, other]
  }

  return { leaving, currentOf, keepSince, giveBack, change }
}

/** @returns finds, of some names, those that were left, each with the one that counts now */
export function currentNames({ db, isAnyOf, listed }: Engine, table: NamesTable) {
  const found = prepared(() =>
    db
      .select({ former: table.former, current: table.current })
      .from(table)
      .where(
        and(eq(table.workspaceId, sql.placeholder('workspaceId')), isAnyOf(table.former, sql.placeholder('names'))),
      ),
  )
  return async (workspaceId: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const rows = names.length === 0 ? [] : await found({ workspaceId, names: listed(names) })
    return new Map(rows.map(({ former, current }) => [former, current]))
  }
}

/** @returns the names that the one with this name had before, as far as they are kept, the last first */
export async function formerNamesOf(
  { db }: Pick<Engine, 'db'>,
  table: NamesTable,
  { workspaceId, name }: { readonly workspaceId: string; readonly name: string | null },
): Promise<string[]> {
  if (name === null) return []
  const rows = await db
    .select({ former: table.former })
    .from(table)
    .where(and(eq(table.workspaceId, workspaceId), eq(table.current, name)))
    .orderBy(desc(table.at), asc(table.former))
  return rows.map(({ former }) => former)
}

/**
 * Forgets the names that a contact had. Of each user id stays a digest, so that the same news does not bring them back;
 * of a spelling nothing, because a number can be guessed from its digest.
 */
export async function forgetFormerNames(engine: Engine, { workspaceId, phone, userId }: Contact): Promise<void> {
  const { formerUserIds: ids, numberSpellings: spellings } = engine.tables
  for (const id of await formerNamesOf(engine, ids, { workspaceId, name: userId })) {
    await engine.db
      .update(ids)
      .set({ former: digestOf(id), current: '' })
      .where(and(eq(ids.workspaceId, workspaceId), eq(ids.former, id)))
  }
  if (phone !== null)
    await engine.db.delete(spellings).where(and(eq(spellings.workspaceId, workspaceId), eq(spellings.current, phone)))
}

export const formerNamePruning = ({ deleteSome, tables: { formerUserIds, numberSpellings } }: Engine) =>
  ({
    async pruneFormerNames({ recordedBefore, limit }) {
      // In order, so that PostgreSQL goes along the index also where it knows nothing of the table.
      const isOld = sql`recorded_at < ${recordedBefore} ORDER BY recorded_at`
      const ids = await deleteSome(formerUserIds, isOld, limit)
      return ids.erased + (await deleteSome(numberSpellings, isOld, limit - ids.erased)).erased
    },
  }) satisfies Partial<StoreWrites>
