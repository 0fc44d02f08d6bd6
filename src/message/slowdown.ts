import { minuteMs } from '../base/durations.ts'

/** A rate is counted over a sliding second, not over seconds of the clock: the upstream's own window is not known. */
export const paceWindowMs = 1_000
/** After a throttle answer a line runs at half its pace, and doubles it again after each quiet spell of this length. */
const recoverAfterMs = minuteMs

/** How much slower than its setting a line is, after the upstream said that it was too fast. */
export interface Slowdown {
  /** 1: not slowed down. */
  readonly divisor: number
  readonly slowedAt: number
}

export const fullPace: Slowdown = { divisor: 1, slowedAt: Number.NEGATIVE_INFINITY }

/**
 * The upstream said that the line is too fast. Answers to messages that left together count once.
 * @param perSecond the line's setting
 * @returns the same object when it does not count
 */
export function slowed(slowdown: Slowdown, perSecond: number, now: number): Slowdown {
  if (now - slowdown.slowedAt < paceWindowMs) return slowdown
  const { divisor } = recovered(slowdown, now)
  return { divisor: divisor < perSecond ? divisor * 2 : divisor, slowedAt: now }
}

/** @returns what is left of the slowdown by now; the same object when nothing has changed */
export function recovered(slowdown: Slowdown, now: number): Slowdown {
  let { divisor, slowedAt } = slowdown
  while (divisor > 1 && now - slowedAt >= recoverAfterMs) {
    divisor /= 2
    slowedAt += recoverAfterMs
  }
  return divisor === slowdown.divisor ? slowdown : { divisor, slowedAt }
}

/** @returns how many messages may leave in any second; 0: no limit */
export const rateOf = (perSecond: number, { divisor }: Slowdown): number =>
  perSecond === 0 ? 0 : Math.max(1, Math.floor(perSecond / divisor))
