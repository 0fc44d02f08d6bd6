import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { usageKindsOf } from '../../src/message/counts.ts'
import { monthOf } from '../../src/message/plan.ts'
import type { CountedUsage, UsageReads, UsageWrites } from '../usage.ts'
import { type Engine, first, portionsOf } from './engine.ts'

/** The property of the database that holds where the counting is. */
const property = 'usage'

const none: CountedUsage = { seq: 0, until: 0 }

const readCounted = async ({ db, tables: { properties } }: Engine): Promise<CountedUsage | null> => {
  const value = (await first(db.select().from(properties).where(eq(properties.name, property))))?.value
  return value === undefined ? null : JSON.parse(value)
}

export const usageReads = (engine: Engine): UsageReads => ({
  async monthlyCounts({ workspaceId, month }) {
    const { dailyCounts } = engine.tables
    return await engine.db
      .select({ kind: dailyCounts.kind, count: dailyCounts.count })
      .from(dailyCounts)
      .where(and(eq(dailyCounts.workspaceId, workspaceId), eq(dailyCounts.day, month)))
  },

  countedUsage: () => readCounted(engine),
})

/** Messages are walked through in the order of their numbers, which is that of their acceptance. */
export function usageVerbs(engine: Engine): UsageWrites {
  const { db, tables, isAnyOf, locking } = engine
  const { apiKeys, dailyCounts, lines, messages, properties, workspaces } = tables
  const { seq, workspaceId, createdAt, templateName } = messages

  const next = (after: number, limit: number) =>
    db
      .select({ seq, workspaceId, createdAt, templateName, lineId: lines.id, keyId: apiKeys.id })
      .from(messages)
      // A cross join keeps SQLite from going from the lines to messages.
      .crossJoin(lines)
      .leftJoin(apiKeys, eq(apiKeys.seq, messages.apiKeySeq))
      .where(and(gt(seq, after), eq(lines.seq, messages.lineSeq)))
      .orderBy(asc(seq))
      .limit(limit)

  return {
    async countUsage({ before, limit }) {
      const from = await readCounted(engine)
      const found = await next((from ?? none).seq, limit)
      const late = found.findIndex(message => message.createdAt >= before)
      // The first one that is too new ends the step: one with a smaller number may still come.
      const counted = late === -1 ? found : found.slice(0, late)
      // Locked as an erasure locks them, and before the place: a workspace that is gone gets no counts any more.
      const ids = [...new Set(counted.map(message => message.workspaceId))]
      const there = db.select({ id: workspaces.id }).from(workspaces).where(isAnyOf(workspaces.id, ids))
      const living = new Set((await locking(there.orderBy(asc(workspaces.id)))).map(({ id }) => id))
      await db
        .insert(properties)
        .values({ name: property, value: JSON.stringify(none) })
        .onConflictDoNothing()
      await locking(db.select().from(properties).where(eq(properties.name, property)))
      // Another instance has counted meanwhile.
      if ((await readCounted(engine))?.seq !== (from ?? none).seq) return 0

      const counts = new Map<string, typeof dailyCounts.$inferInsert>()
      for (const message of counted.filter(message => living.has(message.workspaceId))) {
        for (const kind of usageKindsOf(message)) {
          const row = { workspaceId: message.workspaceId, day: monthOf(message.createdAt), kind }
          const key = JSON.stringify(row)
          counts.set(key, { ...row, count: (counts.get(key)?.count ?? 0) + 1 })
        }
      }
      for (const rows of portionsOf([...counts.values()])) {
        await db
          .insert(dailyCounts)
          .values(rows)
          .onConflictDoUpdate({
            target: [dailyCounts.workspaceId, dailyCounts.day, dailyCounts.kind],
            set: { count: sql`${dailyCounts.count} + excluded.count` },
          })
      }
      const last = counted.at(-1)
      const isAll = counted.length < limit
      const until = Math.max(from?.until ?? 0, isAll ? before : (last?.createdAt ?? 0))
      await putCounted(engine, { seq: last?.seq ?? from?.seq ?? 0, until })
      return counted.length
    },
  }
}

const putCounted = ({ db, tables: { properties } }: Engine, counted: CountedUsage) =>
  db
    .update(properties)
    .set({ value: JSON.stringify(counted) })
    .where(eq(properties.name, property))

/**
 * SQLite gives the numbers of the newest messages again when they are gone: those that get them next are to be counted.
 * @param newest the greatest number of a message that is left
 */
export async function rewindUsage(engine: Engine, newest: number): Promise<void> {
  const counted = await readCounted(engine)
  if (counted && counted.seq > newest) await putCounted(engine, { ...counted, seq: newest })
}
