import { systemClock } from '../time/clock.ts'
import { errorOutput } from './streams.ts'

/** A line is news for who waits, and an hour of work is some hundreds of lines. */
const everyMs = 5_000

/**
 * @returns tells how far a long work is, on standard error: the answer stands alone on standard output. What ends
 *   within the first seconds tells nothing
 */
export function progress(): (line: string) => Promise<void> {
  let toldAt = systemClock.steady()
  return async line => {
    if (systemClock.steady() - toldAt < everyMs) return
    toldAt = systemClock.steady()
    await errorOutput.write(`${line}\n`)
  }
}
