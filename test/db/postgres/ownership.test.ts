import { afterEach, describe, expect, test } from 'bun:test'
import { Instance, leaseMs } from '../../../db/postgres/instances.ts'
import { openPool } from '../../../db/postgres/open.ts'
import { type Clock, systemClock } from '../../../src/base/clock.ts'
import { hourMs } from '../../../src/base/durations.ts'
import { silentLogger } from '../../../src/telemetry/log.ts'
import { ManualClock } from '../../clock.ts'
import { hasPostgres } from '../../postgres.ts'
import { draft, handOvers, t0 } from '../fixtures.ts'
import { postgresDatabase } from './database.ts'
import { openInstance, seedSending, type TestInstance } from './instance.ts'

describe.skipIf(!hasPostgres)('who has the messages of several instances', () => {
  const current = postgresDatabase('new')
  const instances: TestInstance[] = []
  const open = async (clock?: Clock) => {
    const instance = await openInstance(current().url, clock)
    instances.push(instance)
    return instance
  }
  afterEach(async () => {
    for (const instance of instances.splice(0)) await instance.close()
  })

  interface Row {
    readonly id: string
    readonly status: string
    readonly isHandedOver: boolean
    readonly owner: number | null
  }
  const rows = async () => [
    ...(await current().pool.query<Row>(
      `SELECT id, status, dispatched_at IS NOT NULL AS "isHandedOver", instance_seq::float8 AS owner
       FROM messages ORDER BY id`,
    )),
  ]
  const accept = (instance: TestInstance, ids: readonly string[], dispatchedAt: number | null) =>
    Promise.all(ids.map(id => instance.acceptMessage(draft({ id, dispatchedAt }))))
  const range = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${prefix}_${String(n).padStart(4, '0')}`)
  const idsOf = (claimed: readonly { readonly message: { readonly id: string } }[]) =>
    claimed.map(({ message }) => message.id)
  const defer = (instance: TestInstance, ids: readonly string[]) =>
    instance.deferMessages({
      messages: ids.map(messageId => ({ messageId, payload: '{"again":true}', refusal: { code: 1 } })),
      at: t0 + 3,
    })

  test('what an instance that is gone had is taken once, by whoever looks: waiting messages go on, others become UNKNOWN', async () => {
    await seedSending(current())
    const [gone, one, other] = await Promise.all([open(new ManualClock()), open(), open()])
    await accept(gone, range('waiting', 60), null)
    await accept(gone, range('under_way', 40), t0)
    await gone.expire()
    const marked = await Promise.all([one, other, one, other].map(each => each.markInterrupted({ at: t0 + 1 })))
    expect(marked.reduce((sum, count) => sum + count)).toBe(40)
    const pages = await Promise.all(
      Array.from({ length: 6 }, (_, n) => (n % 2 === 0 ? one : other).claimWaiting({ after: null, limit: 10 })),
    )
    const rest = [
      await one.claimWaiting({ after: null, limit: 100 }),
      await other.claimWaiting({ after: null, limit: 100 }),
    ]
    const claimed = [...pages, ...rest].flatMap(idsOf)
    expect(claimed.toSorted()).toEqual(range('waiting', 60))
    expect(pages[0]?.[0]?.payload).toBe(draft().payload)
    const stored = await rows()
    const living = [one.instance.seq, other.instance.seq]
    expect(stored.filter(({ id }) => id.startsWith('waiting')).every(({ owner }) => living.includes(owner ?? 0))).toBe(
      true,
    )
    expect(new Set(stored.filter(({ id }) => id.startsWith('under')).map(({ status }) => status))).toEqual(
      new Set(['UNKNOWN']),
    )
  })

  test('an instance that lives keeps what it has', async () => {
    await seedSending(current())
    const [living, other] = await Promise.all([open(), open()])
    await accept(living, ['msg_1'], null)
    await accept(living, ['msg_2'], t0)
    expect(await other.markInterrupted({ at: t0 })).toBe(0)
    expect(await other.claimWaiting({ after: null, limit: 10 })).toEqual([])
    expect(await living.claimWaiting({ after: null, limit: 10 })).toEqual([])
    expect(await other.handOverMessages({ messageIds: ['msg_1'], at: t0 })).toEqual(handOvers({ taken: ['msg_1'] }))
    expect(await defer(other, ['msg_2'])).toEqual(['msg_2'])
  })

  test('an instance that was thought dead hands over nothing and defers nothing of what another has taken', async () => {
    await seedSending(current())
    const [stale, other] = await Promise.all([open(new ManualClock()), open()])
    await accept(stale, ['msg_1', 'msg_2'], null)
    await accept(stale, ['msg_3', 'msg_4'], t0)
    await stale.expire()
    expect(await other.markInterrupted({ at: t0 + 1 })).toBe(2)
    expect(idsOf(await other.claimWaiting({ after: null, limit: 10 }))).toEqual(['msg_1', 'msg_2'])
    const before = await rows()
    expect(await stale.handOverMessages({ messageIds: ['msg_1', 'msg_2'], at: t0 + 5 })).toEqual(
      handOvers({ taken: ['msg_1', 'msg_2'] }),
    )
    expect(await defer(stale, ['msg_1', 'msg_3', 'msg_4'])).toEqual(['msg_1', 'msg_3', 'msg_4'])
    expect(await rows()).toEqual(before)
    const contents = await current().pool.query<{ payload: string }>('SELECT DISTINCT payload FROM message_contents')
    expect(contents.map(({ payload }) => payload)).toEqual([draft().payload])
    expect(await current().pool.query(`SELECT 1 FROM message_events WHERE kind = 'deferred'`)).toHaveLength(0)
  })

  test('what another instance has taken and sent is taken, whatever became of it', async () => {
    await seedSending(current())
    const [stale, other] = await Promise.all([open(new ManualClock()), open()])
    await accept(stale, ['msg_1', 'msg_2'], null)
    await stale.expire()
    await other.claimWaiting({ after: null, limit: 10 })
    await other.handOverMessages({ messageIds: ['msg_1', 'msg_2'], at: t0 })
    await current().pool.query(`UPDATE messages SET status = 'SENT', accepted_at = 1 WHERE id = 'msg_1'`)
    expect(await stale.handOverMessages({ messageIds: ['msg_1', 'msg_2'], at: t0 + 5 })).toEqual(
      handOvers({ taken: ['msg_1', 'msg_2'] }),
    )
  })

  test('it goes on under a new number, with what nobody has taken meanwhile', async () => {
    await seedSending(current())
    const [stale, other] = await Promise.all([open(new ManualClock()), open()])
    await accept(stale, ['msg_1', 'msg_2', 'msg_3'], null)
    const former = stale.instance.seq
    await stale.expire()
    expect(idsOf(await other.claimWaiting({ after: null, limit: 1 }))).toEqual(['msg_1'])
    await stale.instance.beat()
    expect(stale.instance.seq).toBeGreaterThan(former)
    const handedOver = await stale.handOverMessages({ messageIds: ['msg_1', 'msg_2', 'msg_3'], at: t0 + 5 })
    expect(handedOver).toEqual(handOvers({ handedOver: ['msg_2', 'msg_3'], validMs: leaseMs, taken: ['msg_1'] }))
    expect(await accept(stale, ['msg_4'], null)).toMatchObject([{ outcome: 'accepted' }])
    expect(await other.claimWaiting({ after: null, limit: 10 })).toEqual([])
  })

  test('a lease that has run out is renewed while nobody has noticed', async () => {
    await seedSending(current())
    const late = await open()
    await accept(late, ['msg_1'], null)
    const { seq } = late.instance
    await late.expire()
    await late.instance.beat()
    expect(late.instance.seq).toBe(seq)
    const other = await open()
    expect(await other.claimWaiting({ after: null, limit: 10 })).toEqual([])
  })

  test('after an outage that outlasted every lease, the first to be heard takes nothing of those that live', async () => {
    await seedSending(current())
    const [first, late] = await Promise.all([open(new ManualClock()), open(new ManualClock())])
    await accept(late, ['msg_1'], null)
    await accept(late, ['msg_2'], t0)
    await Promise.all([first.expire(), late.expire()])
    // Before and after it is heard itself.
    for (let time = 0; time < 2; time += 1) {
      expect(await first.markInterrupted({ at: t0 + 1 })).toBe(0)
      expect(await first.claimWaiting({ after: null, limit: 10 })).toEqual([])
      await first.instance.beat()
    }
    expect(await defer(late, ['msg_2'])).toEqual([])
    expect(await late.handOverMessages({ messageIds: ['msg_1', 'msg_2'], at: t0 + 5 })).toMatchObject({
      handedOver: { messageIds: ['msg_1', 'msg_2'] },
    })
  })

  test('who has just started waits until those that live have been heard', async () => {
    await seedSending(current())
    const [gone, long] = await Promise.all([open(new ManualClock()), open()])
    await gone.expire()
    const buried = async () => (await current().pool.query('SELECT 1 FROM instances WHERE expires_at = 0')).length === 0
    const pool = openPool(current().url, 2)
    const started = await Instance.start({ pool, name: 'new', clock: systemClock, log: silentLogger })
    await started.buryOthers()
    expect(await buried()).toBe(false)
    await long.instance.buryOthers()
    expect(await buried()).toBe(true)
    await started.stop()
    await pool.close()
  })

  test('a clock of the server that is set back ends no lease, but those that no heartbeat can have given', async () => {
    await seedSending(current())
    const { pool } = current()
    const [heard, other] = await Promise.all([open(new ManualClock()), open(new ManualClock())])
    const now = 'extract(epoch FROM clock_timestamp()) * 1000'
    const endsIn = (instance: TestInstance, ms: number) =>
      pool.query(`UPDATE instances SET expires_at = ${now} + ${ms} WHERE seq = $1`, [instance.instance.seq])
    const isThere = async () => {
      await heard.instance.buryOthers()
      return (await pool.query('SELECT 1 FROM instances WHERE seq = $1', [other.instance.seq])).length > 0
    }
    // One was heard two seconds before the clock was set back by as much, the other one just before it.
    await endsIn(heard, leaseMs - 10)
    await endsIn(other, leaseMs + 2_000)
    expect(await isThere()).toBe(true)
    await endsIn(other, hourMs)
    await endsIn(heard, hourMs)
    expect(await isThere()).toBe(true)
    // It is heard again, and has to wait as long as the other one needs for a heartbeat.
    await heard.instance.beat()
    expect(await isThere()).toBe(true)
    await pool.query('UPDATE instances SET heard_since = 0')
    expect(await isThere()).toBe(false)
  })

  test('never more is taken than was asked for, however the server runs the statement', async () => {
    await seedSending(current())
    const { pool, url } = current()
    const name = new URL(url).pathname.slice(1)
    for (const way of ['hashjoin', 'mergejoin', 'hashagg', 'sort', 'material'])
      await pool.query(`ALTER DATABASE ${name} SET enable_${way} = off`)
    const [gone, other] = await Promise.all([open(new ManualClock()), open()])
    await accept(gone, range('msg', 9), null)
    await gone.expire()
    expect(idsOf(await other.claimWaiting({ after: null, limit: 2 }))).toEqual(range('msg', 2))
  })

  test('no instance is found gone in the middle of a transaction', async () => {
    await seedSending(current())
    const [slow, other] = await Promise.all([open(new ManualClock()), open()])
    await accept(slow, ['msg_1'], null)
    await slow.expire()
    await slow.instance.fenced(async () => {
      expect(await other.claimWaiting({ after: null, limit: 10 })).toEqual([])
    })
    expect(idsOf(await other.claimWaiting({ after: null, limit: 10 }))).toEqual(['msg_1'])
  })

  test('a stop leaves its waiting messages to others at once', async () => {
    await seedSending(current())
    const [stopping, other] = await Promise.all([open(), open()])
    await accept(stopping, ['msg_1'], null)
    await stopping.instance.stop()
    expect(idsOf(await other.claimWaiting({ after: null, limit: 10 }))).toEqual(['msg_1'])
  })

  test('messages that came from another database are claimed, and those that were handed over there are UNKNOWN', async () => {
    await seedSending(current())
    const instance = await open()
    await accept(instance, ['msg_1'], null)
    await accept(instance, ['msg_2'], t0)
    await current().pool.query('UPDATE messages SET instance_seq = NULL')
    expect(await instance.markInterrupted({ at: t0 })).toBe(1)
    expect(idsOf(await instance.claimWaiting({ after: null, limit: 10 }))).toEqual(['msg_1'])
  })

  test('messages whose acceptance ended in an error are taken up again by their own instance', async () => {
    await seedSending(current())
    const instance = await open()
    await accept(instance, ['msg_1', 'msg_3'], null)
    await accept(instance, ['msg_2'], t0)
    instance.orphans.add(['msg_1', 'msg_2', 'msg_9'])
    expect(await instance.markInterrupted({ at: t0 + 1 })).toBe(1)
    expect(idsOf(await instance.claimWaiting({ after: null, limit: 10 }))).toEqual(['msg_1'])
    expect(await rows()).toMatchObject([{ status: 'QUEUED' }, { status: 'UNKNOWN' }, { status: 'QUEUED' }])
    // Once only: from then on this process has it.
    expect(await instance.claimWaiting({ after: null, limit: 10 })).toEqual([])
  })

  test('a deferral keeps why, and what is sent next; a message that a callback has settled is overtaken', async () => {
    await seedSending(current())
    const instance = await open()
    await accept(instance, ['msg_1', 'msg_2'], t0)
    expect(await defer(instance, ['msg_1', 'msg_2'])).toEqual([])
    expect(await rows()).toMatchObject([{ isHandedOver: false }, { isHandedOver: false }])
    const contents = await current().pool.query<{ payload: string }>('SELECT DISTINCT payload FROM message_contents')
    expect(contents.map(({ payload }) => payload)).toEqual(['{"again":true}'])
    await current().pool.query(`UPDATE messages SET status = 'SENT', accepted_at = 1 WHERE id = 'msg_2'`)
    const again = await instance.handOverMessages({ messageIds: ['msg_1', 'msg_2', 'msg_9'], at: t0 + 5 })
    expect(again).toEqual(handOvers({ handedOver: ['msg_1'], validMs: leaseMs, overtaken: ['msg_2', 'msg_9'] }))
  })
})
