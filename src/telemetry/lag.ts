import type { Clock } from '../time/clock.ts'
import { Histogram } from './metrics.ts'

/** Twice a second: a block of half a second or more is always seen, and a thread at rest is hardly woken. */
const everyMs = 500
/** A millisecond is the timer's own inaccuracy; seconds are a thread that hangs. */
const bounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/**
 * Measures how much later than asked a timer of this thread fires, in seconds: for so long something blocked its event
 * loop. @returns what was measured so far, and an end to it
 */
export function measureLag(clock: Clock): { readonly lag: Histogram; stop(): void } {
  const lag = new Histogram(bounds)
  let cancelTimer = () => {}
  function next() {
    const dueAt = clock.steady() + everyMs
    cancelTimer = clock.setTimer(everyMs, () => {
      lag.observe(Math.max(0, clock.steady() - dueAt) / 1_000)
      next()
    })
  }
  next()
  return { lag, stop: () => cancelTimer() }
}
