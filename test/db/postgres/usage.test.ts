import { beforeEach, describe, expect, test } from 'bun:test'
import { storeReads } from '../../../db/postgres/store.ts'
import { countUsage } from '../../../src/jobs/countUsage.ts'
import type { JobParts } from '../../../src/jobs/job.ts'
import { ManualClock } from '../../clock.ts'
import { hasPostgres } from '../../postgres.ts'
import { t0 } from '../fixtures.ts'
import { postgresDatabase } from './database.ts'
import { putMessages, seedLine } from './storedMessages.ts'

describe.skipIf(!hasPostgres)('usage on PostgreSQL', () => {
  const database = postgresDatabase('new')
  beforeEach(() => seedLine(database()))

  test('a message that another instance commits late, behind one with a greater number, is counted', async () => {
    const { pool, verbs } = database()
    const clock = new ManualClock(t0)
    const count = async () => {
      await countUsage({ store: { write: verbs }, clock } as unknown as JobParts)
      return (await storeReads(pool).monthlyCounts({ workspaceId: 'ws_1', month: '2026-01' })).map(({ count }) => count)
    }
    await pool.client.begin(async transaction => {
      await transaction.unsafe(
        `INSERT INTO messages (id, workspace_id, line_seq, recipient, type, status, created_at)
         SELECT 'msg_late', workspace_id, seq, '+49', 'text', 'QUEUED', ${t0} FROM lines`,
      )
      await putMessages(pool, { id: 'msg_next', apiKeyId: null, templateName: null })
      clock.advance(300_000)
      expect(await count()).toEqual([])
    })
    clock.advance(300_001)
    expect(await count()).toEqual([2, 2, 2])
  })
})
