import { type Clock, systemClock } from '../base/clock.ts'
import { errorOutput, type Output } from './streams.ts'

/** A line is news for who waits, and an hour of work is some hundreds of lines. */
const everyMs = 5_000

/**
 * @returns tells how far a long work is, on standard error: the answer stands alone on standard output. What ends
 *   within the first seconds tells nothing
 */
export function progress(
  clock: Pick<Clock, 'steady'> = systemClock,
  { write }: Pick<Output, 'write'> = errorOutput,
): (line: string) => Promise<void> {
  let toldAt = clock.steady()
  return async line => {
    if (clock.steady() - toldAt < everyMs) return
    toldAt = clock.steady()
    await write(`${line}\n`)
  }
}
