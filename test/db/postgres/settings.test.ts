import { beforeEach, describe, expect, test } from 'bun:test'
import { sendReads } from '../../../db/postgres/sendReads.ts'
import { lockingVerbs } from '../../../db/postgres/writes.ts'
import { hasPostgres } from '../../postgres.ts'
import { apiKey, channel, line, t0, template } from '../fixtures.ts'
import { keptColumns } from '../keptColumns.ts'
import { type PostgresDatabase, postgresDatabase } from './database.ts'
import { overlapping } from './overlap.ts'

/** Calls of several instances at once. More than one, and fewer than the tries of a transaction that collides. */
const six = [0, 1, 2, 3, 4, 5]

describe.skipIf(!hasPostgres)('settings that several instances change at once', () => {
  const database = postgresDatabase()
  let verbs: PostgresDatabase['verbs']
  let read: ReturnType<typeof sendReads>
  beforeEach(async () => {
    verbs = database().verbs
    read = sendReads(database().pool)
    await verbs.createWorkspace({ id: 'ws_1', name: 'Acme', monthlyMessageLimit: null, createdAt: t0 })
    await verbs.connectChannel(channel())
  })
  const row = async (table: string) =>
    (await database().pool.query<Record<string, unknown>>(`SELECT * FROM ${table}`))[0]

  test.each(keptColumns)('a change of what is kept begins a new generation: %s.%s', async (table, column) => {
    await verbs.addLine(line())
    await verbs.createKey(apiKey())
    const generation = async () => (await row('workspaces'))?.settings_generation
    const before = await generation()
    await database().pool.query(`UPDATE ${table} SET ${column} = ${column}`)
    expect(await generation()).not.toBe(before)
  })

  test('of those that claim a property, all get the same one', async () => {
    const claimed = await Promise.all(six.map(n => verbs.claimProperty({ name: 'key', value: `value ${n}` })))
    expect(new Set(claimed).size).toBe(1)
  })

  test('a number of the upstream is added once, the others are told that it is taken', async () => {
    const added = await Promise.all(six.map(n => verbs.addLine(line({ id: `line_${n}` }))))
    expect(added.filter(({ outcome }) => outcome === 'added')).toHaveLength(1)
    expect(added.filter(({ outcome }) => outcome === 'taken')).toHaveLength(5)
    expect(await read.lines('ws_1')).toHaveLength(1)
  })

  test('a workspace never has two default lines', async () => {
    for (const n of six) await verbs.addLine(line({ id: `line_${n}`, upstreamPhoneId: `10${n}` }))
    const set = await Promise.all(six.map(n => verbs.setDefaultLine({ lineId: `line_${n}`, isDefault: true })))
    expect(set.map(({ outcome }) => outcome)).toEqual(six.map(() => 'changed'))
    expect((await read.lines('ws_1')).filter(({ isDefault }) => isDefault)).toHaveLength(1)
  })

  test('a line that is deactivated meanwhile is no default', async () => {
    await verbs.addLine(line())
    for (const _ of six) {
      await verbs.changeLine({ lineId: 'line_1', active: true })
      await Promise.all([
        verbs.setDefaultLine({ lineId: 'line_1', isDefault: true }),
        verbs.changeLine({ lineId: 'line_1', active: false }),
      ])
      expect(await read.line('line_1')).toMatchObject({ active: false, isDefault: false })
    }
  })

  test('a line that is removed meanwhile is not changed, and does not become the default', async () => {
    const changes = [
      async (other: PostgresDatabase['verbs']) => (await other.changeLine({ lineId: 'line_1', active: true })) === null,
      async (other: PostgresDatabase['verbs']) =>
        (await other.setDefaultLine({ lineId: 'line_1', isDefault: true })).outcome === 'unknownLine',
    ]
    for (const change of changes) {
      await verbs.addLine(line())
      const [{ outcome }, isUnknown] = await overlapping(
        database(),
        'read committed',
        connection => lockingVerbs(connection).removeLine({ lineId: 'line_1', at: t0 }),
        change,
      )
      expect([outcome, isUnknown]).toEqual(['removed', true])
      await database().pool.query('DELETE FROM lines')
    }
  })

  test('each rotation of a key makes a successor, and the key keeps its earliest end', async () => {
    await verbs.createKey(apiKey())
    const rotated = await Promise.all(
      six.map(n =>
        verbs.rotateKey({
          keyId: 'pk_seed',
          successor: { id: `pk_${n}`, secretHash: 'h'.repeat(64) },
          at: t0,
          formerExpiresAt: t0 + 1_000 + n,
        }),
      ),
    )
    expect(rotated.map(({ outcome }) => outcome)).toEqual(six.map(() => 'rotated'))
    expect((await read.key('pk_seed'))?.expiresAt).toBe(t0 + 1_000)
    expect(await read.key('pk_5')).toMatchObject({ scope: 'pk_seed', label: 'backend', createdAt: t0, revokedAt: null })
  })

  test('a revoked key gets no successor, and the first revocation keeps its time', async () => {
    await verbs.createKey(apiKey())
    await Promise.all(six.map(n => verbs.revokeKey({ keyId: 'pk_seed', at: t0 + n })))
    const revokedAt = (await read.key('pk_seed'))?.revokedAt
    expect((await verbs.revokeKey({ keyId: 'pk_seed', at: t0 + 99 }))?.revokedAt).toBe(revokedAt ?? -1)
    const successor = { id: 'pk_2', secretHash: 'h'.repeat(64) }
    const rotation = { keyId: 'pk_seed', successor, at: t0, formerExpiresAt: t0 }
    expect(await verbs.rotateKey(rotation)).toEqual({ outcome: 'revoked' })
  })

  test('the last use of a key is the latest that any instance has told', async () => {
    for (const n of six) await verbs.createKey(apiKey({ id: `pk_${n}` }))
    const instances = Array.from({ length: 12 }, (_, at) => at)
    await Promise.all(
      instances.map(instance => {
        // Each names the keys in another order.
        const keys = [...six.slice(instance % 6), ...six.slice(0, instance % 6)]
        return verbs.recordKeyUse({ uses: keys.map(n => ({ keyId: `pk_${n}`, at: t0 + ((instance * 7) % 12) })) })
      }),
    )
    await verbs.recordKeyUse({
      uses: [
        { keyId: 'pk_0', at: t0 + 20 },
        { keyId: 'pk_0', at: t0 + 19 },
        { keyId: 'pk_none', at: t0 },
      ],
    })
    const used = await Promise.all(six.map(async n => (await read.key(`pk_${n}`))?.lastUsedAt))
    expect(used).toEqual([t0 + 20, t0 + 11, t0 + 11, t0 + 11, t0 + 11, t0 + 11])
  })

  test('listings that are read at once leave one record of each name, and of updates the youngest counts', async () => {
    const names = Array.from({ length: 50 }, (_, at) => `name_${at}`)
    const listing = (n: number) => names.map(name => template({ id: `tpl_${n}_${name}`, name, updatedAt: t0 + n }))
    await Promise.all(
      six.map(n =>
        verbs.replaceTemplates({ channelId: 'chan_1', templates: listing(n), at: t0 + n, recordedAt: t0 + 1_000 }),
      ),
    )
    const [{ count } = { count: 0 }] = await database().pool.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM templates',
    )
    expect(count).toBe(50)
    const twice = [
      template({ name: 'name_1', category: 'MARKETING' }),
      template({ name: 'name_1', category: 'UTILITY' }),
    ]
    await verbs.replaceTemplates({ channelId: 'chan_1', templates: twice, at: t0 + 10, recordedAt: t0 + 1_000 })
    expect(await read.templatesNamed({ channelId: 'chan_1', name: 'name_1' })).toMatchObject([
      { category: 'UTILITY', status: 'APPROVED' },
    ])
    expect(await read.templatesNamed({ channelId: 'chan_1', name: 'name_2' })).toMatchObject([{ status: 'DELETED' }])
    const update = {
      channelId: 'chan_1',
      accountId: '100001',
      name: 'name_1',
      language: 'en-US',
      reason: null,
      recommendation: null,
    }
    const statuses = ['PAUSED', 'DISABLED', 'APPROVED', 'REJECTED', 'FLAGGED', 'PENDING']
    const told = await Promise.all(
      statuses.map((status, n) =>
        verbs.applyTemplateUpdate({ ...update, status, at: t0 + 20_000 + n, recordedAt: t0 + 30_000 }),
      ),
    )
    expect(told).toEqual(six.map(() => ['chan_1']))
    expect(await read.templatesNamed({ channelId: 'chan_1', name: 'name_1' })).toMatchObject([
      { status: 'PENDING', lastUpdateAt: t0 + 20_005 },
    ])
  })

  test('of updates about one thing the last word of the upstream stays', async () => {
    const kept = await Promise.all(
      [3, 5, 1, 4, 0, 2].map(n =>
        verbs.keepUpdates({
          channelId: 'chan_1',
          updates: [
            { accountId: '100001', about: { of: 'account' }, kind: 'account_update', at: t0 + n, detail: { n } },
            { accountId: '999', about: { of: 'account' }, kind: 'account_update', at: t0 + n, detail: { n } },
          ],
          recordedAt: t0 + 9,
        }),
      ),
    )
    expect(kept).toEqual(six.map(() => 1))
    expect(await row('upstream_updates')).toMatchObject({ subject: 'chan_1', detail: '{"n":5}' })
  })

  test('receipts of callbacks keep the latest time, with its reason', async () => {
    const note = (n: number, refusal: 'unsigned' | null) =>
      verbs.noteCallback({ channelId: 'chan_1', at: t0 + n, refusal })
    await Promise.all([...six.map(n => note(n, null)), ...six.map(n => note(n + 10, 'unsigned'))])
    await note(12, 'unsigned')
    expect(await row('callback_receipts')).toMatchObject({
      accepted_at: String(t0 + 5),
      refused_at: String(t0 + 15),
      refusal: 'unsigned',
    })
  })

  test('a link has the id of its last upload on a line', async () => {
    const upload = { lineId: 'line_1', link: 'https://example.com/a.png', format: 'image', expiresAt: t0 + 10 }
    await Promise.all(six.map(n => verbs.rememberMedia({ ...upload, mediaId: String(n) })))
    await verbs.rememberMedia({ ...upload, mediaId: '9' })
    expect(await row('media_uploads')).toMatchObject({ media_id: '9' })
    await verbs.forgetMedia({ lineId: 'line_2', mediaIds: ['9'] })
    expect(await row('media_uploads')).toBeDefined()
    await verbs.forgetMedia({ lineId: 'line_1', mediaIds: ['9', '10'] })
    expect(await row('media_uploads')).toBeUndefined()
  })
})
