import { rateWindowMs, windowStart } from '../http/limiter.ts'
import type { JobParts } from './schedule.ts'

/** Rows a step deletes: some milliseconds of the writer's time, so that sends hardly notice. */
const stepRows = 500
/** The upstream repeats a callback for up to 7 days; what matched no message by then never will. */
const parkedMsMax = 7 * 86_400_000
/** Callbacks that match nothing come from another system on the same account; the newest are kept for a while. */
const parkedRowsMax = 100_000

/** Deletes what has run out: idempotency keys, rate windows, parked callbacks, and messages past their retention. */
export async function prune({ store, clock, log, config }: JobParts): Promise<void> {
  const now = clock.now()
  const { write } = store
  const most = stepRows
  const pruned = {
    idempotencyKeys: await repeat(() => write.pruneIdempotencyKeys({ expiredBefore: now, most })),
    rateWindows: await repeat(() => write.pruneRateWindows({ startedBefore: windowStart(now - rateWindowMs), most })),
    parkedReports: await repeat(() =>
      write.pruneParkedReports({ recordedBefore: now - parkedMsMax, keep: parkedRowsMax, most }),
    ),
    media: await repeat(() => write.pruneMedia({ expiredBefore: now, most })),
    messages:
      config.messageRetentionMs === null
        ? 0
        : await repeat(() => write.pruneMessages({ createdBefore: now - (config.messageRetentionMs ?? 0), most })),
  }
  if (Object.values(pruned).some(count => count > 0)) log.info(pruned, 'pruned')
}

/** Step by step until a step finds less than it may take; other writes go between the steps. */
async function repeat(step: () => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    const count = await step()
    total += count
    if (count < stepRows) return total
  }
}
