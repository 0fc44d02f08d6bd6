import { afterEach, describe, expect, test } from 'bun:test'
import type { Store } from '../../../db/contract/store.ts'
import { openPostgresStore } from '../../../db/postgres/store.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { silentLogger } from '../../../src/telemetry/log.ts'
import { hasPostgres } from '../../postgres.ts'
import { accepted, draft, seedStore, t0, withKey } from '../fixtures.ts'
import { postgresDatabase } from './database.ts'

describe.skipIf(!hasPostgres)('a store on PostgreSQL', () => {
  const current = postgresDatabase()
  const stores: Store[] = []
  const open = async (options: { auditedAs?: string } = {}) => {
    const store = await openPostgresStore({ url: current().url, clock: systemClock, log: silentLogger, ...options })
    stores.push(store)
    return store
  }
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close()
  })

  test('what one instance has stored is what the others read and go on with', async () => {
    const [one, other] = await Promise.all([open(), open()])
    await seedStore(one)
    const offered = draft({ id: 'msg_1', ...withKey('k-1') })
    const acceptance = await one.write.acceptMessage(offered)
    expect(acceptance).toMatchObject({ outcome: 'accepted', handOver: { state: 'handedOver' } })
    expect(await other.read.message('msg_1')).toMatchObject({
      status: 'QUEUED',
      idempotencyKey: 'k-1',
      lineId: 'line_1',
    })
    expect(await other.read.idempotencyKey({ workspaceId: 'ws_1', scope: 'pk_seed', key: 'k-1', at: t0 })).toEqual({
      fingerprint: 'f1',
      messageId: 'msg_1',
    })
    expect(await other.read.plan({ workspaceId: 'ws_1', month: '2026-01' })).toMatchObject({ used: 1 })
    expect(await other.write.recordEvent(accepted('msg_1'))).toMatchObject({ status: 'SENT' })
    expect(await one.read.statusView('msg_1')).toMatchObject({ status: 'SENT', channelMessageId: 'wamid.msg_1' })
    await other.write.revokeKey({ keyId: 'pk_seed', at: t0 })
    expect(await one.read.key('pk_seed')).toMatchObject({ revokedAt: t0 })
  })

  test('a command works beside the gateways, has no lease, and sends nothing', async () => {
    const gateway = await open()
    await seedStore(gateway)
    await gateway.write.acceptMessage(draft({ id: 'msg_1', dispatchedAt: null }))
    const command = await open({ auditedAs: 'cli:ada' })
    const instances = await current().pool.query('SELECT 1 FROM instances')
    expect(instances).toHaveLength(1)
    await expect(command.write.claimWaiting({ after: null, limit: 10 })).rejects.toThrow('sends no messages')
    expect(await command.shared?.leads()).toBe(false)
    await command.write.setMonthlyLimit({ workspaceId: 'ws_1', limit: 5 })
    expect(await gateway.read.auditEntries({ limit: 10 })).toMatchObject([{ actor: 'cli:ada', subject: 'ws_1' }])
  })

  test('closing gives up the lease, and what waits, at once', async () => {
    const [one, other] = await Promise.all([open(), open()])
    await seedStore(one)
    await one.write.acceptMessage(draft({ id: 'msg_1', dispatchedAt: null }))
    await one.close()
    stores.splice(stores.indexOf(one), 1)
    const claimed = await other.write.claimWaiting({ after: null, limit: 10 })
    expect(claimed.map(({ message }) => message.id)).toEqual(['msg_1'])
  })

  test('measures the time of commits, and how many calls share one', async () => {
    const store = await open()
    await seedStore(store)
    const before = await store.measures()
    await Promise.all(['msg_1', 'msg_2', 'msg_3'].map(id => store.write.acceptMessage(draft({ id }))))
    const after = await store.measures()
    expect((after?.commitBatch?.sum ?? 0) - (before?.commitBatch?.sum ?? 0)).toBe(3)
    expect(after?.commitSync?.sum).toBeGreaterThan(before?.commitSync?.sum ?? 0)
  })
})
