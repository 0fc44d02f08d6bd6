import { afterEach, describe, expect, test } from 'bun:test'
import { leaseMs } from '../../../db/postgres/instances.ts'
import { storedAmong } from '../../../db/postgres/orphans.ts'
import { hourMs } from '../../../src/base/durations.ts'
import { eventually } from '../../eventually.ts'
import { hasPostgres } from '../../postgres.ts'
import { acceptedToLeave, draft, t0, withKey } from '../fixtures.ts'
import { postgresDatabase } from './database.ts'
import { openInstance, seedSending, type TestInstance } from './instance.ts'

describe.skipIf(!hasPostgres)('accepting messages on several instances', () => {
  const current = postgresDatabase()
  let instances: TestInstance[] = []
  const open = async (count: number) => {
    instances = await Promise.all(Array.from({ length: count }, () => openInstance(current().url)))
    return instances
  }
  afterEach(async () => {
    for (const instance of instances) await instance.close()
    instances = []
  })

  const numberOf = async (sql: string) => {
    const [row] = await current().pool.query<{ n: number }>(`SELECT (${sql})::float8 AS n`)
    return row?.n
  }
  const isSomebodyWaiting = async () =>
    expect(await numberOf(`SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'`)).toBe(1)
  const used = () => numberOf('SELECT used FROM plan_usage')
  const outcomesOf = (answers: readonly { outcome: string }[], outcome: string) =>
    answers.filter(answer => answer.outcome === outcome)

  test('one key on three instances at once is one message: the others get that one', async () => {
    await seedSending(current())
    const opened = await open(3)
    const answers = await Promise.all(
      opened.flatMap((instance, at) =>
        Array.from({ length: 40 }, (_, n) =>
          instance.acceptMessage(draft({ id: `msg_${at}_${n}`, ...withKey(`k-${n % 4}`, 'f1') })),
        ),
      ),
    )
    expect(outcomesOf(answers, 'accepted')).toHaveLength(4)
    expect(outcomesOf(answers, 'replayed')).toHaveLength(116)
    const ids = await current().pool.query<{ id: string }>('SELECT id FROM messages')
    const replayed = new Set(answers.flatMap(answer => (answer.outcome === 'replayed' ? [answer.messageId] : [])))
    expect(new Set(ids.map(({ id }) => id))).toEqual(replayed)
    expect(await used()).toBe(4)
    expect(await numberOf('SELECT count(*) FROM message_contents')).toBe(4)
  })

  test('a key waits for the transaction of another instance that takes it, and is free when that one is undone', async () => {
    await seedSending(current())
    const [one, other] = await open(2)
    if (!one || !other) throw new Error('two were opened')
    const holding = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const undone = one.instance
      .fenced(async ({ query }) => {
        await query(`INSERT INTO idempotency_keys VALUES (1000, 'pk_seed', 'k-1', '\\xf1', ${t0 + hourMs})`)
        held.resolve()
        await holding.promise
        throw new Error('undone')
      })
      .catch(() => {})
    await held.promise
    const answer = other.acceptMessage(draft(withKey('k-1', 'f1')))
    await eventually(isSomebodyWaiting)
    holding.resolve()
    await undone
    expect(await answer).toEqual(acceptedToLeave(leaseMs))
  })

  test('the same key with another body is a conflict, also within one transaction, and an expired key counts as absent', async () => {
    await seedSending(current())
    const [instance] = await open(1)
    if (!instance) throw new Error('one was opened')
    const [accepted, conflict, replayed] = await Promise.all([
      instance.acceptMessage(draft({ id: 'msg_1', ...withKey('k-1', 'f1') })),
      instance.acceptMessage(draft({ id: 'msg_2', ...withKey('k-1', 'f2') })),
      instance.acceptMessage(draft({ id: 'msg_3', ...withKey('k-1', 'f1') })),
    ])
    expect(accepted).toEqual(acceptedToLeave(leaseMs))
    expect(conflict).toEqual({ outcome: 'conflict' })
    expect(replayed).toEqual({ outcome: 'replayed', messageId: 'msg_1' })
    const later = { createdAt: t0 + 24 * hourMs, ...withKey('k-1', 'f2', t0 + 48 * hourMs) }
    expect(await instance.acceptMessage(draft({ id: 'msg_4', ...later }))).toEqual(acceptedToLeave(leaseMs))
    expect(await instance.acceptMessage(draft({ id: 'msg_5', ...later }))).toEqual({
      outcome: 'replayed',
      messageId: 'msg_4',
    })
  })

  test('a plan with 100 left gives exactly 100 to three instances that ask for 600', async () => {
    await seedSending(current(), { monthlyMessageLimit: 100 })
    const opened = await open(3)
    const answers = await Promise.all(
      opened.flatMap((instance, at) =>
        Array.from({ length: 200 }, (_, n) =>
          instance.acceptMessage(draft({ id: `msg_${at}_${n}`, ...withKey(`k-${at}-${n}`, 'f1') })),
        ),
      ),
    )
    expect(outcomesOf(answers, 'accepted')).toHaveLength(100)
    expect(outcomesOf(answers, 'planExhausted')).toHaveLength(500)
    expect([await used(), await numberOf('SELECT count(*) FROM messages')]).toEqual([100, 100])
    // Those that were refused have used up no key.
    expect(await numberOf('SELECT count(*) FROM idempotency_keys')).toBe(100)
  })

  test('a line that was removed accepts nothing and uses up no key, and still replays', async () => {
    await seedSending(current(), { lineIds: ['line_1', 'line_2'] })
    const [instance] = await open(1)
    if (!instance) throw new Error('one was opened')
    const first = draft({ id: 'msg_1', lineId: 'line_2', ...withKey('k-1', 'f1') })
    expect(await instance.acceptMessage(first)).toEqual(acceptedToLeave(leaseMs))
    await current().pool.query(`UPDATE lines SET removed_at = 1 WHERE id = 'line_2'`)
    const [again, fresh, onOther] = await Promise.all([
      instance.acceptMessage({ ...first, id: 'msg_2' }),
      instance.acceptMessage(draft({ id: 'msg_3', lineId: 'line_2', ...withKey('k-2', 'f1') })),
      instance.acceptMessage(draft({ id: 'msg_4', ...withKey('k-2', 'f2') })),
    ])
    expect(again).toEqual({ outcome: 'replayed', messageId: 'msg_1' })
    expect([fresh.outcome, onOther.outcome]).toEqual(['lineRemoved', 'accepted'])
    const alone = await instance.acceptMessage(draft({ id: 'msg_5', lineId: 'line_2', ...withKey('k-3', 'f1') }))
    expect(alone).toEqual({ outcome: 'lineRemoved' })
  })

  test('a later draft of one transaction closes the flow that an earlier one opens', async () => {
    await seedSending(current())
    const [instance] = await open(1)
    if (!instance) throw new Error('one was opened')
    const flow = { contactId: 'contact_1', flowToken: null }
    await Promise.all([
      instance.acceptMessage(draft({ id: 'msg_1', type: 'interactive', opensFlow: flow })),
      instance.acceptMessage(
        draft({
          id: 'msg_2',
          type: 'interactive',
          opensFlow: flow,
          closesFlows: { contactId: 'contact_1', lineId: null },
        }),
      ),
    ])
    const sessions = await current().pool.query(
      'SELECT message_id AS "messageId", closed_by AS "closedBy" FROM flow_sessions ORDER BY 1',
    )
    expect(sessions).toEqual([
      { messageId: 'msg_1', closedBy: 'revalidated' },
      { messageId: 'msg_2', closedBy: null },
    ])
  })

  test('one draft that cannot be stored fails alone', async () => {
    await seedSending(current())
    const [instance] = await open(1)
    if (!instance) throw new Error('one was opened')
    const [bad, good] = await Promise.allSettled([
      instance.acceptMessage(draft({ id: 'msg_1', ...withKey('k-1', null as unknown as string) })),
      instance.acceptMessage(draft({ id: 'msg_2', ...withKey('k-2', 'f1') })),
    ])
    expect([bad?.status, good?.status]).toEqual(['rejected', 'fulfilled'])
    expect([await used(), await numberOf('SELECT count(*) FROM messages')]).toEqual([1, 1])
  })

  test('whether a message is stored is known only once the transaction that stores it is over', async () => {
    await seedSending(current())
    const [one, other] = await open(2)
    if (!one || !other) throw new Error('two were opened')
    const holding = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const storing = one.instance.fenced(async ({ query }) => {
      await query(
        `INSERT INTO messages (id, workspace_id, line_seq, recipient, type, status, created_at)
         VALUES ('msg_1', 'ws_1', 1, '', 'text', 'QUEUED', 0)`,
      )
      held.resolve()
      await holding.promise
    })
    await held.promise
    let answered = false
    const asked = storedAmong(other.pool, ['msg_1', 'msg_2']).finally(() => {
      answered = true
    })
    await eventually(isSomebodyWaiting)
    expect(answered).toBe(false)
    holding.resolve()
    await storing
    expect(await asked).toEqual(new Set(['msg_1']))
    expect(await numberOf('SELECT count(*) FROM messages')).toBe(1)
  })
})
