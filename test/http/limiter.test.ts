import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { RateWindow } from '../../db/records.ts'
import type { StoreWrites } from '../../db/store.ts'
import { Limiter, rateWindowMs, windowStart } from '../../src/http/limiter.ts'
import { silentLogger } from '../../src/log.ts'
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
          const admission = limiter.admit(step.subject, limit)
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
  expect(limiter.admit('ip:a', 2).admitted).toBe(true)
  await limiter.save()
  expect(limiter.admit('ip:a', 2).admitted).toBe(true)
  expect(limiter.admit('ip:a', 2).admitted).toBe(false)
})

test('beyond 200,000 callers, those who were counted keep their counts, and whoever comes later shares one', () => {
  const limiter = new Limiter({ write: shelf().write, clock: new ManualClock(), log: silentLogger }, [])
  for (let caller = 0; caller < 200_000; caller += 1) limiter.admit(`ip:${caller}`, 2)
  const admitted = (caller: number) => limiter.admit(`ip:${caller}`, 2).admitted
  expect([200_000, 200_001, 200_002].map(admitted)).toEqual([true, true, false])
  expect([7, 7].map(admitted)).toEqual([true, false])
})
