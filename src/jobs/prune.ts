import { type Clock, wait } from '../clock.ts'
import { rateWindowMs, windowStart } from '../http/limiter.ts'
import type { JobParts } from './schedule.ts'

/**
 * Rows a step deletes. Keys lie in no order, so that each is on a page of its own, and the step's commit, which it shares
 * with sends, writes them all: with five hundred, the 99th percentile of sends was 3.4 times what it is otherwise.
 */
const stepRows = 100
/** The upstream repeats a callback for up to 7 days; what matched no message by then never will. */
const parkedMsMax = 7 * 86_400_000
/** Callbacks that match nothing come from another system on the same account; the newest are kept for a while. */
const parkedRowsMax = 100_000

/**
 * Deletes what has run out: idempotency keys, rate windows, parked callbacks, and messages past their retention, in
 * either direction.
 */
export async function prune({ store, clock, log, config }: JobParts): Promise<void> {
  const now = clock.now()
  const { write } = store
  const most = stepRows
  const retainedSince = config.messageRetentionMs === null ? null : now - config.messageRetentionMs
  const pruned = {
    idempotencyKeys: await repeat(clock, () => write.pruneIdempotencyKeys({ expiredBefore: now, most })),
    rateWindows: await repeat(clock, () =>
      write.pruneRateWindows({ startedBefore: windowStart(now - rateWindowMs), most }),
    ),
    parkedReports: await repeat(clock, () =>
      write.pruneParkedReports({ recordedBefore: now - parkedMsMax, keep: parkedRowsMax, most }),
    ),
    media: await repeat(clock, () => write.pruneMedia({ expiredBefore: now, most })),
    ...(retainedSince !== null && {
      messages: await repeat(clock, () => write.pruneMessages({ createdBefore: retainedSince, most })),
      inbound: await repeat(clock, () => write.pruneInbound({ recordedBefore: retainedSince, most })),
    }),
  }
  if (Object.values(pruned).some(count => count > 0)) log.info(pruned, 'pruned')
}

/**
 * Step by step until a step finds less than it may take. Between two steps the writer belongs to others for as long as
 * the step took: a million keys may take minutes, which nobody waits for.
 */
async function repeat(clock: Clock, step: () => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    const startedAt = clock.now()
    const count = await step()
    total += count
    if (count < stepRows) return total
    const tookMs = clock.now() - startedAt
    if (tookMs > 0) await wait(clock, tookMs)
  }
}
