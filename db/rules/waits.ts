import { and, asc, eq, gt, isNotNull, sql } from 'drizzle-orm'
import { clockDifferenceMsMax } from '../../src/base/runningTime.ts'
import type { StoreWrites } from '../contract/store.ts'
import { type Engine, selectedThrough } from './engine.ts'

/** Less than that is no clock that was ahead. */
const aheadOf = (at: number) => at + clockDifferenceMsMax

/** The verbs that mend what waits after the clock was ahead. */
export function waitVerbs({ db, tables, locking, shortenOwnWaits, through }: Engine) {
  const { erasures, inboundFiles, webhookDeliveries } = tables

  return {
    async shortenWaits({ at }) {
      await shortenOwnWaits()
      await db
        .update(erasures)
        .set({ steppedAt: at })
        .where(gt(erasures.steppedAt, aheadOf(at)))
    },

    async shortenFileWaits({ at, fileWaitsMs, after, limit }) {
      const { id, workspaceId, attempts, dueAt } = inboundFiles
      const { workspaceId: workspace, dueAt: due } = after ?? { workspaceId: '', dueAt: 0 }
      const waiting = db
        .select(selectedThrough({ id, workspaceId, attempts, dueAt }))
        .from(through(inboundFiles, 'inbound_files_turns'))
        .where(and(isNotNull(dueAt), sql`(${workspaceId}, ${dueAt}) > (${workspace}, ${due})`))
        .orderBy(asc(workspaceId), asc(dueAt))
        .limit(limit)
      const files = (await locking(waiting)).map(file => ({ ...file, dueAt: file.dueAt ?? 0 }))
      let found = 0
      for (const file of files) {
        const stepMs = fileWaitsMs[file.attempts] ?? fileWaitsMs.at(-1) ?? 0
        if (file.dueAt - stepMs <= aheadOf(at)) continue
        const sooner = { dueAt: at + stepMs }
        await db.update(inboundFiles).set(sooner).where(eq(id, file.id))
        found += 1
      }
      const [first, last] = [files[0], files.at(-1)]
      if (!first || !last || files.length < limit) return { found, next: null }
      // More may be due when the last one is. Where all are, and none was found, they are passed over: the attempts
      // that put files off are a few at a time.
      const areAlike = first.workspaceId === last.workspaceId && first.dueAt === last.dueAt
      const next = { workspaceId: last.workspaceId, dueAt: found === 0 && areAlike ? last.dueAt : last.dueAt - 1 }
      return { found, next }
    },

    async shortenDeliveryWaits({ at, after, limit }) {
      const { endpointId, seq, step, nextAt, attempts } = webhookDeliveries
      const from = after ?? { endpointId: '', nextAt: 0, seq: 0 }
      const isBehind = sql`(${endpointId}, ${nextAt}, ${seq}) > (${from.endpointId}, ${from.nextAt}, ${from.seq})`
      const waiting = db
        .select(selectedThrough({ endpointId, seq, step, nextAt, attempts }))
        .from(through(webhookDeliveries, 'webhook_deliveries_due'))
        .where(and(isNotNull(nextAt), isBehind))
        .orderBy(asc(endpointId), asc(nextAt), asc(seq))
        .limit(limit)
      const deliveries = (await locking(waiting)).map(delivery => ({ ...delivery, nextAt: delivery.nextAt ?? 0 }))
      let found = 0
      for (const delivery of deliveries) {
        const due = delivery.nextAt
        // Where no attempt of the schedule was made, somebody has asked for one at once.
        const lastAt = delivery.step === 0 ? due : delivery.attempts.at(-1)?.at
        if (lastAt === undefined || lastAt <= aheadOf(at) || due < lastAt) continue
        // Always before its last attempt, by which it is known that this was done.
        const sooner = { nextAt: Math.min(at + due - lastAt, lastAt - 1) }
        const isIt = and(eq(endpointId, delivery.endpointId), eq(seq, delivery.seq))
        await db.update(webhookDeliveries).set(sooner).where(isIt)
        found += 1
      }
      const last = deliveries.at(-1)
      if (!last || deliveries.length < limit) return { found, next: null }
      return { found, next: { endpointId: last.endpointId, nextAt: last.nextAt, seq: last.seq } }
    },
  } satisfies Partial<StoreWrites>
}
