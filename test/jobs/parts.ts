import type { Store } from '../../db/contract/store.ts'
import type { Clock } from '../../src/base/clock.ts'
import { dayMs, hourMs } from '../../src/base/durations.ts'
import type { JobParts } from '../../src/jobs/job.ts'
import { silentLogger } from '../../src/telemetry/log.ts'

/** What a job is given, with parts that do nothing beside the store. */
export function jobParts(store: Store, clock: Clock, config: Partial<JobParts['config']> = {}): JobParts {
  return {
    store,
    clock,
    log: silentLogger,
    config: {
      idempotencyTtlMs: 24 * hourMs,
      unknownSettleMs: 72 * hourMs,
      contentRetentionMs: dayMs,
      messageRetentionMs: null,
      eventRetentionMs: dayMs,
      media: { retentionMs: dayMs },
      templateSyncMs: 600_000,
      ...config,
    },
    client: { listNumbers: async () => ({ kind: 'failed', message: 'nobody is asked' }) },
    credentials: { open: () => 'token' },
    templateRefresher: {} as JobParts['templateRefresher'],
    backups: { run: async () => {} },
    batches: { look: async () => {} },
    files: { run: async () => {}, measure: async () => {}, sweep: async () => {} },
  }
}
