import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Store } from '../../db/contract/store.ts'
import { openPostgresStore } from '../../db/postgres/store.ts'
import { systemClock } from '../../src/base/clock.ts'
import { newId } from '../../src/base/ids.ts'
import { silentLogger } from '../../src/telemetry/log.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway, type Tenant } from '../gateway.ts'
import { databaseSettings } from '../gatewayDatabase.ts'
import { openFile } from '../openFile.ts'

const text = { type: 'text', phone: '+4915112345678', content: 'Hello' }
const keyed = { ...text, idempotencyKey: 'order 1' }
const elsewhere = '192.0.2.0/24'

const gateway = sharedFixture(() => startTestGateway({ env: { MEDIA_ALLOWED_NETWORKS: '127.0.0.0/8' } }))
/** Another process on the same database, such as a command or an instance. */
const beside = sharedFixture(async () => {
  const { DATABASE_URL: url } = await databaseSettings(gateway.dataDir)
  const onServer = { clock: systemClock, log: silentLogger, isInstance: false }
  const store = await (url ? openPostgresStore({ url, ...onServer }) : openFile(join(gateway.dataDir, 'waypost.db')))
  return Object.assign(store, { stop: () => store.close() })
})

/** Who writes. */
const writers: readonly (readonly [string, () => Store])[] = [
  ['the gateway', () => gateway.gateway.store],
  ['another process', () => beside],
]

async function send(key: Tenant['key'], body: object = text): Promise<string> {
  const { status, json } = await gateway.send(body, { ...key })
  return status < 300 ? `${status}` : `${status} ${json.error}`
}

/** A workspace that has sent, so that what decides on its sends is kept. */
async function sending(): Promise<Tenant> {
  const tenant = await gateway.addWorkspace()
  expect([await send(tenant.key), await send(tenant.key, keyed)]).toEqual(['201', '201'])
  return tenant
}

type Change = (store: Store, tenant: Tenant) => Promise<unknown>

const revoke: Change = ({ write }, { key }) => write.revokeKey({ keyId: key.apiKey, at: Date.now() })
const limit =
  (fields: { expiresAt?: number | null; allowedNetworks?: readonly string[] | null }): Change =>
  ({ write }, { key }) =>
    write.limitKey({ keyId: key.apiKey, ...fields })
const changeLine =
  (fields: { active?: boolean; directSend?: boolean }): Change =>
  ({ write }, { line }) =>
    write.changeLine({ lineId: line.id, ...fields })
const allow =
  (monthly: number | null): Change =>
  ({ write }, { workspaceId }) =>
    write.setMonthlyLimit({ workspaceId, limit: monthly })

describe.each(writers)('what %s has written decides on the next send', (_, writer) => {
  const stops: readonly [what: string, change: Change, code: string][] = [
    ['a key that is revoked', revoke, '401 UNAUTHORIZED'],
    ['one that has expired', limit({ expiresAt: 1 }), '401 UNAUTHORIZED'],
    ['one for other networks', limit({ allowedNetworks: [elsewhere] }), '401 UNAUTHORIZED'],
    ['a plan that is used up', allow(2), '402 PLAN_LIMIT_EXCEEDED'],
    ['a line that is inactive', changeLine({ active: false }), '400 NO_PHONE_NUMBER'],
    [
      'one that is removed',
      ({ write }, { line }) => write.removeLine({ lineId: line.id, at: 1 }),
      '400 NO_PHONE_NUMBER',
    ],
  ]
  test.each(stops)('%s', async (_, change, code) => {
    const tenant = await sending()
    const before = gateway.upstream.received.length
    await change(writer(), tenant)
    expect(await send(tenant.key)).toBe(code)
    expect(gateway.upstream.received.length).toBe(before)
  })

  const lifts: readonly [what: string, change: Change, back: Change][] = [
    ['networks', limit({ allowedNetworks: [elsewhere] }), limit({ allowedNetworks: null })],
    ['a plan', allow(2), allow(3)],
    ['a line', changeLine({ active: false }), changeLine({ active: true })],
  ]
  test.each(lifts)('%s that allow it again', async (_, change, back) => {
    const tenant = await sending()
    await change(writer(), tenant)
    expect(await send(tenant.key)).not.toBe('201')
    await back(writer(), tenant)
    expect(await send(tenant.key)).toBe('201')
  })

  test('Direct Send of a line, on and off again', async () => {
    const tenant = await sending()
    const direct = () => send(tenant.key, { ...text, category: 'utility' })
    const change = (directSend: boolean) => changeLine({ directSend })(writer(), tenant)
    expect(await direct()).toBe('409 DIRECT_SEND_OFF')
    await change(true)
    expect(await direct()).toBe('201')
    await change(false)
    expect([await direct(), await send(tenant.key)]).toEqual(['409 DIRECT_SEND_OFF', '201'])
  })

  test('a line that is new', async () => {
    const { key, workspaceId, channelId, line } = await sending()
    const { isDefault, directSend, ...fields } = line
    const added = { ...fields, id: newId('line'), upstreamPhoneId: newId('line').slice(-15), workspaceId, channelId }
    expect(await send(key, { ...text, phoneNumberId: added.id })).toBe('400 PHONE_NUMBER_NOT_FOUND')
    await writer().write.addLine(added)
    expect(await send(key, { ...text, phoneNumberId: added.id })).toBe('201')
  })

  test('a plan that the last send has used up is refused before a line', async () => {
    const tenant = await sending()
    await allow(4)(writer(), tenant)
    expect([await send(tenant.key), await send(tenant.key)]).toEqual(['201', '201'])
    expect(await send(tenant.key, { ...text, phoneNumberId: 'line_none' })).toBe('402 PLAN_LIMIT_EXCEEDED')
  })

  test('a token that replaces the one before', async () => {
    const { key, workspaceId, channelId } = await sending()
    const { credentials } = gateway.gateway
    const secrets = { appSecret: 'app-secret', verifyToken: 'verify-token', accessToken: 'replaced' }
    const sealed = { accountId: '100002', ...credentials.seal(channelId, secrets), createdAt: 1, updatedAt: 1 }
    await writer().write.connectChannel({ id: channelId, workspaceId, ...sealed })
    expect(await send(key)).toBe('201')
    expect(gateway.upstream.received.at(-1)?.headers.get('authorization')).toBe('Bearer replaced')
  })

  test('a key of a workspace that is erased, though it was not used since it was closed', async () => {
    const tenant = await sending()
    const { workspaceId } = tenant
    const { write } = writer()
    expect(await write.closeWorkspace({ workspaceId, at: Date.now() })).toMatchObject({ outcome: 'removed' })
    while (!(await write.eraseWorkspace({ workspaceId, limit: 100, at: Date.now() })).isDone);
    expect([await send(tenant.key), await send(tenant.key, keyed)]).toEqual(['401 UNAUTHORIZED', '401 UNAUTHORIZED'])
  })

  test('a revoked key has no link fetched', async () => {
    let fetched = 0
    const fetch = () => {
      fetched += 1
      return new Response('', { status: 404 })
    }
    const files = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch })
    const image = { type: 'image', phone: text.phone, link: files.url.href }
    const tenant = await sending()
    expect([await send(tenant.key, image), fetched]).toEqual(['400 VALIDATION_ERROR', 1])
    expect(await send(tenant.key)).toBe('201')
    await revoke(writer(), tenant)
    expect([await send(tenant.key, image), fetched]).toEqual(['401 UNAUTHORIZED', 1])
    await files.stop(true)
  })

  test('a revoked key learns nothing: whatever it sends is 401', async () => {
    const tenant = await sending()
    await revoke(writer(), tenant)
    const bodies = [keyed, { ...keyed, content: 'Other' }, { ...text, phoneNumberId: 'line_none' }, { tempate: 1 }]
    for (const body of bodies) expect(await send(tenant.key, body)).toBe('401 UNAUTHORIZED')
    expect(await send(tenant.key)).toBe('401 UNAUTHORIZED')
  })

  test('among sends that are under way, none that begins after a revocation gets through', async () => {
    for (let round = 0; round < 5; round += 1) {
      const tenant = await sending()
      let isRevoked = false
      const late: string[] = []
      const early: string[] = []
      const loops = Array.from({ length: 8 }, async () => {
        while (late.length < 16) (isRevoked ? late : early).push(await send(tenant.key))
      })
      // By then, each loop has sent some times.
      while (early.length < 24) await new Promise(resolve => setImmediate(resolve))
      await revoke(writer(), tenant)
      isRevoked = true
      await Promise.all(loops)
      expect(new Set(late)).toEqual(new Set(['401 UNAUTHORIZED']))
      const stored = await gateway.gateway.store.read.messages({ workspaceId: tenant.workspaceId, limit: 1_000 })
      expect(stored.length).toBe(2 + early.filter(outcome => outcome === '201').length)
    }
  })
})
