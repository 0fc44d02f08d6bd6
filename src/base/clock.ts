/** Milliseconds since 1970-01-01T00:00:00Z. The database, threads and callbacks all speak this unit. */
export type EpochMs = number

/** Milliseconds since some moment: only for differences. Never stored, never sent. */
export type SteadyMs = number

/** The only source of time. It is injected everywhere, so that tests move it instead of sleeping. */
export interface Clock {
  now(): EpochMs
  /** Only goes forward, also when the machine's time is set back: a wait does not become an hour longer. */
  steady(): SteadyMs
  /** Runs `fire` once after `delayMs`; the returned function cancels it. Longer than `timerMsMax` is cut to it. */
  setTimer(delayMs: number, fire: () => void): () => void
}

/** Timers hold 31 bits: a longer delay would fire at once. */
export const timerMsMax = 2_147_483_647

export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  setTimer(delayMs, fire) {
    const timer = setTimeout(fire, Math.min(Math.max(delayMs, 0), timerMsMax))
    return () => clearTimeout(timer)
  },
}

/** @returns a promise that resolves after `delayMs` of the clock's time. */
export function wait(clock: Clock, delayMs: number): Promise<void> {
  return new Promise(resolve => clock.setTimer(delayMs, resolve))
}

/** A moment for people: UTC to the second. */
export const moment = (at: EpochMs): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ')
