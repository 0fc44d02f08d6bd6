import type { Clock } from '../base/clock.ts'
import { Histogram } from './metrics.ts'

/** Twice a second: a block of half a second or more is always seen, and an idle thread is rarely woken. */
const everyMs = 500
/** A millisecond is the timer's own inaccuracy; seconds are a thread that hangs. */
const bounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/**
 * Measures the lag of this thread's event loop, in seconds: how late a timer fires. @returns what was measured so far,
 * and a function that ends the measuring
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
