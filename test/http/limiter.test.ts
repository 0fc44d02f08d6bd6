import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { RateWindow } from '../../db/contract/records.ts'
import type { StoreWrites } from '../../db/contract/store.ts'
import { countedNetworks } from '../../src/base/network.ts'
import { rateWindowMs, windowStart } from '../../src/base/rateLimits.ts'
import { type Admission, Limiter } from '../../src/http/limiter.ts'
import { silentLogger } from '../../src/telemetry/log.ts'
import { ManualClock } from '../clock.ts'

/** Keeps what the limiter stores, as the database would. */
function shelf() {
  const windows = new Map<string, RateWindow>()
  const write: Pick<StoreWrites, 'countRequests'> = {
    async countRequests(change) {
      for (const window of change.windows) windows.set(window.subject, window)
    },
  }
  // The limiter asks for nothing else.
  return { windows, write: write as StoreWrites }
}

/** @returns what the limiter says to a request of a subject as it is stored: `ip:…` or `key:…`. */
function admit(limiter: Limiter, subject: string, limit: number): Admission {
  const name = subject.slice(subject.indexOf(':') + 1)
  const admission = subject.startsWith('key:') ? limiter.admitKey(name, limit) : limiter.admitAddress([name], limit)
  if (!admission) throw new Error('the table of addresses is full')
  return admission
}

type Step = { readonly subject: string } | { readonly advanceMs: number } | 'restart'

const steps = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('ip:a', 'ip:b', 'key:c').map(subject => ({ subject })) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: rateWindowMs }).map(advanceMs => ({ advanceMs })) },
    { weight: 1, arbitrary: fc.constant('restart' as const) },
  ),
  { maxLength: 300 },
)

test('never more than the limit is admitted to a subject in a window, over restarts as well, and never less', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 20 }), steps, async (limit, sequence: readonly Step[]) => {
      const clock = new ManualClock()
      const { windows, write } = shelf()
      const parts = { write, clock, log: silentLogger }
      let limiter = new Limiter(parts, [])
      const admitted = new Map<string, number>()
      for (const step of sequence) {
        if (step === 'restart') {
          await limiter.save()
          limiter = new Limiter(parts, [...windows.values()])
        } else if ('advanceMs' in step) clock.advance(step.advanceMs)
        else {
          const window = `${step.subject} ${windowStart(clock.now())}`
          const before = admitted.get(window) ?? 0
          const admission = admit(limiter, step.subject, limit)
          expect(admission.admitted).toBe(before < limit)
          expect(admission.remaining).toBe(Math.max(0, limit - before - 1))
          if (admission.admitted) admitted.set(window, before + 1)
        }
      }
    }),
  )
})

test('a window that cannot be stored is counted all the same, and ends nothing', async () => {
  const full = () => Promise.reject(new Error('database or disk is full'))
  const write: Pick<StoreWrites, 'countRequests'> = { countRequests: full }
  const limiter = new Limiter({ write: write as StoreWrites, clock: new ManualClock(), log: silentLogger }, [])
  expect(admit(limiter, 'ip:a', 2).admitted).toBe(true)
  await limiter.save()
  expect(admit(limiter, 'ip:a', 2).admitted).toBe(true)
  expect(admit(limiter, 'ip:a', 2).admitted).toBe(false)
})

const started = (clock = new ManualClock(), windows: readonly RateWindow[] = []) =>
  new Limiter({ write: shelf().write, clock, log: silentLogger }, windows)
const nth = (at: number) => `2001:${(at >> 16).toString(16)}:${(at & 0xffff).toString(16)}:1::1`

/** 200,000 places are taken by addresses that never sent a key. */
function filled(limiter: Limiter): Limiter {
  for (let at = 0; at < 200_000; at += 1) limiter.admitAddress([`stranger ${at}`], 2)
  return limiter
}

describe('strangers who fill the table of addresses', () => {
  test('cost those who were counted nothing, and whoever comes later without a key shares one count', () => {
    const limiter = filled(started())
    const late = (at: number) =>
      limiter.admitAddress([`late ${at}`], 2) ?? limiter.admitBeyond([`late ${at}`], 2, false)
    expect([1, 2, 3].map(at => late(at).admitted)).toEqual([true, true, false])
    expect([7, 7].map(at => limiter.admitAddress([`stranger ${at}`], 2)?.admitted)).toEqual([true, false])
  })

  test('cost an address with a valid key nothing: its own limit stays exact', () => {
    const limiter = filled(started())
    const networks = countedNetworks('2001:db8::1')
    for (let at = 0; at < 10; at += 1) limiter.admitBeyond(['a stranger'], 2, false)
    const first = limiter.admitAddress(networks, 2) ?? limiter.admitBeyond(networks, 2, true)
    expect(first).toMatchObject({ admitted: true, limit: 2, remaining: 1 })
    // From now on it is known, with a key or without.
    expect(limiter.admitAddress(networks, 2)).toMatchObject({ admitted: true, remaining: 0 })
    expect(limiter.admitAddress(networks, 2)).toMatchObject({ admitted: false })
  })

  test('have 1,600 requests for a whole /48, whichever addresses they use', () => {
    const limiter = started()
    let admitted = 0
    for (let at = 0; at < 65_536; at += 1)
      if (limiter.admitAddress(countedNetworks(`2001:db8:1:${at.toString(16)}::1`), 100)?.admitted) admitted += 1
    expect(admitted).toBe(1_600)
  })

  test('cannot take the place of keys', () => {
    const limiter = filled(started())
    expect(limiter.admitKey('pk_a', 2)).toMatchObject({ admitted: true, remaining: 1 })
  })

  test('are forgotten in the next window', () => {
    const clock = new ManualClock()
    const limiter = filled(started(clock))
    expect(limiter.admitAddress(['late'], 2)).toBeNull()
    clock.advance(rateWindowMs)
    expect(limiter.admitAddress(['late'], 2)).toMatchObject({ admitted: true, remaining: 1 })
  })

  test('are as bounded when each has a /48 of its own: three places for an address, 200,000 in all', () => {
    const limiter = started()
    const places = Array.from({ length: 70_000 }, (_, at) => limiter.admitAddress(countedNetworks(nth(at)), 100))
    expect(places.filter(place => place?.admitted).length).toBe(Math.floor(200_000 / 3))
  })
})

describe('the networks of an IPv6 address', () => {
  const statuses = (limiter: Limiter, count: number, address: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => limiter.admitAddress(countedNetworks(address(at)), 2)?.admitted)

  test('a /64 has the limit of one address', () => {
    const admitted = statuses(started(), 3, at => `2001:db8:1:2::${at}`)
    expect(admitted).toEqual([true, true, false])
  })

  test('a /56 has four times the limit, a /48 sixteen times', () => {
    const limiter = started()
    expect(statuses(limiter, 9, at => `2001:db8:1:1${at}::1`).filter(Boolean).length).toBe(8)
    expect(statuses(limiter, 60, at => `2001:db8:1:${(at + 2).toString(16)}00::1`).filter(Boolean).length).toBe(24)
    expect(limiter.admitAddress(countedNetworks('2001:db8:2::1'), 2)?.admitted).toBe(true)
  })

  test('the answer speaks of the network that has the least left', () => {
    const limiter = started()
    expect(limiter.admitAddress(countedNetworks('2001:db8:1:1::1'), 2)).toMatchObject({ limit: 2, remaining: 1 })
    statuses(limiter, 6, at => `2001:db8:1:1${at}::1`)
    expect(limiter.admitAddress(countedNetworks('2001:db8:1:20::1'), 2)).toMatchObject({ limit: 8, remaining: 0 })
    expect(limiter.admitAddress(countedNetworks('2001:db8:1:21::1'), 2)).toMatchObject({ limit: 8, admitted: false })
  })

  test('a request that one of them refuses counts in none', () => {
    const limiter = started()
    statuses(limiter, 20, () => '2001:db8:1:1::1')
    expect(statuses(limiter, 9, at => `2001:db8:1:2${at}::1`).filter(Boolean).length).toBe(6)
  })
})

test('a restart keeps the counts of every table', async () => {
  const { windows, write } = shelf()
  const clock = new ManualClock()
  const limiter = filled(new Limiter({ write, clock, log: silentLogger }, []))
  const networks = countedNetworks('2001:db8::1')
  limiter.admitBeyond(networks, 2, true)
  limiter.admitKey('pk_a', 2)
  await limiter.save()
  const next = new Limiter({ write, clock, log: silentLogger }, [...windows.values()])
  expect(next.admitAddress(networks, 2)).toMatchObject({ admitted: true, remaining: 0 })
  expect(next.admitKey('pk_a', 2)).toMatchObject({ admitted: true, remaining: 0 })
  expect(next.admitAddress(['late'], 2)).toBeNull()
})
