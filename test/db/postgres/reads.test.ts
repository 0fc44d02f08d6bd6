import { beforeEach, describe, expect, test } from 'bun:test'
import { storeReads } from '../../../db/postgres/reads.ts'
import { hasPostgres } from '../../postgres.ts'
import { apiKey, channel, line, t0, template } from '../fixtures.ts'
import { type PostgresDatabase, postgresDatabase } from './database.ts'

describe.skipIf(!hasPostgres)('lists on PostgreSQL', () => {
  const database = postgresDatabase()
  let verbs: PostgresDatabase['verbs']
  let read: ReturnType<typeof storeReads>
  beforeEach(async () => {
    verbs = database().verbs
    read = storeReads(database().pool)
    for (const id of ['ws_1', 'ws_B', 'ws_a']) {
      await verbs.createWorkspace({ id, name: id, monthlyMessageLimit: null, createdAt: t0 })
    }
    await verbs.connectChannel(channel({ id: 'chan_2' }))
    await verbs.connectChannel(channel({ id: 'chan_1', workspaceId: 'ws_a' }))
  })

  test('are in the order of the bytes, whatever the locale of the server', async () => {
    expect((await read.workspaces()).map(({ id }) => id)).toEqual(['ws_1', 'ws_B', 'ws_a'])
    const named = [...['b', 'B', '\u00e4', 'a'].entries()].map(([n, name]) =>
      template({ id: `tpl_${n}`, channelId: 'chan_2', name }),
    )
    await verbs.replaceTemplates({ channelId: 'chan_2', templates: named, at: t0, recordedAt: t0 })
    const listed = await read.templates({ workspaceId: 'ws_1', approved: true })
    expect(listed.map(({ name }) => name)).toEqual(['B', 'a', 'b', '\u00e4'])
    expect(listed[0]).toEqual(template({ id: 'tpl_1', channelId: 'chan_2', name: 'B' }))
    expect(await read.template('tpl_1')).toEqual(listed[0] ?? null)
    expect(await read.template('tpl_9')).toBeNull()
    expect(await read.templates({ workspaceId: 'ws_1', approved: false, name: 'b' })).toMatchObject([{ id: 'tpl_0' }])
    expect(await read.templates({ workspaceId: 'ws_a', approved: false })).toEqual([])
  })

  test('have what is there, of one workspace or of all', async () => {
    expect((await read.channels(null)).map(({ id }) => id)).toEqual(['chan_1', 'chan_2'])
    expect(await read.channels('ws_1')).toEqual([channel({ id: 'chan_2' })])
    expect((await read.workspace('ws_B'))?.name).toBe('ws_B')
    expect(await read.workspace('ws_9')).toBeNull()
    await verbs.putProperty({ name: 'check', value: 'one' })
    expect([await read.property('check'), await read.property('none')]).toEqual(['one', null])
  })

  test('of keys show no secret, and are in the order in which the keys were made', async () => {
    for (const id of ['pk_2', 'pk_1']) await verbs.createKey(apiKey({ id, allowedNetworks: ['10.0.0.0/8'] }))
    await verbs.createKey(apiKey({ id: 'pk_0', createdAt: t0 - 1 }))
    const keys = await read.keys('ws_1')
    expect(keys.map(({ id }) => id)).toEqual(['pk_0', 'pk_2', 'pk_1'])
    expect(keys[1]).toMatchObject({ allowedNetworks: ['10.0.0.0/8'], createdAt: t0, lastUsedAt: null })
    expect(keys[1]).not.toHaveProperty('secretHash')
  })

  test('of callbacks and uploads have their last times', async () => {
    await verbs.addLine(line({ channelId: 'chan_2' }))
    await verbs.noteCallback({ channelId: 'chan_2', at: t0, refusal: 'unsigned' })
    expect(await read.callbackReceipts()).toEqual([
      { channelId: 'chan_2', acceptedAt: null, refusedAt: t0, refusal: 'unsigned' },
    ])
    const link = { lineId: 'line_1', link: 'https://example.com/a.png', format: 'image' }
    await verbs.rememberMedia({ ...link, mediaId: '7', expiresAt: t0 + 10 })
    expect(await read.media({ ...link, at: t0 + 9 })).toBe('7')
    expect(await read.media({ ...link, at: t0 + 10 })).toBeNull()
    expect(await read.rateWindows(t0)).toEqual([])
  })
})
