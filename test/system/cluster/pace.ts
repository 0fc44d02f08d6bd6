import { secondMs } from '../../../src/base/durations.ts'
import type { DeployedLine } from '../rig/deployment.ts'
import type { Ledger } from '../rig/ledger.ts'
import type { Arrival } from '../rig/platform.ts'

/** A time in which an instance slept. */
export interface Sleep {
  readonly from: number
  readonly to: number
}

/**
 * The arrivals that the rule of a line's pace speaks of. What an instance had handed over when it was put to sleep
 * arrives when it wakes up: it left at its time, and nothing can call it back.
 */
export function inTime(arrivals: readonly Arrival[], { messages }: Ledger, sleeps: readonly Sleep[]): Arrival[] {
  return arrivals.filter(({ messageId, at }) => {
    const dispatchedAt = messages.get(messageId)?.dispatchedAt ?? null
    return !sleeps.some(({ from, to }) => dispatchedAt !== null && dispatchedAt <= from && at >= to)
  })
}

/** @returns the most that arrived within less than `spanMs` of each other, and when that began */
export function densest(times: readonly number[], spanMs: number): { count: number; from: number } {
  const sorted = times.toSorted((a, b) => a - b)
  let first = 0
  let most = { count: 0, from: 0 }
  for (const [last, time] of sorted.entries()) {
    while (time - (sorted[first] ?? time) >= spanMs) first += 1
    if (last - first + 1 > most.count) most = { count: last - first + 1, from: sorted[first] ?? time }
  }
  return most
}

/**
 * Departures keep the pace; arrivals are seen. Of two messages, one may take longer on its way than the other by
 * `toleranceMs`: then what left within these seconds and that time may arrive within the seconds, so a span that is
 * shorter by the tolerance holds no more than the rate allows. Where nothing is left of the span, nothing is judged.
 */
export function* paceViolations(
  lines: readonly DeployedLine[],
  arrivals: readonly Arrival[],
  { seconds, toleranceMs }: { readonly seconds: number; readonly toleranceMs: number },
): Generator<string> {
  const spanMs = Math.round(seconds * secondMs - toleranceMs)
  if (spanMs <= 0) return
  for (const { id, upstreamPhoneId, perSecond } of lines) {
    if (perSecond === 0) continue
    const times = arrivals.filter(({ line }) => line === upstreamPhoneId).map(({ at }) => at)
    const { count, from } = densest(times, spanMs)
    const most = perSecond * seconds
    if (count > most) {
      yield `${id}: ${count} messages arrived within ${spanMs} ms from ${new Date(from).toISOString()}, and ${most} may in ${seconds} s`
    }
  }
}

/** For the report: the fullest second of each line that has a rate, beside its rate. */
export const fullestSeconds = (lines: readonly DeployedLine[], arrivals: readonly Arrival[]) =>
  lines
    .filter(({ perSecond }) => perSecond > 0)
    .map(({ upstreamPhoneId, perSecond }) => {
      const times = arrivals.filter(({ line }) => line === upstreamPhoneId).map(({ at }) => at)
      return { perSecond, messages: times.length, fullestSecond: densest(times, secondMs).count }
    })
