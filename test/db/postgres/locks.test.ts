import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eventVerbs } from '../../../db/postgres/events.ts'
import { leaseMs } from '../../../db/postgres/instances.ts'
import { openPool, type Pool } from '../../../db/postgres/open.ts'
import { inTransactions } from '../../../db/postgres/writes.ts'
import { Unavailable } from '../../../src/base/unavailable.ts'
import { hasPostgres } from '../../postgres.ts'
import { accepted, acceptedToLeave, draft } from '../fixtures.ts'
import { postgresDatabase } from './database.ts'
import { openInstance, seedSending, type TestInstance } from './instance.ts'

describe.skipIf(!hasPostgres)('while somebody holds a lock for long', () => {
  const current = postgresDatabase('new')
  let instance: TestInstance
  let pool: Pool
  beforeEach(async () => {
    const { url, pool: before } = current()
    await seedSending(current())
    // Found before that of the server, it shortens what is waited for a lock.
    await before.query(
      `CREATE FUNCTION set_config(name text, value text, local boolean) RETURNS text LANGUAGE sql VOLATILE AS
       $$ SELECT pg_catalog.set_config(name, CASE name WHEN 'lock_timeout' THEN '50' ELSE value END, local) $$`,
    )
    await before.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET search_path = public, pg_catalog`)
    pool = openPool(url)
    instance = await openInstance(url)
  })
  afterEach(async () => {
    await instance.close()
    await pool.close()
  })

  /** Runs work while another program has locked rows. */
  const whileLocked = (lock: string, work: () => Promise<unknown>) =>
    current().pool.client.begin(async other => {
      await other.unsafe(lock)
      return work().catch((error: unknown) => error)
    })
  const count = async (table: string) => (await pool.query(`SELECT FROM ${table}`)).length

  test.each([
    ['its line', 'SELECT FROM lines FOR UPDATE'],
    ['every table of a send', 'LOCK TABLE messages, plan_usage'],
  ])('a send is refused, and nothing of it is stored: of %s', async (_, lock) => {
    expect(await whileLocked(lock, () => instance.acceptMessage(draft()))).toBeInstanceOf(Unavailable)
    expect([await count('messages'), await count('plan_usage')]).toEqual([0, 0])
    expect(await instance.acceptMessage(draft())).toEqual(acceptedToLeave(leaseMs))
  })

  test('the end of a send is stored later', async () => {
    await instance.acceptMessage(draft())
    const { recordEvent } = eventVerbs(pool, true)
    const record = () => recordEvent(accepted('msg_1'))
    expect(await whileLocked('SELECT FROM messages FOR UPDATE', record)).toBeInstanceOf(Unavailable)
    expect(await record()).toMatchObject({ id: 'msg_1', status: 'SENT' })
  })

  test.each([
    ['of a person', (pool: Pool) => inTransactions(pool).setAppId({ channelId: 'chan_1', appId: '1', at: 1 })],
    [
      'of a callback',
      (pool: Pool) => inTransactions(pool).keepUpdates({ channelId: 'chan_1', updates: [], recordedAt: 1 }),
    ],
  ])('a change %s is refused, for its caller to come again', async (_, change) => {
    expect(await whileLocked('LOCK TABLE channels', () => change(pool))).toBeInstanceOf(Unavailable)
    await change(pool)
  })
})
