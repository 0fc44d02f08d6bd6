import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { movedTables } from '../../../db/move/tables.ts'
import { acceptDrafts } from '../../../db/postgres/drafts.ts'
import type { Connection } from '../../../db/postgres/open.ts'
import { callbackVerbs, lockingVerbs, rareVerbs } from '../../../db/postgres/writes.ts'
import { hasPostgres } from '../../postgres.ts'
import { channel, draft, inbound, line, requestBlocks, t0, withKey } from '../fixtures.ts'
import { type PostgresDatabase, postgresDatabase } from './database.ts'
import { openInstance, seedSending, type TestInstance } from './instance.ts'
import { overlapping } from './overlap.ts'

type Verbs = Pick<PostgresDatabase['verbs'], keyof ReturnType<typeof lockingVerbs>>

const at = t0 + 1_000
const contact = { workspaceId: 'ws_1', phone: '+4930123456', userId: null, name: 'Ada', createdAt: t0, updatedAt: t0 }

describe.skipIf(!hasPostgres)('removing on PostgreSQL, with two instances at once', () => {
  const current = postgresDatabase()
  let sender: TestInstance
  let verbs: PostgresDatabase['verbs']
  beforeEach(async () => {
    verbs = current().verbs
    await seedSending(current())
    sender = await openInstance(current().url)
  })
  afterEach(() => sender.close())

  /** The first does all its work before the other begins, and commits when the other waits or has ended. */
  const atOnce = <First, Second>(one: (connection: Connection) => Promise<First>, other: () => Promise<Second>) =>
    overlapping(current(), 'read committed', one, other)
  const rowsOf = async (sql: string) => (await current().pool.query<Record<string, unknown>>(sql)).map(Object.values)
  const inboundVerbs = () => callbackVerbs(current().pool)

  const removals: readonly (readonly [verb: string, remove: (each: Verbs) => Promise<object>])[] = [
    ['removeLine', each => each.removeLine({ lineId: 'line_1', at })],
    ['disconnectChannel', each => each.disconnectChannel({ channelId: 'chan_1', at })],
    ['closeWorkspace', each => each.closeWorkspace({ workspaceId: 'ws_1', at })],
  ]

  describe.each(removals)('%s', (_, remove) => {
    test('sees a message that is accepted at the same moment, and removes nothing', async () => {
      const storing = { instanceSeq: 1, validMs: 1_000, mayBeAsked: false }
      const [accepted, removed] = await atOnce(
        connection => acceptDrafts(connection, [draft({ dispatchedAt: null })], storing),
        () => remove(verbs),
      )
      expect(accepted).toMatchObject([{ outcome: 'accepted' }])
      expect(removed).toEqual({ outcome: 'waiting', waiting: 1 })
      expect(await rowsOf('SELECT removed_at FROM lines')).toEqual([[null]])
    })

    test('lets no message be accepted that comes while it removes', async () => {
      const [removed, accepted] = await atOnce(
        connection => remove(lockingVerbs(connection)),
        () => sender.acceptMessage(draft({ ...withKey('k') })),
      )
      expect(removed).toMatchObject({ outcome: 'removed' })
      expect(accepted).toEqual({ outcome: 'lineRemoved' })
      expect(await rowsOf('SELECT id FROM messages')).toEqual([])
    })
  })

  test('a key that gets a successor while its workspace is closed is closed with it', async () => {
    const successor = { id: 'pk_next', secretHash: 'h2' }
    await overlapping(
      current(),
      'serializable',
      connection => rareVerbs(connection).rotateKey({ keyId: 'pk_seed', successor, at, formerExpiresAt: at + 1_000 }),
      each => each.closeWorkspace({ workspaceId: 'ws_1', at }),
    )
    expect(await rowsOf('SELECT id FROM api_keys WHERE revoked_at IS NULL')).toEqual([])
  })

  describe('a line that is added while its channel is disconnected', () => {
    const added = line({ id: 'line_2', upstreamPhoneId: '2' })
    const isLeft = async () => (await rowsOf('SELECT id FROM lines WHERE removed_at IS NULL')).length > 0

    test('is removed with it, when it came first', async () => {
      const [, removed] = await overlapping(
        current(),
        'serializable',
        connection => rareVerbs(connection).addLine(added),
        () => verbs.disconnectChannel({ channelId: 'chan_1', at }),
      )
      expect(removed).toMatchObject({ outcome: 'removed' })
      expect(await isLeft()).toBe(false)
    })

    test('is not added, when the channel is gone by then', async () => {
      const [, outcome] = await atOnce(
        connection => lockingVerbs(connection).disconnectChannel({ channelId: 'chan_1', at }),
        () => verbs.addLine(added),
      )
      expect(outcome).toEqual({ outcome: 'unknownChannel' })
      expect(await isLeft()).toBe(false)
    })
  })

  describe('a contact that writes while it is forgotten', () => {
    const receive = () => inboundVerbs().recordInbound({ channelId: 'chan_1', messages: [inbound()], recordedAt: at })
    beforeEach(async () => {
      await verbs.saveContact({ ...contact, id: 'contact_0' })
    })

    test('stays forgotten: what it writes makes another contact', async () => {
      const [forgotten] = await atOnce(
        connection => lockingVerbs(connection).forgetContact({ contactId: 'contact_0', at }),
        receive,
      )
      expect(forgotten).toEqual({ outcome: 'removed', removed: 'contact_0' })
      expect(await rowsOf('SELECT id, phone FROM contacts ORDER BY id')).toEqual([
        ['contact_0', null],
        ['contact_1', contact.phone],
      ])
    })
  })

  describe('a workspace', () => {
    const erase = (limit = 2) => verbs.eraseWorkspace({ workspaceId: 'ws_1', limit, at })
    /** Every table with rows but the notes of migrations and instances, with how many. */
    async function filled(): Promise<Record<string, number>> {
      const tables = await rowsOf(
        `SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'
           AND tablename NOT IN ('migrations', 'instances', 'leases', 'audit_entries') ORDER BY tablename`,
      )
      const counts = await Promise.all(
        tables.map(async ([table]) => [table, (await rowsOf(`SELECT count(*)::int FROM ${table}`))[0]?.[0]] as const),
      )
      return Object.fromEntries(counts.filter(([, count]) => count !== 0))
    }

    // What both engines keep of it is filled and erased in `test/db/conformance/removal.ts`.
    test('is erased a few rows at a time, with what instances share of it and nothing of another', async () => {
      await verbs.createWorkspace({ id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
      await verbs.connectChannel(channel({ id: 'chan_2', workspaceId: 'ws_2' }))
      await verbs.addLine(line({ id: 'line_2', channelId: 'chan_2', perSecond: 80 }))
      for (const n of [1, 2]) {
        await current().pool.query(
          `INSERT INTO line_paces (line_id) VALUES ('line_${n}') ON CONFLICT DO NOTHING;
           INSERT INTO channel_pauses VALUES ('chan_${n}', 0);
           INSERT INTO changes (instance_seq, workspace_id, detail, at) SELECT 1, 'ws_${n}', '', 0 FROM generate_series(1, 3)`,
        )
      }
      const isOfBoth = new Set(movedTables.map(({ name }) => name))
      const shared = async () => Object.entries(await filled()).filter(([table]) => !isOfBoth.has(table))
      const rowsOfEach = { changes: 3, channel_pauses: 1, line_paces: 1 }
      expect(await shared()).toEqual(Object.entries(rowsOfEach).map(([table, rows]) => [table, 2 * rows]))
      const named = await rowsOf(
        `SELECT DISTINCT table_name::text FROM information_schema.columns WHERE table_schema = 'public'
           AND column_name IN ('workspace_id', 'channel_id', 'line_id', 'contact_id', 'message_id', 'message_seq', 'user_id')`,
      )
      const others = (await shared()).map(([table]) => table)
      expect(named.flat().filter(table => !isOfBoth.has(String(table)) && !others.includes(String(table)))).toEqual([])

      await verbs.closeWorkspace({ workspaceId: 'ws_1', at })
      const steps = []
      for (let isDone = false; !isDone; ) {
        const step = await erase()
        steps.push(step.erased)
        isDone = step.isDone
      }
      expect(steps.length).toBeGreaterThan(2)
      expect(Math.max(...steps.slice(0, -1))).toBe(2)
      expect(await shared()).toEqual(Object.entries(rowsOfEach))
      expect(await erase()).toEqual({ erased: 0, isDone: true })
    })

    test('that somebody writes to at its last moment leaves nothing, and the call fails', async () => {
      await verbs.closeWorkspace({ workspaceId: 'ws_1', at })
      const nobody = { phone: null, userId: null, name: null, newContactId: 'contact_1' }
      const [erased, received] = await atOnce(
        connection => lockingVerbs(connection).eraseWorkspace({ workspaceId: 'ws_1', limit: 10, at }),
        () =>
          inboundVerbs()
            .recordInbound({ channelId: 'chan_1', messages: [inbound({ from: nobody })], recordedAt: at })
            .then(
              () => 'stored',
              (error: unknown) => String(error),
            ),
      )
      expect(erased).toMatchObject({ isDone: true })
      expect(received).toContain('the channel does not exist')
      expect(await filled()).toEqual({})
    })

    test('is erased with the calls of its keys that are kept at its last moment', async () => {
      await verbs.closeWorkspace({ workspaceId: 'ws_1', at })
      const [, erased] = await atOnce(
        connection => lockingVerbs(connection).recordApiRequests(requestBlocks()),
        () => verbs.eraseWorkspace({ workspaceId: 'ws_1', limit: 10, at }),
      )
      expect(erased).toEqual({ erased: 1, isDone: false })
      await atOnce(
        connection => lockingVerbs(connection).eraseWorkspace({ workspaceId: 'ws_1', limit: 10, at }),
        () => verbs.recordApiRequests(requestBlocks()),
      )
      expect(await filled()).toEqual({})
    })

    test('with a message that comes while it is erased is not done before that is erased too', async () => {
      await verbs.closeWorkspace({ workspaceId: 'ws_1', at })
      const [, step] = await atOnce(
        connection =>
          connection
            .query(
              `INSERT INTO inbound_messages VALUES ('chan_1', 'wamid.1', NULL, NULL, 'text', 0, 0, NULL, NULL, '')`,
            )
            .then(() => connection.query("SELECT id FROM workspaces WHERE id = 'ws_1' FOR KEY SHARE")),
        () => erase(),
      )
      expect(step).toEqual({ erased: 1, isDone: false })
      expect(await erase()).toMatchObject({ isDone: true })
      expect(await filled()).toEqual({})
    })
  })
})
