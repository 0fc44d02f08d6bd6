import type { Store } from '../../db/store.ts'
import { type Clock, wait } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Logger } from '../log.ts'
import type { TemplateRefresher } from '../templates/refresh.ts'

/** What every job is given. */
export interface JobParts {
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
  readonly templateRefresher: TemplateRefresher
  readonly config: Pick<Config, 'unknownSettleMs' | 'contentRetentionMs' | 'messageRetentionMs' | 'templateSyncMs'>
}

/**
 * Rows a step changes. Keys lie in no order, so that each is on a page of its own, and the step's commit, which it shares
 * with sends, writes them all: with five hundred, the 99th percentile of sends was 3.4 times what it is otherwise.
 */
const stepRows = 100

/**
 * Step by step until a step finds less than it may take. Between two steps the writer belongs to others for as long as
 * the step took: a million rows may take minutes, which nobody waits for.
 * @param step takes at most `limit` rows @returns how many it took
 * @returns how many all of them took
 */
export async function inSteps(clock: Clock, step: (limit: number) => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    const startedAt = clock.steady()
    const count = await step(stepRows)
    total += count
    if (count < stepRows) return total
    const tookMs = clock.steady() - startedAt
    if (tookMs > 0) await wait(clock, tookMs)
  }
}
