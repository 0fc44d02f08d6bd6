import { requestsKeptMs } from '../../db/contract/apiRequests.ts'
import { expiredBy } from '../base/clock.ts'
import { dayMs } from '../base/durations.ts'
import { rateWindowMs, windowStart } from '../base/rateLimits.ts'
import { dayOf } from '../message/counts.ts'
import { countUsage } from './countUsage.ts'
import { bySteps, type JobParts } from './job.ts'

/** The upstream repeats a callback for up to 7 days. If its message has not appeared by then, it never will. */
const parkedMsMax = 7 * dayMs
/** Callbacks without a message come from another system on the same account. The newest are kept for a while. */
const parkedRowsMax = 100_000

/** More than a year, so that a yearly look back finds all of it. */
const auditMsMax = 400 * dayMs
/** Some 10 MB: a script that adds contacts all day must not fill the disk. */
const auditRowsMax = 100_000

/** As long as the audit. A day has some thirty counts, and a month one for each key, line and template that sent. */
const dailyCountsMsMax = 400 * dayMs

/**
 * Counts the usage, then deletes what has expired: idempotency keys, rate windows, parked callbacks, old numbers,
 * events, calls of API keys, and messages past their retention, sent and received. Of the messages that stay, it drops
 * the contents past their own retention. What a clock that jumped ahead takes for old stays (`Clock.ago`).
 */
export async function prune(parts: JobParts): Promise<void> {
  // What is deleted cannot be counted any more.
  await countUsage(parts)
  const { store, clock, log, config, files } = parts
  const { write } = store
  const retainedSince = config.messageRetentionMs === null ? null : clock.ago(config.messageRetentionMs)
  const contentsSince = clock.ago(config.contentRetentionMs)
  const keysUntil = expiredBy(clock, config.idempotencyTtlMs)
  // No sign-in or invitation lasts longer.
  const sessionsUntil = expiredBy(clock, auditMsMax)
  const pruned = {
    idempotencyKeys: await bySteps(clock, limit =>
      write.pruneIdempotencyKeys({ expiredBefore: keysUntil, usualUntil: keysUntil + config.idempotencyTtlMs, limit }),
    ),
    rateWindows: await bySteps(clock, limit =>
      write.pruneRateWindows({ startedBefore: windowStart(clock.ago(rateWindowMs)), limit }),
    ),
    parkedReports: await bySteps(clock, limit =>
      write.pruneParkedReports({ recordedBefore: clock.ago(parkedMsMax), keep: parkedRowsMax, limit }),
    ),
    audit: await bySteps(clock, limit =>
      write.pruneAudit({ recordedBefore: clock.ago(auditMsMax), keep: auditRowsMax, limit }),
    ),
    dailyCounts: await bySteps(clock, limit =>
      write.pruneDailyCounts({ before: dayOf(clock.ago(dailyCountsMsMax)), limit }),
    ),
    events: await bySteps(clock, limit =>
      write.pruneEvents({ recordedBefore: clock.ago(config.eventRetentionMs), limit }),
    ),
    requests: await bySteps(clock, limit =>
      write.pruneApiRequests({ answeredBefore: clock.ago(requestsKeptMs), limit }),
    ),
    deliveries: await bySteps(clock, limit => write.pruneDeliveries({ limit })),
    sessions: await bySteps(clock, limit => write.pruneSessions({ expiredBefore: sessionsUntil, limit })),
    // A conversation finds by it what was sent, as long as the file is kept.
    media: await bySteps(clock, limit =>
      write.pruneMedia({ expiredBefore: clock.ago(config.media.retentionMs), limit }),
    ),
    files: await bySteps(clock, limit =>
      write.expireFiles({ recordedBefore: clock.ago(config.media.retentionMs), limit }),
    ),
    ...(retainedSince !== null && {
      // Before their messages.
      messageFiles: await bySteps(clock, limit => write.eraseOldFiles({ recordedBefore: retainedSince, limit })),
      batches: await bySteps(clock, limit => write.pruneBatches({ endedBefore: retainedSince, limit })),
      messages: await bySteps(clock, limit => write.pruneMessages({ createdBefore: retainedSince, limit })),
      inbound: await bySteps(clock, limit => write.pruneInbound({ recordedBefore: retainedSince, limit })),
      formerNames: await bySteps(clock, limit => write.pruneFormerNames({ recordedBefore: retainedSince, limit })),
    }),
    batchContents: await bySteps(clock, limit => write.pruneBatchContents({ endedBefore: contentsSince, limit })),
    contents: await bySteps(clock, limit => write.pruneContents({ createdBefore: contentsSince, limit })),
    inboundContents: await bySteps(clock, limit =>
      write.pruneInboundContents({ recordedBefore: contentsSince, limit }),
    ),
  }
  await files.measure()
  if (Object.values(pruned).some(count => count > 0)) log.info(pruned, 'pruned')
}
