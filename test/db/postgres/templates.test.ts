import { beforeEach, describe, expect, test } from 'bun:test'
import type { Template } from '../../../db/contract/records.ts'
import { storeReads } from '../../../db/postgres/store.ts'
import { hasPostgres } from '../../postgres.ts'
import { channel, t0, template } from '../fixtures.ts'
import { postgresDatabase } from './database.ts'

describe.skipIf(!hasPostgres)('a listing of templates on PostgreSQL', () => {
  const current = postgresDatabase()

  beforeEach(async () => {
    const { verbs } = current()
    await verbs.createWorkspace({ id: 'ws_1', name: 'Acme', monthlyMessageLimit: null, createdAt: t0 })
    await verbs.connectChannel(channel())
  })

  test('with a name that PostgreSQL cannot keep does not delete it', async () => {
    const { pool, verbs } = current()
    const listing: readonly Template[] = [template({ id: 'tpl_1', name: 'a\0b' }), template({ id: 'tpl_2' })]
    await verbs.replaceTemplates({ channelId: 'chan_1', templates: listing, at: t0, recordedAt: t0 })
    const shown = await storeReads(pool).templates({ workspaceId: 'ws_1', approved: true })
    expect(shown.map(({ name }) => name)).toEqual(['a\uFFFDb', 'order_confirmation'])
  })
})
