import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { migrate } from '../../../db/postgres/migrate.ts'
import { openPool, type Pool } from '../../../db/postgres/open.ts'
import { sendReads } from '../../../db/postgres/sendReads.ts'
import { inTransactions } from '../../../db/postgres/writes.ts'
import { sharedFixture } from '../../fixture.ts'
import { hasPostgres, startPostgres } from '../../postgres.ts'
import { channel, t0 } from '../fixtures.ts'

describe.skipIf(!hasPostgres)('accounts on PostgreSQL', () => {
  let pool: Pool
  let verbs: ReturnType<typeof inTransactions>

  const server = sharedFixture(startPostgres)
  beforeEach(async () => {
    pool = openPool(await server.createDatabase())
    await migrate(pool, t0)
    verbs = inTransactions(pool)
    await verbs.createWorkspace({ id: 'ws_1', name: 'Acme', monthlyMessageLimit: 500, createdAt: t0 })
  })
  afterEach(() => pool.close())

  test('what is written is read as it was: text, numbers and null', async () => {
    await verbs.connectChannel(channel())
    const read = sendReads(pool)
    const [plan, connected, unknown] = await Promise.all([
      read.plan({ workspaceId: 'ws_1', month: '2026-01' }),
      read.channel('chan_1'),
      read.channel('chan_2'),
    ])
    expect(plan).toEqual({ limit: 500, used: 0 })
    expect(connected).toEqual(channel())
    expect(unknown).toBeNull()
  })

  test('of many that claim a property at once, all get the same one', async () => {
    const values = Array.from({ length: 8 }, (_, at) => `value ${at}`)
    const claimed = await Promise.all(values.map(value => verbs.claimProperty({ name: 'key', value })))
    expect(new Set(claimed).size).toBe(1)
  })

  test('several instances may start at once on an empty database', async () => {
    const url = await server.createDatabase()
    const pools = [openPool(url, 2), openPool(url, 2), openPool(url, 2)]
    await Promise.all(pools.map(each => migrate(each, t0)))
    await Promise.all(pools.map(each => each.close()))
  })
})
