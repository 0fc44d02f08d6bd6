import { type Clock, type SteadyMs, wait } from './clock.ts'

/**
 * Rows that one step of a long work changes. Keys are random, so each row is on another page, and the commit that the
 * step shares with sends writes all these pages. With five hundred rows, the 99th percentile of sends was 3.4 times
 * higher.
 */
export const changedAtOnce = 100

/** Between two steps, waits for as long as the first one took: half of the writer's time is left to everybody else. */
export async function restAfter(clock: Clock, startedAt: SteadyMs): Promise<void> {
  const tookMs = clock.steady() - startedAt
  if (tookMs > 0) await wait(clock, tookMs)
}
