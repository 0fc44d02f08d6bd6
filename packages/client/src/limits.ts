/** 24 days: a timer holds no more, and a longer one would fire at once. */
const timeoutMsMax = 2 ** 31 - 1
/** With the longest waits between them they take a working day: more is a mistake. */
const attemptsMaxMax = 1_000

/** @throws TypeError for what can be no time limit */
export function timeLimit(timeoutMs: number): number {
  if (typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= timeoutMsMax) return timeoutMs
  throw new TypeError(`timeoutMs: pass milliseconds, more than 0 and at most ${timeoutMsMax}`)
}

/** @throws TypeError for what can be no number of attempts */
export function attemptLimit(attemptsMax: number): number {
  if (Number.isInteger(attemptsMax) && attemptsMax >= 1 && attemptsMax <= attemptsMaxMax) return attemptsMax
  throw new TypeError(`attemptsMax: pass a whole number from 1 to ${attemptsMaxMax}`)
}
