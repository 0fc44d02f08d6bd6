import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { RateAdmission, Shared } from '../../db/contract/shared.ts'
import type { StoreWrites } from '../../db/contract/store.ts'
import { countedNetworks } from '../../src/base/network.ts'
import { judge, rateWindowMs, windowStart } from '../../src/base/rateLimits.ts'
import { OutcomeUnknown, Unavailable } from '../../src/base/unavailable.ts'
import { createGuard } from '../../src/http/guard.ts'
import type { KeyUse } from '../../src/http/keyUse.ts'
import { Limiter } from '../../src/http/limiter.ts'
import type { Peers } from '../../src/http/peer.ts'
import { SharedLimiter } from '../../src/http/sharedLimiter.ts'
import { silentLogger } from '../../src/telemetry/log.ts'
import { Metrics } from '../../src/telemetry/metrics.ts'
import { ManualClock } from '../clock.ts'

/** One database, with a clock of its own, that counts for all who ask. */
function database(clock = new ManualClock()) {
  const counts = new Map<string, number>()
  const admit: Shared['admit'] = async ({ requests, windowMs }) =>
    requests.map(({ subjects }): RateAdmission => {
      const startsAt = windowStart(clock.now())
      const rows = subjects.map(({ subject }) => `${startsAt} ${subject}`)
      const limits = subjects.map(({ limit }) => limit)
      const verdict = judge(
        rows.map(row => counts.get(row) ?? 0),
        limits,
      )
      if (verdict.admitted) for (const row of rows) counts.set(row, (counts.get(row) ?? 0) + 1)
      const { admitted, limit, remaining, tightest } = verdict
      const subject = subjects[tightest]?.subject ?? ''
      return { admitted, limit, remaining, subject, resetsInMs: startsAt + windowMs - clock.now() }
    })
  return { admit, clock, counts }
}

const instance = ({ admit, clock }: ReturnType<typeof database>) => new SharedLimiter({ shared: { admit }, clock })

test('instances on one database admit together as much as one alone, and say the same of it', async () => {
  const request = fc.record({
    by: fc.nat({ max: 2 }),
    address: fc.constantFrom('203.0.113.1', '2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:2::1'),
    advanceMs: fc.constantFrom(0, 0, 0, 0, 0, rateWindowMs / 3),
  })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(request, { maxLength: 120 }), async (limit, requests) => {
      const shared = database()
      const instances = [instance(shared), instance(shared), instance(shared)]
      const write = { countRequests: async () => {} }
      const alone = new Limiter({ write: write as unknown as StoreWrites, clock: shared.clock, log: silentLogger }, [])
      for (const { by, address, advanceMs } of requests) {
        shared.clock.advance(advanceMs)
        const networks = countedNetworks(address)
        const { isFirstRefusal, ...told } = (await instances[by]?.admitAddress(networks, limit)) ?? {}
        const { isFirstRefusal: _, ...expected } = alone.admitAddress(networks, limit) ?? {}
        expect(told).toEqual(expected)
        const byKey = await instances[by]?.admitKey(address, limit)
        expect(byKey?.admitted).toBe(alone.admitKey(address, limit).admitted)
      }
    }),
  )
})

describe('an instance', () => {
  test('names the first refusal of a subject in each window, for its own log', async () => {
    const shared = database()
    const [one, other] = [instance(shared), instance(shared)]
    await one.admitKey('pk_a', 1)
    const first = async (limiter: SharedLimiter) => (await limiter.admitKey('pk_a', 1)).isFirstRefusal
    expect([await first(one), await first(one), await first(other)]).toEqual([true, false, true])
    shared.clock.advance(rateWindowMs)
    expect(await one.admitKey('pk_a', 1)).toMatchObject({ admitted: true, isFirstRefusal: false })
    expect(await first(one)).toBe(true)
  })

  test('keeps the rows that strangers make bounded: later ones share one, and an address with a valid key has its own', async () => {
    const shared = database()
    const limiter = instance(shared)
    for (let at = 0; at < 200_000; at += 1) await limiter.admitAddress([`stranger ${at}`], 2)
    expect(await limiter.admitAddress(['late'], 2)).toBeNull()
    const late = async (name: string) => (await limiter.admitBeyond([name], 2, false)).admitted
    expect([await late('a'), await late('b'), await late('c')]).toEqual([true, true, false])
    expect(await limiter.admitBeyond(['caller'], 2, true)).toMatchObject({ admitted: true, remaining: 1 })
    expect(await limiter.admitAddress(['caller'], 2)).toMatchObject({ admitted: true, remaining: 0 })
    expect(shared.counts.size).toBe(200_002)
  })

  test('counts a network together with others, also while it has no place for addresses left', async () => {
    const shared = database()
    const [full, other] = [instance(shared), instance(shared)]
    for (let at = 0; at < 200_000; at += 1) await full.admitAddress([`stranger ${at}`], 2)
    expect(await full.admitBeyond(['caller'], 2, true)).toMatchObject({ admitted: true })
    expect(await other.admitAddress(['caller'], 2)).toMatchObject({ admitted: true, remaining: 0 })
    expect(await full.admitAddress(['caller'], 2)).toMatchObject({ admitted: false })
  })

  test.each([
    ['cannot be asked', new Unavailable('no connection')],
    ['has lost its answer', new OutcomeUnknown('the connection ended at the commit')],
  ])('admits nothing while the database %s: the caller may try again', async (_, error) => {
    const limiter = new SharedLimiter({ shared: { admit: () => Promise.reject(error) }, clock: new ManualClock() })
    await expect(limiter.admitAddress(['203.0.113.1'], 2)).rejects.toBeInstanceOf(Unavailable)
    await expect(limiter.admitKey('pk_a', 2)).rejects.toBeInstanceOf(Unavailable)
  })
})

describe('the guard', () => {
  /** A guard of which each step is noted, in order. */
  function guarded(shared: ReturnType<typeof database>) {
    const steps: string[] = []
    const admit: Shared['admit'] = count => {
      steps.push(`count ${count.requests[0]?.subjects[0]?.subject.split(':')[0]}`)
      return shared.admit(count)
    }
    const findKey = async () => {
      steps.push('check the key')
      return null
    }
    const peers: Pick<Peers, 'addressOf' | 'networksOf'> = {
      addressOf: () => '203.0.113.1',
      networksOf: () => ['203.0.113.1'],
    }
    const guard = createGuard({
      log: silentLogger,
      findKey,
      limiter: new SharedLimiter({ shared: { admit }, clock: shared.clock }),
      ipRateLimit: 2,
      keyRateLimit: 300,
      peers: peers as Peers,
      keyUse: {} as KeyUse,
      clock: shared.clock,
      metrics: new Metrics(),
    })
    return { steps, pass: () => guard(new Request('http://gateway/'), null, { 'x-request-id': 'r' }) }
  }

  test('counts the address before it looks at the key, and beyond the limit looks at one key a window, to warn', async () => {
    const shared = database()
    const [one, other] = [guarded(shared), guarded(shared)]
    expect(await one.pass()).toMatchObject({ ok: false, refusal: { reason: 'UNAUTHORIZED' } })
    expect(await other.pass()).toMatchObject({ ok: false, refusal: { reason: 'UNAUTHORIZED' } })
    expect([...one.steps, ...other.steps]).toEqual(['count ip', 'check the key', 'count ip', 'check the key'])
    const refusal = { reason: 'RATE_LIMIT_EXCEEDED', retryAfterMs: expect.any(Number) }
    expect(await one.pass()).toMatchObject({ ok: false, isFirst: true, refusal })
    expect(await one.pass()).toMatchObject({ ok: false, isFirst: false, refusal })
    expect(one.steps.slice(2)).toEqual(['count ip', 'check the key', 'count ip'])
  })
})
