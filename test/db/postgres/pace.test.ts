import { describe, expect, test } from 'bun:test'
import { giveDepartures, Validity } from '../../../db/postgres/pace.ts'
import { rateOf, recovered } from '../../../src/message/slowdown.ts'
import { hasPostgres } from '../../postgres.ts'
import { postgresDatabase } from './database.ts'
import { seedSending } from './instance.ts'

/** Numbers from 0 to 1, the same in each run. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state / 2 ** 32
  }
}

/** @returns the most departures of any second */
function mostInASecond(departures: readonly number[]): number {
  const sorted = departures.toSorted((a, b) => a - b)
  let most = 0
  let from = 0
  sorted.forEach((at, index) => {
    while ((sorted[from] ?? 0) <= at - 1_000) from += 1
    most = Math.max(most, index - from + 1)
  })
  return most
}

interface Grant {
  readonly endsAt: number
  readonly count: number
}

describe.skipIf(!hasPostgres)('the departures that instances are given', () => {
  const current = postgresDatabase()

  /** By the server's rule: the grants that count, how many more are given, and when one is free again. */
  async function shareOf(rate: number, grants: readonly Grant[], count: number, now: number) {
    const [share] = await current().pool.query<{ ends: number[]; counts: number[]; granted: number; waitMs: number }>(
      `SELECT coalesce(ends::int[], '{}') AS ends, coalesce(counts::int[], '{}') AS counts, granted::int AS granted,
         wait_ms::int AS "waitMs" FROM share_of_1($1, $2, $3, $4::bigint[], $5::bigint[])`,
      [rate, count, now, grants.map(({ endsAt }) => endsAt), grants.map(grant => grant.count)],
    )
    if (!share) throw new Error('there is an answer')
    const { ends, counts, granted, waitMs } = share
    const lasting = [...ends].map((endsAt, at) => ({ endsAt, count: counts[at] ?? 0 }))
    return { granted, lasting, waitMs }
  }

  test.each(Array.from({ length: 12 }, (_, seed) => seed))(
    'are never more than the rate in any second, whenever they are used within their time (run %i)',
    async seed => {
      const random = randomOf(seed + 1)
      const rate = 1 + Math.floor(random() * 90)
      const validMs = 100 + Math.floor(random() * 1_500)
      let grants: readonly Grant[] = []
      const departures: number[] = []
      for (let now = 0; now < 12_000; now += Math.ceil(random() * 120)) {
        const { granted, lasting } = await shareOf(rate, grants, 1 + Math.floor(random() * 60), now)
        grants = granted === 0 ? lasting : [...lasting, { endsAt: now + validMs, count: granted }]
        for (let n = 0; n < granted; n += 1) departures.push(now + random() * validMs)
      }
      expect(mostInASecond(departures)).toBeLessThanOrEqual(rate)
      // And the line is used: a grant blocks its departures for its own time and a second.
      expect(departures.length).toBeGreaterThan((rate * 12_000 * 0.8) / (1_200 + validMs))
    },
  )

  test('what is held knows when a departure is free again', async () => {
    const grants = [
      { endsAt: 5_500, count: 4 },
      { endsAt: 5_200, count: 6 },
    ]
    expect(await shareOf(10, grants, 3, 5_100)).toMatchObject({ granted: 0, waitMs: 1_100 })
    expect(await shareOf(10, grants, 3, 6_199)).toMatchObject({ granted: 0, waitMs: 1 })
    expect(await shareOf(10, grants, 8, 6_200)).toMatchObject({ granted: 6, waitMs: 300 })
    expect(await shareOf(10, [], 3, 5_100)).toMatchObject({ granted: 3, waitMs: 0 })
    // The line was slowed down to 2 in a second: more than that were given before.
    expect(await shareOf(2, grants, 1, 5_100)).toMatchObject({ granted: 0, waitMs: 1_400 })
  })

  test('follow a slowdown and its recovery as an instance alone does', async () => {
    await seedSending(current(), { perSecond: 80 })
    const { pool } = current()
    await pool.query(`INSERT INTO line_paces (line_id) VALUES ('line_1')`)
    for (const [divisor, quietMs] of [
      [1, 0],
      [4, 0],
      [4, 59_000],
      [4, 61_000],
      [4, 121_000],
      [128, 1_000],
      [128, 1e9],
    ]) {
      const slowedAt = Date.now() - (quietMs ?? 0)
      await pool.query(`UPDATE line_paces SET slowdown = $1, slowed_at = $2, grant_ends = '{}', grant_counts = '{}'`, [
        divisor ?? 1,
        slowedAt,
      ])
      const alone = () => rateOf(80, recovered({ divisor: divisor ?? 1, slowedAt }, Date.now()))
      // A quiet spell may end meanwhile.
      const before = alone()
      const shares = await giveDepartures(pool, [{ lineId: 'line_1', count: 1_000 }], 100)
      expect([before, alone()]).toContain(shares.get('line_1')?.granted ?? 0)
    }
  })
})

describe('the time that departures are given for', () => {
  test('follows a slow database at once, and a faster one slowly', () => {
    const validity = new Validity()
    expect(validity.ms).toBe(100)
    validity.observe(2_000, 5_000)
    expect(validity.ms).toBe(4_000)
    validity.observe(10, 5_010)
    expect(validity.ms).toBeGreaterThan(3_500)
    for (let n = 0; n < 200; n += 1) validity.observe(10, 5_010)
    expect(validity.ms).toBe(100)
  })

  test('is never longer than the lease of an instance', () => {
    const validity = new Validity()
    validity.observe(600_000, 600_000)
    expect(validity.ms).toBe(10_000)
  })

  test('after one slow call is short again within two cycles, also of a line that asks rarely', () => {
    const validity = new Validity()
    validity.observe(8_000, 8_000)
    expect(validity.ms).toBe(10_000)
    // All departures are given out for so long, and free again a second later.
    validity.observe(10, 8_010)
    validity.observe(10, 8_010 + validity.ms + 1_000)
    expect(validity.ms).toBe(100)
  })
})
