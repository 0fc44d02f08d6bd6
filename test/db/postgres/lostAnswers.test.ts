import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { leaseMs } from '../../../db/postgres/instances.ts'
import { openPool } from '../../../db/postgres/open.ts'
import { inTransaction } from '../../../db/postgres/transaction.ts'
import { OutcomeUnknown, Unavailable } from '../../../src/base/unavailable.ts'
import { ManualClock } from '../../clock.ts'
import { hasPostgres } from '../../postgres.ts'
import { acceptedToLeave, draft, t0, withKey } from '../fixtures.ts'
import { postgresDatabase } from './database.ts'
import { openInstance, seedSending, type TestInstance } from './instance.ts'
import { type Link, linkTo } from './link.ts'

describe.skipIf(!hasPostgres)('an acceptance whose commit is not answered', () => {
  const current = postgresDatabase()
  let link: Link
  let clock: ManualClock
  let instance: TestInstance
  beforeEach(async () => {
    await seedSending(current())
    link = linkTo(current().url)
    clock = new ManualClock()
    instance = await openInstance(link.url, clock)
  })
  afterEach(async () => {
    await instance.close()
    link.goDown()
  })

  const numberOf = async (sql: string) => {
    const [row] = await current().pool.query<{ n: number }>(`SELECT (${sql})::float8 AS n`)
    return row?.n
  }
  const stored = async () => [
    await numberOf('SELECT count(*) FROM messages'),
    await numberOf('SELECT coalesce(sum(used), 0) FROM plan_usage'),
    await numberOf('SELECT count(*) FROM idempotency_keys'),
  ]
  const offer = (dispatchedAt: number | null = t0) =>
    instance.acceptMessage(draft({ dispatchedAt, ...withKey('k-1', 'f1') }))
  /** Lets pass the time for which the server is asked. */
  async function untilSettled<Value>(answer: Promise<Value>): Promise<void> {
    let isSettled = false
    const done = () => {
      isSettled = true
    }
    answer.then(done, done)
    while (!isSettled) {
      clock.advance(200)
      await Bun.sleep(1)
    }
  }

  test('is stored once, and its caller is told so, when the server had stored it', async () => {
    link.nextCommit = 'answerLost'
    expect(await offer()).toEqual(acceptedToLeave(leaseMs))
    expect(await stored()).toEqual([1, 1, 1])
  })

  test('is stored once, and its caller is told so, when the commit had not arrived', async () => {
    link.nextCommit = 'lost'
    expect(await offer()).toEqual(acceptedToLeave(leaseMs))
    expect(await stored()).toEqual([1, 1, 1])
  })

  test('is stored once while its statement still waits on the server: it is not offered again beside it', async () => {
    const { pool, url } = current()
    const watching = openPool(url, 1)
    const waiting = () =>
      watching.query(`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
    async function untilSoManyWait(count: number): Promise<void> {
      // Each turn is one more time that the instance asks, far fewer than it would.
      for (let turn = 0; turn < 40 && (await waiting()).length < count; turn += 1) {
        clock.advance(200)
        await Bun.sleep(20)
      }
    }
    await instance.acceptMessage(draft({ id: 'msg_0' }))
    let answer: ReturnType<typeof offer> | undefined
    await inTransaction(pool, 'read committed', async ({ query }) => {
      await query('SELECT 1 FROM plan_usage FOR UPDATE')
      answer = offer()
      await untilSoManyWait(1)
      link.goDown()
      link.comeUp()
      await untilSoManyWait(2)
    })
    await watching.close()
    expect(await answer).toEqual(acceptedToLeave(leaseMs))
    expect(await stored()).toEqual([2, 2, 1])
  })

  test('is answered as each of its calls deserves, when many share the commit', async () => {
    link.nextCommit = 'answerLost'
    const answers = await Promise.all(
      ['msg_1', 'msg_2', 'msg_3'].map((id, n) =>
        instance.acceptMessage(draft({ id, ...withKey('k-1', n === 2 ? 'f2' : 'f1') })),
      ),
    )
    expect(answers).toEqual([
      acceptedToLeave(leaseMs),
      { outcome: 'replayed', messageId: 'msg_1' },
      { outcome: 'conflict' },
    ])
    expect(await stored()).toEqual([1, 1, 1])
  })

  test.each([
    ['that waits is taken up and sent', null, 0, ['msg_1'], 'QUEUED'],
    ['that asked to leave becomes UNKNOWN', t0, 1, [], 'UNKNOWN'],
  ] as const)(
    'is an error while the server stays away; once it is back, a stored message %s',
    async (_, dispatchedAt, marked, claimed, status) => {
      link.nextCommit = 'answerLost'
      link.staysDown = true
      const answer = offer(dispatchedAt)
      await untilSettled(answer)
      await expect(answer).rejects.toBeInstanceOf(OutcomeUnknown)
      await expect(instance.markInterrupted({ at: t0 })).rejects.toBeInstanceOf(Unavailable)
      link.comeUp()
      expect(await instance.markInterrupted({ at: t0 })).toBe(marked)
      const waiting = await instance.claimWaiting({ after: null, limit: 10 })
      expect(waiting.map(({ message }) => message.id)).toEqual([...claimed])
      expect(await numberOf(`SELECT count(*) FROM messages WHERE status = '${status}'`)).toBe(1)
      expect(await offer()).toEqual({ outcome: 'replayed', messageId: 'msg_1' })
    },
  )

  test('fails without an effect when the server cannot be reached at all', async () => {
    link.goDown()
    // What was sent on a connection that has just ended may have arrived. This one notices that they have ended.
    await expect(instance.pool.query('SELECT 1')).rejects.toThrow()
    await expect(offer()).rejects.toBeInstanceOf(Unavailable)
    expect(await stored()).toEqual([0, 0, 0])
    link.comeUp()
  })

  test('fails without an effect when the answer of a new lease is lost, and the next one succeeds', async () => {
    await instance.acceptMessage(draft({ id: 'msg_0', dispatchedAt: null }))
    await current().pool.query('DELETE FROM instances')
    link.nextCommit = 'answerLost'
    link.sparesStatements = true
    await expect(offer()).rejects.toBeInstanceOf(Unavailable)
    expect(await offer()).toEqual(acceptedToLeave(leaseMs))
    expect(await stored()).toEqual([2, 2, 1])
    // What this process has follows to the number that it has in the end, and no row of another one is left.
    const { seq } = instance.instance
    expect(await numberOf(`SELECT count(*) FROM messages WHERE instance_seq = ${seq}`)).toBe(2)
    expect(await numberOf('SELECT sum(seq) FROM instances')).toBe(seq)
  })
})
