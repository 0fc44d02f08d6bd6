import { describe, expect, test } from 'bun:test'
import { engineOf } from '../../../db/postgres/engine.ts'
import { conversationReads } from '../../../db/rules/conversations.ts'
import { inboundReads } from '../../../db/rules/inboundReads.ts'
import { hasPostgres } from '../../postgres.ts'
import { proveManyChanges } from '../manyChanges.ts'
import { postgresDatabase } from './database.ts'

describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  const database = postgresDatabase('new')

  test('what may be deleted is hidden, however much was changed', async () => {
    const { pool } = database()
    await pool.query("INSERT INTO workspaces (id, name, created_at) VALUES ('ws_1', 'One', 1)")
    const engine = engineOf(pool)
    await proveManyChanges({ ...inboundReads(engine), ...conversationReads(engine) }, sql => pool.query(sql))
    expect.hasAssertions()
  })
})
