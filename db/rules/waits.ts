import { and, asc, eq, gt, gte, isNotNull, or, sql } from 'drizzle-orm'
import { clockDifferenceMsMax } from '../../src/base/runningTime.ts'
import type { StoreWrites } from '../contract/store.ts'
import { type Engine, selectedThrough } from './engine.ts'

/** The verb that mends what waits after the clock was ahead. */
export function waitVerbs({ db, tables, isAnyOf, lastIn, locking, shortenOwnWaits, through }: Engine) {
  const { erasures, inboundFiles, webhookDeliveries } = tables

  return {
    async shortenWaits({ at, fileWaitsMs, limit }) {
      // Less than that is no clock that was ahead.
      const ahead = at + clockDifferenceMsMax
      await shortenOwnWaits()
      await db.update(erasures).set({ steppedAt: at }).where(gt(erasures.steppedAt, ahead))
      return (await shortenFiles()) + (await shortenDeliveries())

      async function shortenFiles(): Promise<number> {
        const { id, workspaceId, attempts, dueAt } = inboundFiles
        const steps = fileWaitsMs.map((ms, made) => sql`WHEN ${sql.raw(String(made))} THEN ${sql.raw(String(ms))}`)
        const longest = sql.raw(String(fileWaitsMs.at(-1) ?? 0))
        const step = sql`CASE ${attempts} ${sql.join(steps, sql` `)} ELSE ${longest} END`
        const waiting = db
          .select(selectedThrough({ id }))
          .from(through(inboundFiles, 'inbound_files_turns'))
          .where(and(isNotNull(dueAt), gt(sql`${dueAt} - ${step}`, ahead)))
          .orderBy(asc(workspaceId), asc(dueAt))
          .limit(limit)
        const found = (await locking(waiting)).map(file => file.id)
        await db
          .update(inboundFiles)
          .set({ dueAt: sql`${step} + ${at}` })
          .where(isAnyOf(id, found))
        return found.length
      }

      async function shortenDeliveries(): Promise<number> {
        const { endpointId, seq, step, nextAt, attempts } = webhookDeliveries
        const lastAt = lastIn(attempts, 'at')
        const waiting = db
          .select(selectedThrough({ endpointId, seq }))
          .from(through(webhookDeliveries, 'webhook_deliveries_due'))
          // Where no attempt of the schedule was made, somebody has asked for one at once.
          .where(
            and(isNotNull(nextAt), gt(nextAt, ahead), or(eq(step, 0), and(gt(lastAt, ahead), gte(nextAt, lastAt)))),
          )
          .orderBy(asc(endpointId), asc(nextAt), asc(seq))
          .limit(limit)
        const found = await locking(waiting)
        // Always before its last attempt, by which it is known that this was done.
        const due = sql`CASE WHEN ${step} = 0 THEN ${at} WHEN ${at} + ${nextAt} - ${lastAt} < ${lastAt}
          THEN ${at} + ${nextAt} - ${lastAt} ELSE ${lastAt} - 1 END`
        for (const [endpoint, rows] of Map.groupBy(found, row => row.endpointId)) {
          const seqs = rows.map(row => row.seq)
          const areIts = and(eq(endpointId, endpoint), isAnyOf(seq, seqs))
          await db.update(webhookDeliveries).set({ nextAt: due }).where(areIts)
        }
        return found.length
      }
    },
  } satisfies Partial<StoreWrites>
}
