import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { getTableColumns } from 'drizzle-orm'
import fc from 'fast-check'
import type { StoreWrites } from '../../../db/contract/store.ts'
import { type Connection, openForWriting } from '../../../db/sqlite/open.ts'
import { ownTables } from '../../../db/sqlite/schema.ts'
import { readingUncounted } from '../../../db/sqlite/uncounted.ts'
import { storeWrites } from '../../../db/sqlite/writes.ts'
import type { VerbAnswer } from '../../../src/threads/protocol.ts'
import {
  accepted,
  acceptedNow,
  draft,
  openDatabase,
  recorded,
  refused,
  report,
  seed,
  type TestDatabase,
  t0,
  used,
  withKey,
} from '../fixtures.ts'

type Call = { [Verb in keyof StoreWrites]: readonly [Verb, Parameters<StoreWrites[Verb]>[0]] }[keyof StoreWrites]

/** The counts but those that came to nothing, with what the newest messages add to them. */
function counted({ reader }: TestDatabase) {
  const { months, days } = readingUncounted(reader.client)()
  const sums = new Map<string, number>()
  const add = (name: string, count: number) => sums.set(name, (sums.get(name) ?? 0) + count)
  const rows = <Row>(sql: string) => reader.client.query<Row, []>(sql).all()
  const onDisk = rows<(typeof months)[0]>('SELECT workspace_id AS workspaceId, month, used FROM plan_usage')
  for (const { workspaceId, month, used } of [...onDisk, ...months]) add(`${workspaceId} ${month}`, used)
  const daysOnDisk = rows<(typeof days)[0]>('SELECT workspace_id AS workspaceId, day, kind, count FROM daily_counts')
  for (const { workspaceId, day, kind, count } of [...daysOnDisk, ...days]) add(`${workspaceId} ${day} ${kind}`, count)
  return [...sums].filter(([name, count]) => count !== 0 || name.split(' ').length === 2).sort()
}

/** Whether a message is listed goes by the mark. */
const columns = Object.values(getTableColumns(ownTables.messages))
  .map(({ name }) => name)
  .filter(name => name !== 'listed')

/** What is stored, but the numbers of events, which may have gaps. */
const stored = (db: TestDatabase) => [
  counted(db),
  ...[
    `SELECT ${columns} FROM messages ORDER BY id`,
    'SELECT * FROM message_contents ORDER BY message_seq',
    'SELECT * FROM message_events ORDER BY message_seq, kind, at, detail',
    'SELECT * FROM idempotency_keys ORDER BY key',
    'SELECT workspace_id, type, at, recorded_at, message_seq, sequence, known FROM events ORDER BY workspace_id, seq',
    'SELECT * FROM parked_reports ORDER BY channel_message_id, status, at',
  ].map(sql => db.reader.client.query(sql).values()),
]

/** A call that fails halfway, after the month's plan was read. */
const failing: Call = ['acceptMessage', { ...draft({ id: 'msg_bad' }), recipient: null as unknown as string }]

const contact = {
  ...{ id: 'contact_1', workspaceId: 'ws_1', phone: '+4930123456', userId: null, name: 'Ada' },
  ...{ createdAt: t0, updatedAt: t0 },
}

let db: TestDatabase
/** Another process on the same file, such as a command beside the gateway. */
let elsewhere: Connection
let commitElsewhere: (...calls: readonly Call[]) => Promise<VerbAnswer[]>
beforeEach(async () => {
  db = openDatabase()
  await seed(db)
  elsewhere = openForWriting(db.folder.file)
  const { commit } = storeWrites(elsewhere)
  commitElsewhere = (...calls) => commit(calls.map(([verb, argument], id) => ({ id, verb, argument })))
})
afterEach(() => {
  elsewhere.client.close()
  db.close()
})

const accept = (id: string, fields: Parameters<typeof draft>[0] = {}): Call => [
  'acceptMessage',
  draft({ id, ...fields }),
]
const settle = (id: string): Call => ['recordEvent', accepted(id)]
const values = (answers: readonly VerbAnswer[]) => answers.map(answer => (answer.ok ? answer.value : 'failed'))
const counts = async () =>
  (await db.read.dailyCounts({ workspaceId: 'ws_1', since: '' }))
    .filter(({ count }) => count !== 0)
    .map(({ kind, count }) => `${kind} ${count}`)

/** How many messages the counts on disk do not have. */
const behind = () =>
  db.reader.client
    .query<{ count: number }, []>(
      `SELECT count(*) AS count FROM messages
       WHERE seq > (SELECT CAST(value AS INTEGER) FROM properties WHERE name = 'counted')`,
    )
    .get()?.count

describe('of 300 messages, at most 200 wait to be counted', () => {
  let sent = 0
  const send = (count: number) => Array.from({ length: count }, () => accept(`msg_${sent++}`))
  beforeEach(async () => {
    await db.batch(...send(1))
    await db.batch(...send(150))
    expect(behind()).toBe(150)
  })

  test('also when the writer was started among them', async () => {
    const { commit } = storeWrites(db.writer)
    await commit(send(150).map(([verb, argument], id) => ({ id, verb, argument })))
    expect(behind()).toBeLessThanOrEqual(200)
  })

  test('also when a verb that had counted them has failed', async () => {
    const failing: Call = ['createWorkspace', { id: 'ws_1', name: 'Acme', monthlyMessageLimit: null, createdAt: t0 }]
    expect(await db.batch(failing)).toMatchObject([{ ok: false }])
    expect(behind()).toBe(150)
    await db.batch(...send(150))
    expect(behind()).toBeLessThanOrEqual(200)
  })
})

describe('what the writer remembers', () => {
  test('a verb that fails among others costs them nothing, and counts nothing', async () => {
    const answers = await db.batch(accept('msg_1'), failing, accept('msg_2'), settle('msg_1'), failing)
    expect(answers.map(({ ok }) => ok)).toEqual([true, false, true, true, false])
    await db.batch(settle('msg_2'))
    expect([await used(db), await counts()]).toEqual([2, ['SENT 2']])
  })

  test('a plan is exact within one batch, and what is given back in it is free again', async () => {
    await db.batch(['setMonthlyLimit', { workspaceId: 'ws_1', limit: 2 }])
    const answers = await db.batch(
      accept('msg_1'),
      accept('msg_2'),
      accept('msg_3'),
      ['recordEvent', refused('msg_1')],
      accept('msg_4'),
      accept('msg_5'),
    )
    const exhausted = { outcome: 'planExhausted', limit: 2, used: 2 }
    expect(values(answers).filter((_, at) => at !== 3)).toEqual([
      acceptedNow,
      acceptedNow,
      exhausted,
      acceptedNow,
      exhausted,
    ])
    expect(await used(db)).toBe(2)
  })

  test('a callback between the acceptance and the answer stays', async () => {
    await db.batch(accept('msg_1'))
    const told = [report('delivered', { messageId: 'msg_1' })]
    await db.batch(['applyReports', { channelId: 'chan_1', reports: told, recordedAt: t0 }])
    await db.batch(settle('msg_1'))
    const message = await db.read.message('msg_1')
    expect([message?.status, message?.acceptedAt, await counts()]).toEqual([
      'DELIVERED',
      t0 + 100,
      ['DELIVERED 1', 'within:1 1'],
    ])
  })

  test('an erasure between the acceptance and the answer leaves nothing', async () => {
    await db.batch(accept('msg_1'))
    while (!(await db.write('eraseWorkspace', { workspaceId: 'ws_1', limit: 100, at: t0 })).isDone);
    expect(values(await db.batch(settle('msg_1')))).toEqual([null])
    expect(stored(db).flat()).toEqual([])
  })

  test('an erasure in the batch of the acceptance leaves no counts', async () => {
    const erase: Call = ['eraseWorkspace', { workspaceId: 'ws_1', limit: 100, at: t0 }]
    await db.batch(accept('msg_1'), settle('msg_1'), ...Array.from({ length: 10 }, () => erase))
    expect(stored(db).flat()).toEqual([])
  })

  test('a frequent verb that changed what decides on a send would fail each of its tests', async () => {
    db.writer.client.run('UPDATE lines SET active = 0')
    await expect(db.batch(accept('msg_1'))).rejects.toThrow('does not follow a change of settings')
    db.writer.client.run('UPDATE lines SET active = 1')
    await expect(db.batch(['setMonthlyLimit', { workspaceId: 'ws_1', limit: 3 }])).resolves.toHaveLength(1)
  })

  test('of a key that is revoked nothing is accepted, whether or not its settings were kept', async () => {
    const revoke: Call = ['revokeKey', { keyId: 'pk_seed', at: t0 }]
    const byKey = { apiKeyId: 'pk_seed' }
    await db.batch(accept('msg_1', byKey))
    const [, refused] = values(await db.batch(revoke, accept('msg_2', byKey)))
    expect(refused).toMatchObject({ outcome: 'outdated' })
    expect(await db.read.message('msg_2')).toBeNull()
  })

  describe('of what another process writes meanwhile, it knows', () => {
    test('that a key was revoked', async () => {
      await db.batch(accept('msg_1', { apiKeyId: 'pk_seed' }))
      await commitElsewhere(['revokeKey', { keyId: 'pk_seed', at: t0 }])
      expect(values(await db.batch(accept('msg_2', { apiKeyId: 'pk_seed' })))).toMatchObject([{ outcome: 'outdated' }])
    })

    test('the end of a message', async () => {
      await db.batch(accept('msg_1'))
      const told = [report('delivered', { messageId: 'msg_1' })]
      await commitElsewhere(['applyReports', { channelId: 'chan_1', reports: told, recordedAt: t0 }])
      await db.batch(settle('msg_1'))
      expect((await db.read.message('msg_1'))?.status).toBe('DELIVERED')
    })

    test('the limit and the use of a plan', async () => {
      await db.batch(accept('msg_1'))
      await commitElsewhere(['setMonthlyLimit', { workspaceId: 'ws_1', limit: 3 }], accept('msg_2'))
      expect(values(await db.batch(accept('msg_3'), accept('msg_4')))).toEqual([
        acceptedNow,
        { outcome: 'planExhausted', limit: 3, used: 3 },
      ])
    })

    test('the removal of a line', async () => {
      await db.batch(accept('msg_1'), settle('msg_1'))
      await commitElsewhere(['removeLine', { lineId: 'line_1', at: t0 }])
      expect(values(await db.batch(accept('msg_2')))).toEqual([{ outcome: 'lineRemoved' }])
    })

    test('the numbers of events: they grow in the order of commits, and none is used twice', async () => {
      await db.batch(accept('msg_1'), accept('msg_2'), accept('msg_3'), accept('msg_4'), settle('msg_1'))
      await commitElsewhere(settle('msg_2'))
      await db.batch(settle('msg_3'), failing)
      await db.batch(['saveContact', contact], settle('msg_4'), ['saveContact', { ...contact, name: 'Grace' }])
      const { events } = await db.read.events({ workspaceId: 'ws_1', after: 0, limit: 10 })
      expect(events.map(({ type, message }) => message?.id ?? type)).toEqual([
        'msg_1',
        'msg_2',
        'msg_3',
        'msg_4',
        'contact.updated',
      ])
    })

    test('a status update that waits for its message', async () => {
      await db.batch(accept('msg_1'), settle('msg_1'), accept('msg_2'))
      const told = [report('read', { messageId: null, channelMessageId: 'wamid.msg_2' })]
      await commitElsewhere(['applyReports', { channelId: 'chan_1', reports: told, recordedAt: t0 }])
      await db.batch(settle('msg_2'))
      expect((await db.read.message('msg_2'))?.status).toBe('READ')
    })
  })

  /** A few messages, so that calls meet. */
  const anId = fc.constantFrom('msg_1', 'msg_2', 'msg_3', 'msg_4')
  const statuses = ['sent', 'delivered', 'read', 'failed'] as const
  const aCall: fc.Arbitrary<Call> = fc.oneof(
    fc
      .tuple(anId, fc.constantFrom(null, t0), fc.constantFrom(undefined, 'key-1', 'key-2'))
      .map(([id, dispatchedAt, key]) => accept(id, { dispatchedAt, ...(key !== undefined && withKey(key)) })),
    anId.map(settle),
    anId.map((id): Call => ['recordEvent', refused(id)]),
    anId.map((id): Call => ['recordEvent', recorded(id, { kind: 'lost', at: t0 + 200 })]),
    anId.map((id): Call => ['handOverMessages', { messageIds: [id], at: t0 + 50 }]),
    anId.map(
      (messageId): Call => ['deferMessages', { messages: [{ messageId, payload: null, refusal: null }], at: t0 + 60 }],
    ),
    fc.tuple(anId, fc.constantFrom(...statuses), fc.boolean()).map(([id, status, isNamed]): Call => {
      const told = report(status, { messageId: isNamed ? id : null, channelMessageId: `wamid.${id}` })
      return ['applyReports', { channelId: 'chan_1', reports: [told], recordedAt: t0 }]
    }),
    fc.constantFrom(null, 1, 2).map((limit): Call => ['setMonthlyLimit', { workspaceId: 'ws_1', limit }]),
    fc.constant(failing),
  )
  const batches = fc.array(
    fc.record({ isElsewhere: fc.boolean(), calls: fc.array(aCall, { minLength: 1, maxLength: 6 }) }),
    { maxLength: 8 },
  )

  test('any calls, in any batches and from two processes, store and answer what each alone would', async () => {
    await fc.assert(
      fc.asyncProperty(batches, async batches => {
        const alone = openDatabase()
        const shared = openDatabase()
        const other = openForWriting(shared.folder.file)
        try {
          for (const each of [alone, shared]) await seed(each)
          const { commit } = storeWrites(other)
          for (const { isElsewhere, calls } of batches) {
            const numbered = calls.map(([verb, argument], id) => ({ id, verb, argument }))
            const together = await (isElsewhere ? commit(numbered) : shared.batch(...calls))
            // With nothing that it could remember.
            const oneByOne: VerbAnswer[] = []
            for (const [verb, argument] of calls) {
              oneByOne.push(...(await storeWrites(alone.writer).commit([{ id: 0, verb, argument }])))
            }
            expect(values(together)).toEqual(values(oneByOne))
            expect(stored(shared)).toEqual(stored(alone))
          }
        } finally {
          other.client.close()
          alone.close()
          shared.close()
        }
      }),
      { numRuns: 30 },
    )
  })
})
