import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { minuteMs, secondMs } from '../../src/base/durations.ts'
import { pairBurstMax } from '../../src/base/upstreamLimits.ts'
import { LinePace, PairPace } from '../../src/sending/pacing.ts'

/** The most times that lie within one window of this length, wherever it starts. */
function maxWithin(times: readonly number[], windowMs: number): number {
  let first = 0
  let most = 0
  for (const [last, at] of times.entries()) {
    while (at - (times[first] ?? at) >= windowMs) first += 1
    most = Math.max(most, last - first + 1)
  }
  return most
}

/** Lets messages through as they arrive, each as early as the pace allows. @returns when each left */
function leave(pace: LinePace, arrivals: readonly number[]): number[] {
  let now = 0
  return arrivals.map(arrival => {
    now = Math.max(now, arrival)
    while (pace.reserve(1, now) === 0) now = pace.opensAt(now)
    expect(pace.dueAt(now)).toBeLessThanOrEqual(now)
    pace.depart(now)
    return now
  })
}

/** Arrival times in order, with bursts and gaps. */
const arrivalTimes = fc
  .array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 5_000 })), {
    maxLength: 150,
  })
  .map(gaps => {
    let at = 100_000
    return gaps.map(gap => {
      at += gap
      return at
    })
  })

const line = (perSecond: number) => {
  const pace = new LinePace()
  pace.setRate(perSecond)
  return pace
}

describe('the pace of a line', () => {
  test('never more than its rate in any second, not only in seconds of the clock', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), arrivalTimes, (perSecond, arrivals) => {
        expect(maxWithin(leave(line(perSecond), arrivals), secondMs)).toBeLessThanOrEqual(perSecond)
      }),
    )
  })

  test('nothing waits longer than it must: what arrives below the rate leaves at once', () => {
    fc.assert(
      fc.property(arrivalTimes, arrivals => {
        const perSecond = Math.max(1, maxWithin(arrivals, secondMs))
        expect(leave(line(perSecond), arrivals)).toEqual(arrivals)
      }),
    )
  })

  test('0 per second: no pacing', () => {
    const pace = line(0)
    const arrivals = Array.from({ length: 500 }, () => 100_000)
    expect(leave(pace, arrivals)).toEqual(arrivals)
    expect(pace.reserve(10_000, 100_000)).toBe(10_000)
  })

  test('a changed rate holds from then on, and what was sent before still counts', () => {
    const pace = line(4)
    leave(pace, [100_000, 100_000, 100_000, 100_000])
    pace.setRate(2)
    const later = leave(pace, [100_100, 100_100, 100_100])
    expect(maxWithin([100_000, 100_000, 100_000, 100_000, ...later], secondMs)).toBeLessThanOrEqual(4)
    expect(maxWithin(later, secondMs)).toBeLessThanOrEqual(2)
  })
})

describe('a line whose last process has ended', () => {
  const burst = (at: number) => Array.from({ length: 4 }, () => at)

  test('keeps its rate over both: nothing leaves within a second, and then as ever', () => {
    const before = leave(line(4), burst(100_000))
    const next = line(4)
    next.followEnded(100_100, Number.POSITIVE_INFINITY)
    const after = leave(next, [...burst(100_100), ...burst(100_100)])
    expect(after).toEqual([...burst(101_100), ...burst(102_100)])
    expect(maxWithin([...before, ...after], secondMs)).toBe(4)
  })

  test('of which is known how many left, has the rest of its rate at once', () => {
    const next = line(4)
    next.followEnded(100_100, 3)
    expect(leave(next, burst(100_100))).toEqual([100_100, 101_100, 101_100, 101_100])
  })

  test('does not wait again for a message that is taken over later', () => {
    const pace = line(4)
    leave(pace, [100_000])
    pace.followEnded(100_500, 4)
    expect(leave(pace, [100_500])).toEqual([100_500])
  })
})

describe('a line that was throttled', () => {
  const busy = (from: number, count: number) => Array.from({ length: count }, () => from)

  test('runs at half its rate for a minute, then at the whole again', () => {
    const pace = line(8)
    pace.slowDown(100_000)
    const left = leave(pace, busy(100_000, 400))
    const until = (end: number) => left.filter(at => at < end)
    expect(maxWithin(until(100_000 + minuteMs), secondMs)).toBe(4)
    expect(maxWithin(left, secondMs)).toBe(8)
  })

  test('throttled again it halves again, down to one a second and no further', () => {
    const pace = line(8)
    for (let times = 0; times < 10; times += 1) pace.slowDown(100_000 + times * secondMs)
    expect(leave(pace, busy(110_000, 5))).toEqual([110_000, 111_000, 112_000, 113_000, 114_000])
  })

  test('gets faster by one step a minute, and after many throttles no later than after a few', () => {
    const pace = line(8)
    for (let times = 0; times < 10; times += 1) pace.slowDown(100_000 + times * secondMs)
    const slowedAt = 109_000
    const left = leave(pace, busy(110_000, 1_500))
    const within = (minute: number) =>
      left.filter(at => at >= slowedAt + minute * minuteMs + secondMs && at < slowedAt + (minute + 1) * minuteMs)
    expect([0, 1, 2, 3].map(minute => maxWithin(within(minute), secondMs))).toEqual([1, 2, 4, 8])
  })

  test('is at its whole rate again after enough quiet minutes, also when nothing was sent in them', () => {
    const pace = line(8)
    for (let times = 0; times < 3; times += 1) pace.slowDown(100_000 + times * secondMs)
    const idleUntil = 102_000 + 3 * minuteMs
    expect(maxWithin(leave(pace, busy(idleUntil, 50)), secondMs)).toBe(8)
  })

  test('answers to messages that left together count once', () => {
    const pace = line(8)
    for (let answers = 0; answers < 50; answers += 1) pace.slowDown(100_000 + answers)
    expect(maxWithin(leave(pace, busy(100_100, 50)), secondMs)).toBe(4)
  })

  test('never more than its rate in any second, whenever the throttles come', () => {
    const throttles = fc.array(fc.integer({ min: 100_000, max: 160_000 }), { maxLength: 8 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), arrivalTimes, throttles, (perSecond, arrivals, hits) => {
        const pace = line(perSecond)
        const waiting = hits.toSorted((one, other) => one - other)
        let now = 0
        const left = arrivals.map(arrival => {
          now = Math.max(now, arrival)
          for (;;) {
            for (let next = waiting[0]; next !== undefined && next <= now; next = waiting[0]) {
              pace.slowDown(next)
              waiting.shift()
            }
            if (pace.reserve(1, now) === 1) break
            now = waiting[0] ? Math.min(pace.opensAt(now), waiting[0]) : pace.opensAt(now)
          }
          pace.depart(now)
          return now
        })
        expect(maxWithin(left, secondMs)).toBeLessThanOrEqual(perSecond)
      }),
    )
  })
})

describe('departures that are reserved', () => {
  test('are none while none is free, else at most those of the coming second', () => {
    const pace = line(5)
    expect(pace.reserve(2, 100_000)).toBe(2)
    expect(pace.reserve(9, 100_000)).toBe(3)
    expect(pace.reserve(1, 100_000)).toBe(0)
    expect(pace.opensAt(100_000)).toBe(Number.POSITIVE_INFINITY)
    for (let count = 0; count < 5; count += 1) pace.depart(100_400)
    expect(pace.opensAt(100_400)).toBe(101_400)
    expect([pace.reserve(9, 101_399), pace.reserve(9, 101_400)]).toEqual([0, 5])
  })

  test('count until they are given back', () => {
    const pace = line(2)
    pace.reserve(2, 100_000)
    pace.release(1)
    expect(pace.reserve(9, 100_000)).toBe(1)
  })

  test('however late they are used, never more than the rate leave in any second, and nothing is stuck', () => {
    const step = fc.record({ gapMs: fc.integer({ min: 0, max: 700 }), count: fc.integer({ min: 1, max: 6 }) })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.array(step, { maxLength: 60 }), (perSecond, steps) => {
        const pace = line(perSecond)
        const left: number[] = []
        let reserved = 0
        let now = 100_000
        const use = (most: number) => {
          for (let used = 0; used < most && reserved > 0 && pace.dueAt(now) <= now; used += 1) {
            pace.depart(now)
            reserved -= 1
            left.push(now)
          }
        }
        for (const { gapMs, count } of steps) {
          now += gapMs
          // The disk takes its time: some of what was reserved leaves now, the rest later.
          use(count)
          reserved += pace.reserve(count, now)
        }
        for (; reserved > 0; now = Math.max(now, pace.dueAt(now))) use(reserved)
        expect(maxWithin(left, secondMs)).toBeLessThanOrEqual(perSecond)
        expect(pace.reserve(1, now + secondMs)).toBe(1)
      }),
    )
  })
})

describe('the pace towards one recipient', () => {
  const pairMs = 6_000

  function leavePair(pace: PairPace, arrivals: readonly number[]): number[] {
    let now = 0
    return arrivals.map(arrival => {
      now = Math.max(now, arrival)
      while (pace.opensAt(now, pairMs) > now) now = pace.opensAt(now, pairMs)
      pace.depart(now, pairMs)
      return now
    })
  }

  test('one per interval flows without a wait', () => {
    const arrivals = Array.from({ length: 100 }, (_, index) => index * pairMs)
    expect(leavePair(new PairPace(), arrivals)).toEqual(arrivals)
  })

  test.each([1, 2, 20, 44, 45])(
    'a burst of %d goes at once, then nothing until that many intervals after its first',
    n => {
      const arrivals = Array.from({ length: n }, (_, index) => 100_000 + index)
      const pace = new PairPace()
      expect(leavePair(pace, arrivals)).toEqual(arrivals)
      const [next] = leavePair(pace, [100_000 + pairMs])
      expect(next).toBe(100_000 + n * pairMs)
    },
  )

  test('45 are the most that go at once', () => {
    const arrivals = Array.from({ length: 60 }, () => 100_000)
    const left = leavePair(new PairPace(), arrivals)
    expect(left.filter(at => at === 100_000)).toHaveLength(pairBurstMax)
    expect(left.filter(at => at === 100_000 + pairBurstMax * pairMs)).toHaveLength(15)
  })

  test('whatever arrives, after n messages n intervals pass before the next burst, and none is larger than 45', () => {
    fc.assert(
      fc.property(arrivalTimes, arrivals => {
        const left = leavePair(new PairPace(), arrivals)
        let burst: number[] = []
        for (const at of left) {
          const start = burst[0]
          if (start === undefined || at >= start + burst.length * pairMs) burst = []
          else expect(at).toBeLessThan(start + pairMs)
          burst.push(at)
          expect(burst.length).toBeLessThanOrEqual(pairBurstMax)
        }
      }),
    )
  })

  test('nothing has to be remembered once the debt is paid', () => {
    const pace = new PairPace()
    for (let count = 0; count < 10; count += 1) pace.depart(100_000, pairMs)
    expect(pace.restsAt(pairMs)).toBe(100_000 + 10 * pairMs)
  })
})
