import { RunningTime } from './runningTime.ts'

/** Milliseconds since 1970-01-01T00:00:00Z. The database, threads and callbacks all speak this unit. */
export type EpochMs = number

/** Milliseconds since some moment: only for differences. Never stored, never sent. */
export type SteadyMs = number

/** The only source of time. It is injected everywhere, so that tests move it instead of sleeping. */
export interface Clock {
  now(): EpochMs
  /** Only goes forward, also when the machine's time is set back: a wait does not become an hour longer. */
  steady(): SteadyMs
  /**
   * What was made before the moment that this answers is `ms` old by the time and by the steady clock: so a time that
   * jumps ahead lets nothing expire. Usually `now() - ms`; earlier after a jump, until `ms` have run since it. It knows
   * no jumps of before this process.
   */
  ago(ms: number): EpochMs
  /** Runs `fire` once after `delayMs`; the returned function cancels it. Longer than `timerMsMax` is cut to it. */
  setTimer(delayMs: number, fire: () => void): () => void
}

/** Timers hold 31 bits: a longer delay would fire at once. */
export const timerMsMax = 2_147_483_647

const machine = { now: () => Date.now(), steady: () => performance.now() }
const running = new RunningTime(machine)

export const systemClock: Clock = {
  ...machine,
  ago: ms => running.ago(ms),
  setTimer(delayMs, fire) {
    const timer = setTimeout(fire, Math.min(Math.max(delayMs, 0), timerMsMax))
    return () => clearTimeout(timer)
  },
}

/** @returns a promise that resolves after `delayMs` of the clock's time. */
export function wait(clock: Clock, delayMs: number): Promise<void> {
  return new Promise(resolve => clock.setTimer(delayMs, resolve))
}

/** @returns the answer; null when there is none within `ms` of the clock's time. @throws what the answer throws */
export function within<Value>(
  clock: Pick<Clock, 'setTimer'>,
  ms: number,
  answer: Promise<Value>,
): Promise<Value | null> {
  const late = Promise.withResolvers<null>()
  const cancelTimer = clock.setTimer(ms, () => late.resolve(null))
  return Promise.race([answer, late.promise]).finally(cancelTimer)
}

/** A moment for people: UTC to the second. */
export const moment = (at: EpochMs): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ')

/**
 * @param ms how long it lasts
 * @returns what ends at this moment or before has lasted `ms`, by the time and by what has run (`Clock.ago`)
 */
export const expiredBy = (clock: Pick<Clock, 'ago'>, ms: number): EpochMs => clock.ago(ms) + ms
