import { and, asc, eq, gt, gte, like, lt, lte, max, or, sql } from 'drizzle-orm'
import { dayMs } from '../../src/base/durations.ts'
import {
  addedUp,
  dayOf,
  priceCountOf,
  priceKindStarts,
  templateKindOf,
  templateKindStart,
  usageKindsOf,
} from '../../src/message/counts.ts'
import { monthOf } from '../../src/message/plan.ts'
import {
  type CountedUsage,
  countedLateMs,
  type TemplateCount,
  type UsageReads,
  type UsageWrites,
} from '../contract/usage.ts'
import type { Row } from '../schema/tables.ts'
import { type Engine, first, portionsOf } from './engine.ts'

/** The property of the database that holds where the counting is. */
const property = 'usage'

const none: CountedUsage = { seq: 0, until: 0 }

const readCounted = async ({ db, tables: { properties } }: Engine): Promise<CountedUsage | null> => {
  const value = (await first(db.select().from(properties).where(eq(properties.name, property))))?.value
  return value === undefined ? null : JSON.parse(value)
}

export const usageReads = (engine: Engine): Omit<UsageReads, 'priceRates'> => ({
  async monthlyCounts({ workspaceId, month }) {
    const { dailyCounts } = engine.tables
    return await engine.db
      .select({ kind: dailyCounts.kind, count: dailyCounts.count })
      .from(dailyCounts)
      .where(and(eq(dailyCounts.workspaceId, workspaceId), eq(dailyCounts.day, month)))
  },

  async priceCounts({ workspaceId, month }) {
    const { dailyCounts } = engine.tables
    const { day, kind, count } = dailyCounts
    const counted = await engine.db
      .select({ day, kind, count })
      .from(dailyCounts)
      .where(
        and(
          eq(dailyCounts.workspaceId, workspaceId),
          // Days of the month, which itself is no day: `-` stands before `.`.
          gt(day, `${month}-`),
          lt(day, `${month}.`),
          or(...priceKindStarts.map(start => like(kind, `${start}%`))),
          gt(count, 0),
        ),
      )
    const { days } = await engine.uncounted()
    const isShown = (row: Row<'dailyCounts'>) =>
      row.workspaceId === workspaceId &&
      row.day.startsWith(`${month}-`) &&
      priceKindStarts.some(start => row.kind.startsWith(start))
    return addedUp([...counted, ...days.filter(isShown)]).map(priceCountOf)
  },

  async templateCounts({ workspaceId, since, after, limit }) {
    const { db, tables, searchStep } = engine
    const { dailyCounts } = tables
    const counted = after?.counted ?? (await readCounted(engine)) ?? none
    const isShown = and(
      eq(dailyCounts.workspaceId, workspaceId),
      gte(dailyCounts.day, since),
      like(dailyCounts.day, '%-%-%'),
      like(dailyCounts.kind, `${templateKindStart}%`),
    )
    const known = after
      ? []
      : await db
          .select({ day: dailyCounts.day, kind: dailyCounts.kind, count: dailyCounts.count })
          .from(dailyCounts)
          .where(isShown)
    const { found, last } = await searchStep({
      workspaceId,
      type: 'template',
      since: Math.max(Date.parse(since), counted.until - countedLateMs),
      direction: 'older',
      walk: 'workspace',
      from: after?.at ?? null,
      scan: limit,
      limit,
    })
    // What waited for its time was counted when it was released.
    const uncounted = found.filter(({ seq, dueAt }) => seq > counted.seq && dueAt === null)
    const counts = new Map<string, TemplateCount>()
    const add = (day: string, kind: string, count: number) => {
      const [name = '', language = ''] = kind.slice(templateKindStart.length).split(' ')
      const key = `${day} ${kind}`
      counts.set(key, { day, name, language, count: (counts.get(key)?.count ?? 0) + count })
    }
    for (const { day, kind, count } of known) add(day, kind, count)
    for (const message of uncounted) add(dayOf(message.createdAt), templateKindOf(message), 1)
    return { counts: [...counts.values()], next: last && { counted, at: last } }
  },

  countedUsage: () => readCounted(engine),
})

/** A message that is so much too new is of a clock that was wrong. Others must not wait until that time. */
const aheadMsMax = dayMs

/** Messages are walked through in the order of their numbers, which is that of their acceptance. */
export function usageVerbs(engine: Engine): UsageWrites {
  const { db, tables, holding, isAnyOf, locking } = engine
  const { apiKeys, dailyCounts, lines, messages, properties, workspaces } = tables
  const { seq, workspaceId, createdAt, templateName, templateLanguage, lineSeq, apiKeySeq } = messages

  /**
   * Where a step ends: with the message before the first one that is too new. Numbers between them may still come, of
   * messages that another instance commits later.
   */
  async function endOf(from: number, before: number, limit: number): Promise<number> {
    const step = db
      .select({ seq, createdAt })
      .from(messages)
      .where(gt(seq, from))
      .orderBy(asc(seq))
      .limit(limit)
      .as('step')
    const isLate = and(gte(step.createdAt, before), lt(step.createdAt, before + aheadMsMax))
    const late = sql`min(${step.seq}) FILTER (WHERE ${isLate})`.mapWith(seq)
    const found = await first(db.select({ last: max(step.seq), late }).from(step))
    if (!found?.late) return found?.last ?? from
    const isBefore = and(gt(seq, from), lt(seq, found.late))
    const ended = await first(
      db
        .select({ last: max(seq) })
        .from(messages)
        .where(isBefore),
    )
    return ended?.last ?? from
  }

  const isLater = sql<boolean | number>`(${messages.dueAt} IS NOT NULL)`

  /** Added up by the database: reading each message would cost the writer several times as much. */
  const added = (from: number, end: number) =>
    db
      .select({
        workspaceId,
        day: sql<number>`CAST(${createdAt} / ${sql.raw(`${dayMs}`)} AS INTEGER)`.as('day'),
        lineId: lines.id,
        keyId: apiKeys.id,
        templateName,
        templateLanguage,
        isLater,
        count: sql<number>`CAST(count(*) AS INTEGER)`,
      })
      .from(messages)
      // A cross join keeps SQLite from going from the lines to messages.
      .crossJoin(lines)
      .leftJoin(apiKeys, eq(apiKeys.seq, apiKeySeq))
      .where(and(gt(seq, from), lte(seq, end), eq(lines.seq, lineSeq)))
      .groupBy(workspaceId, sql`day`, lines.id, apiKeys.id, templateName, templateLanguage, isLater)

  return {
    async countUsage({ before, limit }) {
      const { seq: from, until } = (await readCounted(engine)) ?? none
      const end = await endOf(from, before, limit)
      const sums = end === from ? [] : await added(from, end)
      // In the order of an erasure, which waits for it: a workspace that is gone gets no counts any more.
      const ids = [...new Set(sums.map(sum => sum.workspaceId))]
      const there = db.select({ id: workspaces.id }).from(workspaces).where(isAnyOf(workspaces.id, ids))
      const living = new Set((await holding(there.orderBy(asc(workspaces.id)))).map(({ id }) => id))
      await db
        .insert(properties)
        .values({ name: property, value: JSON.stringify(none) })
        .onConflictDoNothing()
      await locking(db.select().from(properties).where(eq(properties.name, property)))
      // Another instance has counted meanwhile.
      if ((await readCounted(engine))?.seq !== from) return 0

      const counts = new Map<string, typeof dailyCounts.$inferInsert>()
      const add = (row: Omit<typeof dailyCounts.$inferInsert, 'count'>, count: number) => {
        const key = JSON.stringify(row)
        counts.set(key, { ...row, count: (counts.get(key)?.count ?? 0) + count })
      }
      // What waits for its time counts when it is released.
      const usual = sums.filter(sum => living.has(sum.workspaceId) && !sum.isLater)
      for (const { count, workspaceId, day, ...of } of usual) {
        const at = day * dayMs
        for (const kind of usageKindsOf(of)) add({ workspaceId, day: monthOf(at), kind }, count)
        if (of.templateName !== null) add({ workspaceId, day: dayOf(at), kind: templateKindOf(of) }, count)
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
      const counted = sums.reduce((sum, { count }) => sum + count, 0)
      await putCounted(engine, { seq: end, until: counted < limit ? Math.max(until, before) : until })
      return counted
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
