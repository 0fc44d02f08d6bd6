import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { LinePace, PairPace, pairBurstMax } from '../../src/messages/pacing.ts'

const secondMs = 1_000

/** The most times that lie within one window of this length, wherever it starts. */
function mostWithin(times: readonly number[], windowMs: number): number {
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
    while (pace.opensAt(now) > now) now = pace.opensAt(now)
    pace.take(now)
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
        expect(mostWithin(leave(line(perSecond), arrivals), secondMs)).toBeLessThanOrEqual(perSecond)
      }),
    )
  })

  test('nothing waits longer than it must: what arrives below the rate leaves at once', () => {
    fc.assert(
      fc.property(arrivalTimes, arrivals => {
        const perSecond = Math.max(1, mostWithin(arrivals, secondMs))
        expect(leave(line(perSecond), arrivals)).toEqual(arrivals)
      }),
    )
  })

  test('0 per second: no pacing of its own, but a pause holds', () => {
    const pace = line(0)
    const arrivals = Array.from({ length: 500 }, () => 100_000)
    expect(leave(pace, arrivals)).toEqual(arrivals)
    pace.pause(105_000)
    expect(pace.opensAt(100_000)).toBe(105_000)
  })

  test('a pause holds everything until its end, and a shorter one does not cut it', () => {
    const pace = line(5)
    pace.pause(110_000)
    pace.pause(101_000)
    expect(leave(pace, [100_000, 100_000])).toEqual([110_000, 110_000])
  })

  test('a changed rate holds from then on, and what was sent before still counts', () => {
    const pace = line(4)
    leave(pace, [100_000, 100_000, 100_000, 100_000])
    pace.setRate(2)
    const later = leave(pace, [100_100, 100_100, 100_100])
    expect(mostWithin([100_000, 100_000, 100_000, 100_000, ...later], secondMs)).toBeLessThanOrEqual(4)
    expect(mostWithin(later, secondMs)).toBeLessThanOrEqual(2)
  })
})

describe('a line that was throttled', () => {
  const minuteMs = 60_000
  const busy = (from: number, count: number) => Array.from({ length: count }, () => from)

  test('runs at half its rate for a minute, then at the whole again', () => {
    const pace = line(8)
    pace.slowDown(100_000)
    const left = leave(pace, busy(100_000, 400))
    const until = (end: number) => left.filter(at => at < end)
    expect(mostWithin(until(100_000 + minuteMs), secondMs)).toBe(4)
    expect(mostWithin(left, secondMs)).toBe(8)
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
    expect([0, 1, 2, 3].map(minute => mostWithin(within(minute), secondMs))).toEqual([1, 2, 4, 8])
  })

  test('is at its whole rate again after enough quiet minutes, also when nothing was sent in them', () => {
    const pace = line(8)
    for (let times = 0; times < 3; times += 1) pace.slowDown(100_000 + times * secondMs)
    const idleUntil = 102_000 + 3 * minuteMs
    expect(mostWithin(leave(pace, busy(idleUntil, 50)), secondMs)).toBe(8)
  })

  test('answers to messages that left together count once', () => {
    const pace = line(8)
    for (let answers = 0; answers < 50; answers += 1) pace.slowDown(100_000 + answers)
    expect(mostWithin(leave(pace, busy(100_100, 50)), secondMs)).toBe(4)
  })

  test('never more than its rate in any second, whenever the throttles come and with whatever pause', () => {
    const throttles = fc.array(
      fc.record({ at: fc.integer({ min: 100_000, max: 160_000 }), pauseMs: fc.integer({ min: 0, max: 3_000 }) }),
      { maxLength: 8 },
    )
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), arrivalTimes, throttles, (perSecond, arrivals, told) => {
        const pace = line(perSecond)
        const waiting = told.toSorted((one, other) => one.at - other.at)
        let now = 0
        const left = arrivals.map(arrival => {
          now = Math.max(now, arrival)
          for (;;) {
            for (let next = waiting[0]; next && next.at <= now; next = waiting[0]) {
              pace.slowDown(next.at)
              pace.pause(next.at + next.pauseMs)
              waiting.shift()
            }
            const opensAt = pace.opensAt(now)
            if (opensAt <= now) break
            now = waiting[0] ? Math.min(opensAt, waiting[0].at) : opensAt
          }
          pace.take(now)
          return now
        })
        expect(mostWithin(left, secondMs)).toBeLessThanOrEqual(perSecond)
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
      pace.take(now, pairMs)
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

  test('a pause holds, and is remembered until it is over', () => {
    const pace = new PairPace()
    pace.take(100_000, pairMs)
    pace.pause(150_000)
    expect(pace.opensAt(100_000, pairMs)).toBe(150_000)
    expect(pace.restsAt(pairMs)).toBe(150_000)
  })

  test('nothing has to be remembered once the debt is paid', () => {
    const pace = new PairPace()
    for (let count = 0; count < 10; count += 1) pace.take(100_000, pairMs)
    expect(pace.restsAt(pairMs)).toBe(100_000 + 10 * pairMs)
  })
})
