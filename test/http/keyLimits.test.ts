import { beforeEach, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { systemClock } from '../../src/base/clock.ts'
import { sha256 } from '../../src/base/crypto.ts'
import { hourMs } from '../../src/base/durations.ts'
import { newKeyId, newKeySecret } from '../../src/base/ids.ts'
import { KeyUse } from '../../src/http/keyUse.ts'
import { silentLogger } from '../../src/telemetry/log.ts'
import { ManualClock } from '../clock.ts'
import { sharedFixture } from '../fixture.ts'
import { type Key, startTestGateway } from '../gateway.ts'

const text = { type: 'text', phone: '+4915112345678', content: 'Hello' }

/** The system's, set forward at will. */
let aheadMs = 0
const clock = { ...systemClock, now: () => systemClock.now() + aheadMs }

const gateway = sharedFixture(() =>
  startTestGateway({ clock, env: { TRUST_PROXY: '127.0.0.1', PUBLIC_IP_RATE_LIMIT: '0' } }),
)
let key: Key
beforeEach(async () => {
  key = await gateway.createKey()
})

const write = () => gateway.gateway.store.write
const ask = (of: Key = key, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}/api/v1/public/templates`, { headers: { ...of, ...headers } })
const from = (address: string) => ask(key, { 'x-forwarded-for': address })

/** What a key that does not exist gets, to the byte. */
async function expectUnknown(response: Response) {
  const unknown = await ask({ apiKey: newKeyId(), apiSecret: newKeySecret() })
  const seen = async ({ status, headers, ...rest }: Response, body: string) => ({
    ...rest,
    status,
    body,
    headers: [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name)),
  })
  expect(response.status).toBe(401)
  expect(await seen(response, await response.text())).toEqual(await seen(unknown, await unknown.text()))
}

describe('401 UNAUTHORIZED, as for an unknown key', () => {
  test('a key that has expired, from that moment on', async () => {
    await write().limitKey({ keyId: key.apiKey, expiresAt: clock.now() + hourMs })
    expect((await ask()).status).toBe(200)
    aheadMs += hourMs
    await expectUnknown(await ask())
  })

  test('a key from an address outside its networks, from the next request on', async () => {
    expect((await from('198.51.100.7')).status).toBe(200)
    await write().limitKey({ keyId: key.apiKey, allowedNetworks: ['203.0.113.0/24', '2001:db8::/48'] })
    await expectUnknown(await from('198.51.100.7'))
    await expectUnknown(await from('2001:db9::1'))
    // Without a proxy's word it is the address of the connection.
    await expectUnknown(await ask())
    for (const address of ['203.0.113.9', '2001:db8:0:ff::1', '::ffff:203.0.113.9'])
      expect((await from(address)).status).toBe(200)
    await write().limitKey({ keyId: key.apiKey, allowedNetworks: null })
    expect((await from('198.51.100.7')).status).toBe(200)
  })

  test('what the caller itself writes into X-Forwarded-For lets nobody in', async () => {
    await write().limitKey({ keyId: key.apiKey, allowedNetworks: ['203.0.113.0/24'] })
    await expectUnknown(await from('203.0.113.9, 198.51.100.7'))
  })

  test('networks that cannot be read let nobody in', async () => {
    await write().limitKey({ keyId: key.apiKey, allowedNetworks: ['everywhere'] })
    await expectUnknown(await from('203.0.113.9'))
  })
})

describe('a key and its successor', () => {
  const send = (of: Key, idempotencyKey: string) => gateway.send({ ...text, idempotencyKey }, { ...of })
  async function rotate(graceMs: number): Promise<Key> {
    const next = { apiKey: newKeyId(), apiSecret: newKeySecret() }
    const successor = { id: next.apiKey, secretHash: sha256(next.apiSecret) }
    const at = clock.now()
    await write().rotateKey({ keyId: key.apiKey, successor, at, formerExpiresAt: at + graceMs })
    return next
  }

  test('200: what one has sent, the other does not send again; 201 for a key of another scope', async () => {
    const first = await send(key, 'order-1')
    expect(first.status).toBe(201)
    const next = await rotate(hourMs)
    const replay = await send(next, 'order-1')
    expect(replay).toMatchObject({ status: 200, json: { data: { id: first.json.data.id, idempotentReplay: true } } })
    expect(await send(key, 'order-1')).toMatchObject({ status: 200 })
    expect((await send(next, 'order-2')).status).toBe(201)
    expect((await send(key, 'order-2')).status).toBe(200)
    expect((await send(await gateway.createKey(), 'order-1')).status).toBe(201)
  })

  test('the old key works until its grace ends, the new one from the start', async () => {
    const next = await rotate(hourMs)
    expect([(await ask()).status, (await ask(next)).status]).toEqual([200, 200])
    aheadMs += hourMs
    await expectUnknown(await ask())
    expect((await ask(next)).status).toBe(200)
  })
})

describe('the last use of keys', () => {
  test('is stored in batches, however many requests there are', async () => {
    const manual = new ManualClock()
    const batches: unknown[] = []
    const recordKeyUse = async (batch: unknown) => void batches.push(batch)
    const use = new KeyUse({ write: { recordKeyUse }, clock: manual, log: silentLogger })
    for (let request = 0; request < 1_000; request += 1) use.used(`pk_${request % 2}`)
    const at = manual.now()
    expect(batches).toEqual([])
    manual.advance(10_000)
    expect(batches).toEqual([{ uses: [0, 1].map(id => ({ keyId: `pk_${id}`, at })) }])
    await use.save()
    expect(batches).toHaveLength(1)
    expect(manual.pending).toBe(0)
  })

  test('is on disk when the gateway has stopped; a refused key was not used', async () => {
    const dataDir = `${gateway.dataDir}-use`
    const first = await startTestGateway({ dataDir })
    const [used, refused] = [await first.createKey(), await first.createKey()]
    await first.get('/api/v1/public/templates', used)
    await first.get('/api/v1/public/templates', { ...refused, apiSecret: newKeySecret() })
    const before = Date.now()
    await first.stop()
    const second = await startTestGateway({ dataDir })
    const { read } = second.gateway.store
    const lastUsedAt = (await read.key(used.apiKey))?.lastUsedAt ?? 0
    expect(Math.abs(lastUsedAt - before)).toBeLessThan(hourMs)
    expect((await read.key(refused.apiKey))?.lastUsedAt).toBeNull()
    await second.stop()
    rmSync(dataDir, { recursive: true })
  })
})
