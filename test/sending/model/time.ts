import { hourMs } from '../../../src/base/durations.ts'
import type { ManualClock } from '../../clock.ts'

/** Longer than any message lives, with all its waits: what still goes on then goes on for ever. */
export const longestMs = hourMs

/** Lets everything happen that is due now, also what it puts off to the next turns of the event loop. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 3; turns += 1) await new Promise<void>(resolve => setImmediate(resolve))
}

/** Lets time pass from one timer to the next, until it is done, or no timer is due within that time. */
export async function pass(clock: ManualClock, forMs: number, isDone = () => false): Promise<void> {
  const end = clock.steady() + forMs
  for (;;) {
    await settle()
    const due = clock.nextDue
    if (isDone() || due === undefined || due > end) return
    clock.advance(due - clock.steady())
  }
}

/** Lets time pass until it is settled. @throws Error when it never is */
export async function passUntil<Value>(clock: ManualClock, begun: Promise<Value>): Promise<Value> {
  const isSettled = () => Bun.peek.status(begun) !== 'pending'
  await pass(clock, longestMs, isSettled)
  if (!isSettled()) throw new Error('what was begun does not come to its end')
  return begun
}
