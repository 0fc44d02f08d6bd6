import type { Store } from '../../db/contract/store.ts'
import type { Backups } from '../backup/backups.ts'
import type { Clock } from '../base/clock.ts'
import type { Credentials } from '../base/credentials.ts'
import { changedAtOnce, restAfter } from '../base/rest.ts'
import type { BatchRunner } from '../batches/runner.ts'
import type { Config } from '../config/config.ts'
import type { MediaConfig } from '../config/media.ts'
import type { ChannelClient } from '../graph/client.ts'
import type { FileKeeper } from '../media/incoming/keeper.ts'
import type { Logger } from '../telemetry/log.ts'
import type { TemplateRefresher } from '../templates/refresh.ts'

/** What every job is given. */
export interface JobParts {
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
  readonly templateRefresher: TemplateRefresher
  readonly client: Pick<ChannelClient, 'listNumbers'>
  readonly credentials: Pick<Credentials, 'open'>
  readonly backups: Pick<Backups, 'run'>
  readonly batches: Pick<BatchRunner, 'look'>
  readonly files: Pick<FileKeeper, 'run' | 'measure' | 'sweep'>
  readonly config: Pick<
    Config,
    | 'idempotencyTtlMs'
    | 'unknownSettleMs'
    | 'contentRetentionMs'
    | 'messageRetentionMs'
    | 'eventRetentionMs'
    | 'templateSyncMs'
  > & { readonly media: Pick<MediaConfig, 'retentionMs'> }
}

/**
 * Runs steps until one changes fewer rows than its limit. Between two steps the writer is free for as long as the step
 * took. A million rows may take minutes, and no caller waits for them.
 * @param step changes at most `limit` rows @returns how many it changed
 * @param rows the limit
 * @returns how many rows all steps changed
 */
export async function bySteps(
  clock: Clock,
  step: (limit: number) => Promise<number>,
  rows = changedAtOnce,
): Promise<number> {
  let total = 0
  for (;;) {
    const startedAt = clock.steady()
    const count = await step(rows)
    total += count
    if (count < rows) return total
    await restAfter(clock, startedAt)
  }
}
