import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Report } from '../../../db/contract/records.ts'
import { eventVerbs } from '../../../db/postgres/events.ts'
import { openPool, type Pool } from '../../../db/postgres/open.ts'
import { parking } from '../../../db/postgres/parking.ts'
import { storeReads } from '../../../db/postgres/store.ts'
import { inTransaction } from '../../../db/postgres/transaction.ts'
import { ownToken, peers, wamid } from '../../message/wamids.ts'
import { hasPostgres } from '../../postgres.ts'
import { accepted, line, recorded, report, t0 } from '../fixtures.ts'
import { postgresDatabase } from './database.ts'
import { putMessages, seedLine } from './storedMessages.ts'

describe.skipIf(!hasPostgres)('callbacks that match no message yet, on PostgreSQL', () => {
  const database = postgresDatabase()
  let pool: Pool
  let verbs: ReturnType<typeof eventVerbs>
  let otherPool: Pool
  let other: ReturnType<typeof eventVerbs>

  beforeEach(async () => {
    pool = database().pool
    verbs = eventVerbs(pool, true)
    otherPool = openPool(database().url, 4)
    other = eventVerbs(otherPool, true)
    await seedLine(database())
    await putMessages(pool, { id: 'msg_1' }, { id: 'msg_2' })
  })
  afterEach(() => otherPool.close())

  const to = { upstreamPhoneId: line().upstreamPhoneId, phone: null, userId: null }
  const early = (status: 'sent' | 'delivered' | 'failed', channelMessageId = 'wamid.1', at = t0 + 1_000) =>
    report(status, { messageId: null, channelMessageId, at, to })
  const callback = (...reports: readonly Report[]) => ({ channelId: 'chan_1', reports, recordedAt: t0 + 5_000 })
  const message = (id: string) => storeReads(pool).message(id)
  const parked = async (channelId = 'chan_1') =>
    (
      await pool.query<{ id: string }>(
        'SELECT channel_message_id AS id FROM parked_reports WHERE channel_id = $1 ORDER BY recorded_at, status',
        [channelId],
      )
    ).map(({ id }) => id)

  /** @returns once the call has ended, or that many statements of the database wait for a lock */
  async function endedOrWaiting(call: Promise<unknown>, count: number): Promise<void> {
    let isEnded = false
    const end = () => {
      isEnded = true
    }
    call.then(end, end)
    const waits = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    while (!isEnded && (await pool.query(waits)).length < count);
  }

  /** Runs an action while the numbers of days are locked, which every transaction that moves a message stores last. */
  async function whileNumbersAreLocked<Result>(action: () => Promise<Result>): Promise<Result> {
    await verbs.recordEvent(recorded('msg_2', { kind: 'lost', at: t0 }))
    await pool.query("INSERT INTO daily_counts SELECT workspace_id, day, 'SENT', 0 FROM daily_counts")
    return inTransaction(pool, 'read committed', async ({ query }) => {
      await query('SELECT 1 FROM daily_counts FOR UPDATE')
      return action()
    })
  }

  test('are applied when a later callback of the same call says whose id it is', async () => {
    expect(
      await verbs.applyReports(callback(early('delivered'), report('sent', { channelMessageId: 'wamid.1' }))),
    ).toEqual({
      applied: 1,
      parked: 1,
      foreign: 0,
    })
    expect(await message('msg_1')).toMatchObject({ status: 'DELIVERED', channelMessageId: 'wamid.1' })
    expect(await parked()).toEqual([])
  })

  test.each(['chan_2', undefined])(
    'are applied to a message whose answer is said to be of the channel %p',
    async channelId => {
      await verbs.applyReports(callback(early('delivered')))
      const { channelId: _, ...answer } = accepted('msg_1', 'wamid.1')
      await verbs.recordEvent({ ...answer, ...(channelId && { channelId }) })
      expect(await message('msg_1')).toMatchObject({ status: 'DELIVERED', channelMessageId: 'wamid.1' })
      expect(await parked()).toEqual([])
      await verbs.recordEvent({ ...accepted('msg_2', 'wamid.2'), ...(channelId && { channelId }) })
      expect(await message('msg_2')).toMatchObject({ status: 'SENT' })
    },
  )

  const texts = [
    ['its id', 'wamid.1', 'wamid.1'],
    ['another text of it', wamid(peers[0], ownToken), wamid(peers[2], ownToken)],
  ] as const

  test.each(texts)(
    'an answer that an instance is about to store gets the callback that another is given meanwhile, by %s',
    async (_how, answeredAs, reportedAs) => {
      const { answered, reported } = await whileNumbersAreLocked(async () => {
        const answered = verbs.recordEvent(accepted('msg_1', answeredAs))
        await endedOrWaiting(answered, 1)
        const reported = other.applyReports(callback(early('delivered', reportedAs)))
        await endedOrWaiting(reported, 2)
        return { answered, reported }
      })
      expect(await answered).toMatchObject({ status: 'SENT' })
      expect(await reported).toEqual({ applied: 1, parked: 0, foreign: 0 })
      expect(await message('msg_1')).toMatchObject({ status: 'DELIVERED' })
      expect(await parked()).toEqual([])
    },
  )

  test.each(texts)(
    'a callback that an instance is about to park is given to the answer that another stores meanwhile, by %s',
    async (_how, answeredAs, reportedAs) => {
      const { reported, answered } = await whileNumbersAreLocked(async () => {
        // The second report keeps the transaction open.
        const reported = other.applyReports(
          callback(early('delivered', reportedAs), report('sent', { messageId: 'msg_2', channelMessageId: 'wamid.2' })),
        )
        await endedOrWaiting(reported, 1)
        const answered = verbs.recordEvent(accepted('msg_1', answeredAs))
        await endedOrWaiting(answered, 2)
        return { reported, answered }
      })
      expect(await reported).toEqual({ applied: 1, parked: 1, foreign: 0 })
      expect(await answered).toMatchObject({ status: 'DELIVERED' })
      expect(await parked()).toEqual([])
    },
  )

  test('take a bounded part of the disk on all instances together: the oldest make room, other channels lose nothing', async () => {
    const bytesMax = 100_000
    const instances = [parking(bytesMax), parking(bytesMax), parking(bytesMax)]
    const park = (channelId: string, n: number) =>
      inTransaction(pool, 'read committed', async connection => {
        const reports = instances[n % 3]?.(connection)
        const event = { status: 'sent', at: t0, recordedAt: t0 + n, reason: null, pricing: null } as const
        const names = { token: null, lineId: null, phone: null, userId: null }
        // A row counts as some 1,000 bytes.
        reports?.park({ channelId, channelMessageId: `${n}`, ...event, ...names, detail: 'x'.repeat(800) })
        await reports?.write()
      })
    await park('chan_2', 0)
    let most = 0
    for (let n = 0; n < 250; n += 1) {
      await park('chan_1', n)
      most = Math.max(most, (await parked()).length)
    }
    // Each instance may be beyond by what it parks between two measurements: a hundredth, and the row that shows it.
    expect(most).toBeLessThanOrEqual(105)
    const left = await parked()
    expect(left.length).toBeGreaterThan(80)
    expect(left).toEqual(Array.from({ length: left.length }, (_, index) => `${250 - left.length + index}`))
    expect(await parked('chan_2')).toEqual(['0'])
  })
})
