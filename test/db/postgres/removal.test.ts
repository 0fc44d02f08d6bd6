import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { acceptDrafts } from '../../../db/postgres/drafts.ts'
import type { Connection } from '../../../db/postgres/open.ts'
import { callbackVerbs, lockingVerbs, rareVerbs } from '../../../db/postgres/writes.ts'
import { hasPostgres } from '../../postgres.ts'
import {
  apiKey,
  channel,
  draft,
  inbound,
  line,
  office,
  requestBlocks,
  t0,
  template,
  webhook,
  withKey,
} from '../fixtures.ts'
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

    test('is erased a few rows at a time, with everything of it and nothing of another', async () => {
      await verbs.createWorkspace({ id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
      await verbs.connectChannel(channel({ id: 'chan_2', workspaceId: 'ws_2' }))
      await verbs.addLine(
        line({ id: 'line_2', workspaceId: 'ws_2', channelId: 'chan_2', upstreamPhoneId: '9', perSecond: 80 }),
      )
      const passwordHash = '$argon2id$secret'
      const user = { id: 'user_2', email: 'bob@example.com', name: null, createdAt: t0, passwordHash }
      await verbs.createUser({ ...user, workspaceId: 'ws_2', role: null })
      await sender.acceptMessage(draft({ id: 'msg_9', workspaceId: 'ws_2', lineId: 'line_2', channelId: 'chan_2' }))
      await fill()

      const steps = []
      for (let isDone = false; !isDone; ) {
        const step = await erase()
        steps.push(step)
        isDone = step.isDone
      }
      expect(steps.length).toBeGreaterThan(5)
      expect(Math.max(...steps.slice(0, -1).map(({ erased }) => erased))).toBe(2)
      const ofOther = { workspaces: 1, channels: 1, lines: 1, line_paces: 1, users: 1, memberships: 1, plan_usage: 1 }
      // These rows say which files are still to be removed, and nothing else.
      const left = { messages: 1, message_contents: 1, inbound_files: 3 }
      expect(await filled()).toEqual({ ...ofOther, ...left })
      expect(await rowsOf('SELECT DISTINCT workspace_id, channel_id FROM inbound_files')).toEqual([['', '']])
      expect(await erase()).toEqual({ erased: 0, isDone: true })
    })

    const sentFile = { upstreamId: '7', sha256: null, mimeType: null, fileName: null }
    /** A row of `ws_1` in every table that can have one. */
    async function fill() {
      const { query } = current().pool
      const user = { id: 'user_1', email: 'ada@example.com', name: null, createdAt: t0, passwordHash: '' }
      await verbs.createUser({ ...user, workspaceId: 'ws_1', role: 'owner' })
      const session = { id: 'ses_1', userId: 'user_1', familyHash: 'f', tokenHash: 't' }
      await verbs.openSession({ ...session, ...office, passwordHash: '', createdAt: t0, expiresAt: at })
      const totp = { userId: 'user_1', sealedTotpSecret: 'v1.totp', at: t0 }
      await verbs.startTotp(totp)
      await verbs.confirmTotp({ ...totp, step: 1, codeHashes: ['a', 'b'] })
      const invitation = { id: 'inv_1', workspaceId: 'ws_1', email: 'eve@example.com', role: 'member' } as const
      const link = { tokenHash: 'link', invitedBy: user.email, byUserId: 'user_1', createdAt: t0, expiresAt: at }
      expect(await verbs.invite({ ...invitation, ...link })).toMatchObject({ outcome: 'invited' })
      await verbs.createKey(apiKey({ id: 'pk_2' }))
      await verbs.saveContact({ ...contact, id: 'contact_0' })
      for (const n of [1, 2, 3]) {
        await inboundVerbs().recordInbound({
          channelId: 'chan_1',
          messages: [inbound({ channelMessageId: `wamid.${n}`, file: { ...sentFile, id: `media_${n}` } })],
          recordedAt: at,
        })
        const opensFlow = { contactId: 'contact_0', flowToken: 'token' }
        await sender.acceptMessage(draft({ id: `msg_${n}`, opensFlow, ...withKey(`k-${n}`) }))
      }
      await query(
        `INSERT INTO templates (id, channel_id, upstream_id, name, language, category, status, parameter_format, components,
           updated_at) SELECT 'tpl_' || n, 'chan_1', n, 'name ' || n, $1, '', '', '', '', 0 FROM generate_series(1, 3) AS n`,
        [template().language],
      )
      await query(
        `INSERT INTO parked_reports SELECT 'chan_1', 'wamid.9', 'sent', n, '', 0 FROM generate_series(1, 3) AS n`,
      )
      await query(`INSERT INTO callback_receipts VALUES ('chan_1')`)
      await query(`INSERT INTO channel_pauses VALUES ('chan_1', 0)`)
      await query(`INSERT INTO media_uploads VALUES ('line_1', 'l', 'image', '1', 0)`)
      await query(`INSERT INTO line_paces (line_id) VALUES ('line_1') ON CONFLICT DO NOTHING`)
      await query(`INSERT INTO message_events SELECT seq, 'sent', 0, '', 0 FROM messages WHERE workspace_id = 'ws_1'`)
      await query(`INSERT INTO former_user_ids VALUES ('ws_1', 'US.1', 'US.2', 0, 0)`)
      await query(`INSERT INTO daily_counts VALUES ('ws_1', '2026-01-01', 'sent', 1)`)
      await query(`INSERT INTO changes (instance_seq, workspace_id, detail, at) VALUES (1, 'ws_1', '', 0)`)
      await verbs.recordApiRequests(requestBlocks())
      await verbs.addWebhook(webhook())
      await query(
        `INSERT INTO webhook_deliveries (endpoint_id, seq, type, message_seq, state, attempt_count, attempts, step)
         SELECT 'hook_1', n, 'message.sent', n, 'delivered', 1, '[]', 1 FROM generate_series(1, 3) AS n`,
      )
      await query(`UPDATE messages SET status = 'READ'`)
      expect(await verbs.closeWorkspace({ workspaceId: 'ws_1', at })).toMatchObject({ outcome: 'removed' })
    }

    test('that is filled for these tests has a row in every table that names something of a workspace', async () => {
      await fill()
      const named = await rowsOf(
        `SELECT DISTINCT table_name::text FROM information_schema.columns
         WHERE table_schema = 'public' AND table_name <> 'audit_entries'
           AND column_name IN ('workspace_id', 'channel_id', 'line_id', 'contact_id', 'message_id', 'message_seq', 'user_id')`,
      )
      const tables = Object.keys(await filled())
      expect(named.flat().filter(table => !tables.includes(String(table)))).toEqual([])
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
