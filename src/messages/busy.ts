import type { Refusal } from '../errors.ts'

/** Told to a caller who finds the queue full or the disk unable: long enough to drain some, short enough to try. */
const busyRetryMs = 5_000

/** @returns the refusal of a send that could not be accepted for now. @param why a sentence */
export const busy = (why: string): Refusal => ({
  reason: 'SERVICE_UNAVAILABLE',
  message: `${why} Nothing was accepted; try again shortly.`,
  retryAfterMs: busyRetryMs,
})
