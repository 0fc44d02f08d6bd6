import { type Clock, systemClock } from '../base/clock.ts'
import { RunningTime } from '../base/runningTime.ts'

/** The machine's time, some hours behind until a day has been played: then it catches up, and stays with it. */
export interface DemoClock extends Clock {
  /** From now on it is `ms` behind, which is less than before. */
  catchUp(ms: number): void
}

export function createDemoClock(behindMs: number): DemoClock {
  let behind = behindMs
  // Both go on together: what was caught up has really passed, as far as anybody sees, and is no jump of the time.
  const times = { now: () => systemClock.now() - behind, steady: () => systemClock.steady() + behindMs - behind }
  const running = new RunningTime(times)
  return {
    ...times,
    ago: ms => running.ago(ms),
    setTimer: systemClock.setTimer,
    catchUp(ms) {
      behind = Math.min(behind, ms)
    },
  }
}
