import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Message, Report } from '../../../db/contract/records.ts'
import { eventVerbs } from '../../../db/postgres/events.ts'
import { openPool, type Pool } from '../../../db/postgres/open.ts'
import { storeReads } from '../../../db/postgres/store.ts'
import { countsOf } from '../../../src/message/counts.ts'
import { peers, wamid } from '../../message/wamids.ts'
import { hasPostgres } from '../../postgres.ts'
import { accepted, draft, line, recorded, refused, report, t0, withKey } from '../fixtures.ts'
import { postgresDatabase } from './database.ts'
import { putMessages, seedLine } from './storedMessages.ts'

const ids = (count: number) => Array.from({ length: count }, (_, at) => `msg_${at + 1}`)

describe.skipIf(!hasPostgres)('events on PostgreSQL', () => {
  const database = postgresDatabase('new')
  let pool: Pool
  let verbs: ReturnType<typeof eventVerbs>
  /** Those of two more instances. */
  let others: readonly Pool[]

  beforeEach(async () => {
    pool = database().pool
    verbs = eventVerbs(pool, true)
    others = [openPool(database().url, 4), openPool(database().url, 4)]
    await seedLine(database())
  })
  afterEach(() => Promise.all(others.map(each => each.close())))

  const rows = async <Row>(sql: string): Promise<Row[]> => [...(await pool.query<Row>(sql))]
  const single = async (sql: string) => (await rows<{ value: number }>(`SELECT (${sql})::float8 AS value`))[0]?.value
  const timeline = (id: string) =>
    rows<{ kind: string; detail: string }>(
      `SELECT kind, detail FROM message_events JOIN messages ON seq = message_seq WHERE id = '${id}' ORDER BY at, kind, detail`,
    )
  const message = (id: string) => storeReads(pool).message(id)

  /** The numbers of days as the messages themselves give them. */
  function numbersOf(messages: readonly (Message | null)[]) {
    const counts = new Map<string, number>()
    for (const kind of messages.flatMap(each => (each ? countsOf(each) : [])))
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
    return Object.fromEntries(counts)
  }
  const numbers = async () => {
    const stored = await rows<{ kind: string; count: number }>(
      'SELECT kind, count::float8 AS count FROM daily_counts WHERE count <> 0',
    )
    return Object.fromEntries(stored.map(({ kind, count }) => [kind, count]))
  }

  test('calls of one turn are answered each with its own message, as its event left it', async () => {
    await putMessages(pool, { id: 'msg_1' }, { id: 'msg_2', idempotency: withKey('k').idempotency })
    const views = await Promise.all(
      [accepted('msg_1'), refused('msg_2'), refused('msg_9'), recorded('msg_1', { kind: 'lost', at: t0 })].map(
        verbs.recordEvent,
      ),
    )
    expect(views).toMatchObject([
      { id: 'msg_1', status: 'SENT', channelMessageId: 'wamid.msg_1', lostAt: null },
      { id: 'msg_2', status: 'FAILED', gaveUpAt: t0 + 100 },
      null,
      { id: 'msg_1', status: 'SENT', lostAt: t0 },
    ] as object[])
    expect(await single('SELECT used FROM plan_usage')).toBe(1)
    expect(await single('SELECT count(*) FROM idempotency_keys')).toBe(0)
  })

  test('a call that cannot be stored fails alone', async () => {
    await putMessages(pool, { id: 'msg_1' }, { id: 'msg_2' })
    const broken = { ...accepted('msg_2'), recordedAt: Number.NaN }
    const outcomes = await Promise.allSettled([accepted('msg_1'), broken].map(verbs.recordEvent))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(await message('msg_2')).toMatchObject({ status: 'QUEUED' })
    expect(await numbers()).toEqual({ SENT: 1 })
  })

  test('a thousand events at once end right: statuses, timelines, numbers, plan and keys', async () => {
    const all = ids(1_000)
    await putMessages(
      pool,
      ...all.map(id => draft({ id, idempotency: withKey(id).idempotency, type: 'interactive' as const })),
    )
    await pool.query(
      `INSERT INTO flow_sessions (message_id, contact_id, line_id, opened_at) SELECT id, 'contact_1', 'line_1', 0 FROM messages`,
    )
    const isRefused = (_: string, at: number) => at % 4 === 0
    const views = await Promise.all(
      all.map((id, at) => verbs.recordEvent(isRefused(id, at) ? refused(id) : accepted(id))),
    )
    expect(views.map(view => view?.id)).toEqual(all)
    const messages = await Promise.all(all.map(message))
    expect(messages.map(each => each?.status)).toEqual(all.map((id, at) => (isRefused(id, at) ? 'FAILED' : 'SENT')))
    expect(await single("SELECT count(*) FROM message_events WHERE kind IN ('accepted', 'refused')")).toBe(1_000)
    expect(await numbers()).toEqual({ SENT: 750, FAILED: 250, 'failed:131026': 250 })
    expect(await single('SELECT used FROM plan_usage')).toBe(750)
    expect(await single('SELECT count(*) FROM idempotency_keys')).toBe(750)
    expect(await single("SELECT count(*) FROM flow_sessions WHERE closed_by = 'refused'")).toBe(250)
  })

  test('where contents are not kept, they leave the disk once a message is settled or unknown', async () => {
    await putMessages(pool, ...ids(3).map(id => ({ id })))
    const frugal = eventVerbs(pool, false)
    await frugal.recordEvent(accepted('msg_1'))
    await frugal.recordEvent(recorded('msg_2', { kind: 'lost', at: t0 }))
    await frugal.recordEvent(recorded('msg_3', { kind: 'deferred' }))
    expect(await rows('SELECT id FROM messages JOIN message_contents ON message_seq = seq ORDER BY id')).toEqual([
      { id: 'msg_3' },
    ])
  })

  test('what an operator settles is in the audit, and what the gateway records is not', async () => {
    await putMessages(pool, ...ids(2).map(id => ({ id })))
    const lost = { kind: 'lost', at: t0 } as const
    await Promise.all(ids(2).map(id => verbs.recordEvent(recorded(id, lost))))
    const resolved = { kind: 'resolved', at: t0 + 1, as: 'SENT', reason: 'seen' } as const
    const byOperator = { ...recorded('msg_1', resolved), authorship: { actor: 'cli:ada', at: t0 + 1 } }
    await Promise.all([verbs.recordEvent(byOperator), verbs.recordEvent(accepted('msg_2'))])
    expect(await rows('SELECT actor, action, subject, workspace_id FROM audit_entries')).toEqual([
      { actor: 'cli:ada', action: 'message.resolve', subject: 'msg_1', workspace_id: 'ws_1' },
    ])
  })

  /** How the ids of a message are written that an instance is told. One message has several, by who looks at it. */
  const texts: [string, textOf: (id: string, instance: number) => string][] = [
    ['under one text of its id', id => `wamid.${id}`],
    ['each under another text of its id', (id, at) => wamid(peers[at] ?? '', `A5B2C3D4E5${id}`)],
  ]
  test.each(texts)(
    'three instances that get the same callbacks of a message %s, in different orders, with the answers between them, end in one result',
    async (_how, textOf) => {
      const all = ids(40)
      await putMessages(pool, ...all.map(id => ({ id })), { id: 'msg_alone' })
      const to = { upstreamPhoneId: line().upstreamPhoneId, phone: null, userId: null }
      const callbacksOf = (id: string, instance: number): Report[] =>
        [
          report('sent', { at: t0 + 1_000 }),
          report('delivered', { at: t0 + 2_000 }),
          report('delivered', { messageId: null, at: t0 + 3_000 }),
          report('failed', { at: t0 + 2_000, code: 131026 }),
          report('failed', { messageId: null, at: t0 + 4_000, code: 131049 }),
          report('read', { messageId: null, at: t0 + 5_000 }),
        ].map(one => ({
          ...one,
          to,
          messageId: one.messageId && id,
          event: { ...one.event, channelMessageId: textOf(id, instance) },
        }))
      const callback = (...reports: Report[]) => ({ channelId: 'chan_1', reports, recordedAt: t0 + 9_000 })
      await verbs.recordEvent(accepted('msg_alone', textOf('msg_alone', 0)))
      await verbs.applyReports(callback(...callbacksOf('msg_alone', 0)))
      const shownOf = async (id: string) => {
        const { id: _id, channelMessageId, failures, ...shown } = (await message(id)) as Message
        const without = (text = '') => [0, 1, 2].reduce((left, at) => left.replaceAll(textOf(id, at), ''), text)
        return {
          ...shown,
          timeline: await timeline(id),
          failures: without(failures ?? ''),
          channelMessageId: without(channelMessageId ?? ''),
        }
      }
      const expected = await shownOf('msg_alone')

      const instances = [pool, ...others].map(each => eventVerbs(each, true))
      const work = instances.flatMap((instance, at) => {
        const reports = all.flatMap(id => callbacksOf(id, at))
        const [order = []] = fc.sample(fc.shuffledSubarray(reports, { minLength: reports.length }), {
          numRuns: 1,
          seed: 7 + at,
        })
        return [
          ...order.map(one => () => instance.applyReports(callback(one)) as Promise<unknown>),
          ...all
            .filter((_, number) => number % 3 === at)
            .map(id => () => instance.recordEvent(accepted(id, textOf(id, at)))),
        ]
      })
      const mixed = fc.sample(fc.shuffledSubarray(work, { minLength: work.length }), { numRuns: 1, seed: 7 })[0] ?? []
      // In several turns, so that there are many transactions.
      const turns = Map.groupBy(mixed, (_, at) => at % 12)
      const running: Promise<unknown>[] = []
      for (const calls of turns.values()) {
        running.push(...calls.map(call => call()))
        await running.at(-1)
      }
      await Promise.all(running)

      expect(instances).toHaveLength(3)
      expect(await single('SELECT count(*) FROM parked_reports')).toBe(0)
      for (const id of all) expect(await shownOf(id)).toEqual(expected)
      expect(await numbers()).toEqual(numbersOf(await Promise.all([...all, 'msg_alone'].map(message))))
    },
  )

  test('instances that move the same messages in opposite orders, refusals among them, all get their answers', async () => {
    const all = ids(200)
    await putMessages(pool, ...all.map(id => draft({ id, idempotency: withKey(id).idempotency })))
    const instances = [pool, ...others].map(each => eventVerbs(each, true))
    const callback = (id: string) => ({
      channelId: 'chan_1',
      reports: [report('delivered', { messageId: id, channelMessageId: `wamid.${id}` })],
      recordedAt: t0,
    })
    const settle = (id: string) => (Number(id.slice(4)) % 2 === 0 ? refused(id) : accepted(id))
    await Promise.all(
      instances.flatMap((instance, at) => {
        const order = at === 1 ? all.toReversed() : all
        return order.flatMap((id): Promise<unknown>[] => [
          instance.recordEvent(settle(id)),
          instance.applyReports(callback(id)),
        ])
      }),
    )
    const messages = await Promise.all(all.map(message))
    expect(messages.map(each => each?.status)).toEqual(all.map(() => 'DELIVERED'))
    expect(await numbers()).toEqual(numbersOf(messages))
    // A refusal that comes after the callback undoes nothing.
    const keys = await single('SELECT count(*) FROM idempotency_keys')
    expect(keys).toBeGreaterThanOrEqual(100)
    expect(await single('SELECT used FROM plan_usage')).toBe(keys)
  })

  test('several instances give up each unknown message once', async () => {
    await putMessages(pool, ...ids(30).map(id => ({ id })))
    await Promise.all(ids(30).map(id => verbs.recordEvent(recorded(id, { kind: 'lost', at: t0 }))))
    const giveUp = { lostBefore: t0 + 1, at: t0 + 100, reason: 'silence', limit: 20 }
    const counts = await Promise.all([pool, ...others].map(each => eventVerbs(each, true).abandonUnknown(giveUp)))
    const rest = await verbs.abandonUnknown(giveUp)
    expect(counts.reduce((sum, count) => sum + count, rest)).toBe(30)
    expect(await single("SELECT count(*) FROM message_events WHERE kind = 'abandoned'")).toBe(30)
    expect(await numbers()).toEqual({ FAILED: 30, 'failed:silence': 30 })
  })
})
