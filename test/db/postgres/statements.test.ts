import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { openPool, type Pool } from '../../../db/postgres/open.ts'
import { inTransactions } from '../../../db/postgres/writes.ts'
import { hasPostgres } from '../../postgres.ts'
import { draft, t0, template } from '../fixtures.ts'
import { postgresDatabase } from './database.ts'
import { putMessages, seedLine } from './storedMessages.ts'

/** The server keeps the text and the plan of each statement that a connection has asked, until the connection ends. */
describe.skipIf(!hasPostgres)('the statements that a connection keeps', () => {
  const current = postgresDatabase()
  let pool: Pool
  let verbs: ReturnType<typeof inTransactions>

  beforeEach(async () => {
    await seedLine(current())
    pool = openPool(current().url, 1)
    verbs = inTransactions(pool)
  })
  afterEach(() => pool.close())

  async function kept(): Promise<unknown> {
    const [row] = await pool.query<{ count: number }>('SELECT count(*)::int AS count FROM pg_prepared_statements')
    return row?.count
  }

  const list = (size: number) => {
    const templates = Array.from({ length: size }, (_, n) => template({ id: `tpl_${n}`, name: `t${n}` }))
    return verbs.replaceTemplates({ channelId: 'chan_1', templates, at: t0 + size, recordedAt: t0 + size })
  }

  test('do not grow with the numbers of templates that are listed, or are gone', async () => {
    await list(31)
    await list(0)
    const before = await kept()
    for (let size = 30; size > 0; size -= 1) await list(size)
    for (let size = 1; size < 30; size += 3) {
      await list(30)
      await list(size)
    }
    expect(await kept()).toBe(before)
  })

  test('do not grow with the numbers of messages that are erased', async () => {
    const erase = async (size: number) => {
      const drafts = Array.from({ length: size }, (_, n) => draft({ id: `msg_${size}_${n}` }))
      await putMessages(current().pool, ...drafts)
      expect(await verbs.eraseWorkspace({ workspaceId: 'ws_1', limit: 50, at: t0 })).toMatchObject({ erased: size })
    }
    await erase(20)
    const before = await kept()
    for (let size = 1; size < 20; size += 1) await erase(size)
    expect(await kept()).toBe(before)
  })
})
