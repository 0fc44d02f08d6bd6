import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rateWindowMs } from '../../src/base/rateLimits.ts'
import type { Gateway } from '../../src/serve.ts'
import { Deployment, expectRefusal } from '../cli/waypost.ts'
import { addPerson } from '../console/people.ts'
import { eventually } from '../eventually.ts'
import { type Key, startBareGateway, startTestGateway, type TestGateway } from '../gateway.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../postgres.ts'

const keyLimit = 6
const text = { type: 'text', phone: '+4915112345678', content: 'Hello' }

describe.skipIf(!hasPostgres)('two gateways on one database of PostgreSQL', () => {
  let server: PostgresServer
  let one: TestGateway
  let other: Gateway
  let deployment: Deployment
  let env: Record<string, string>
  beforeAll(async () => {
    server = await startPostgres()
    deployment = new Deployment()
    const DATABASE_URL = await server.createDatabase()
    env = { DATABASE_URL, SECRET_KEY: 'one-key-for-all-of-the-instances', PUBLIC_API_KEY_RATE_LIMIT: String(keyLimit) }
    one = await startTestGateway({ env })
    const { upstream, dataDir } = one
    other = await startBareGateway({ DATA_DIR: dataDir, CHANNEL_API_URL: upstream.url, ...env })
  })
  afterAll(async () => {
    await other.stop()
    await one.stop()
    await server.remove()
    deployment.remove()
  })

  /** Asks one of the two, in turn. */
  let asked = 0
  async function ask(path: string, key: Key, init: RequestInit = {}): Promise<Response> {
    asked += 1
    const url = asked % 2 === 0 ? one.url : other.url
    return fetch(url + path, { ...init, headers: { ...key, 'content-type': 'application/json' } })
  }
  const send = (key: Key, body: object = text) =>
    ask('/api/v1/public/messages/send', key, { method: 'POST', body: JSON.stringify(body) })
  const ready = async (url: string) => {
    const answer = await fetch(`${url}/readyz`)
    return { status: answer.status, body: (await answer.json()) as { parts?: unknown; details?: { parts: unknown } } }
  }

  test('what one of them has sent is read from the other, and sent once for one idempotency key', async () => {
    const key = await one.createKey()
    const sentBefore = one.upstream.received.length
    const first = await send(key, { ...text, idempotencyKey: 'order-1' })
    const second = await send(key, { ...text, idempotencyKey: 'order-1' })
    const [sent, replayed] = [await first.json(), await second.json()] as { data: { id: string } }[]
    expect([first.status, second.status]).toEqual([201, 200])
    expect(replayed?.data).toMatchObject({ id: sent?.data.id, idempotentReplay: true })
    expect(one.upstream.received.length).toBe(sentBefore + 1)
  })

  test('the limit of a key counts over both', async () => {
    const key = await one.createKey()
    // Requests of two windows are not over one limit.
    const leftMs = rateWindowMs - (Date.now() % rateWindowMs)
    if (leftMs < 5_000) await Bun.sleep(leftMs)
    const answers = await Promise.all(Array.from({ length: 3 * keyLimit }, () => ask('/api/v1/public/templates', key)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter(status => status === 200).length).toBe(keyLimit)
    expect(statuses.filter(status => status === 429).length).toBe(2 * keyLimit)
  })

  test('a key that one of them revokes opens nothing of the other from then on', async () => {
    const key = await one.createKey()
    expect((await ask('/api/v1/public/templates', key)).status).toBe(200)
    await one.gateway.store.write.revokeKey({ keyId: key.apiKey, at: Date.now() })
    expect((await ask('/api/v1/public/templates', key)).status).toBe(401)
    expect((await ask('/api/v1/public/templates', key)).status).toBe(401)
  })

  test('a pace that one of them lifts holds for what waits on the other, though nobody sends any more', async () => {
    const pace = (perSecond: number) => other.store.write.changeLine({ lineId: one.line.id, perSecond })
    await pace(1)
    const keys = await Promise.all(Array.from({ length: 10 }, () => one.createKey()))
    const sentBefore = one.upstream.received.length
    const sends = keys.flatMap(key => Array.from({ length: keyLimit }, () => send(key)))
    await eventually(() => expect(one.upstream.received.length).toBeGreaterThan(sentBefore))
    await pace(0)
    // At the old pace they take a minute, twice as long as is waited for here.
    await eventually(() => expect(one.upstream.received.length).toBe(sentBefore + sends.length))
    await Promise.all(sends)
  })

  test('a page that follows one of them is told what the other sends', async () => {
    const person = await addPerson(one, 'viewer')
    const stop = new AbortController()
    const events = await fetch(`${one.url}/api/v1/workspaces/${one.workspaceId}/events`, {
      headers: { authorization: `Bearer ${person.accessToken}` },
      signal: stop.signal,
    })
    expect(events.status).toBe(200)
    let told = ''
    const decoder = new TextDecoder()
    const reader = events.body?.getReader()
    const reading = (async () => {
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
        told += decoder.decode(part.value)
    })().catch(() => {})
    const answer = await fetch(`${other.url}/api/v1/public/messages/send`, {
      method: 'POST',
      headers: { ...(await one.createKey()), 'content-type': 'application/json' },
      body: JSON.stringify(text),
    })
    const { data } = (await answer.json()) as { data: { id: string } }
    await eventually(() => expect(told).toContain(data.id))
    stop.abort()
    await reading
  })

  test('one of them does the jobs of both', async () => {
    const leads = [await one.gateway.store.shared?.leads(), await other.store.shared?.leads()]
    expect(leads.filter(Boolean)).toEqual([true])
  })

  test('commands work beside them, and doctor knows both', async () => {
    const { id } = await deployment.json<{ id: string }>(['workspace', 'create', '--name', 'Beside'], { env })
    const workspaces = await other.store.read.workspaces()
    expect(workspaces.map(workspace => workspace.id)).toContain(id)
    const { stdout } = await deployment.run(['doctor', '--offline', '--json'], { env })
    const { checks } = JSON.parse(stdout) as { checks: { name: string; ok: boolean; message: string }[] }
    const check = (name: string) => checks.find(found => found.name === name)
    expect(check('instances')).toMatchObject({ ok: true, message: expect.stringMatching(/^2 gateways: /) })
    expect(check('migrations')).toMatchObject({ ok: true, message: 'all applied' })
    expect(check('secrets')).toMatchObject({ ok: true })
    expect(check('backups')).toMatchObject({ ok: true, message: expect.stringContaining('tools of PostgreSQL') })
  })

  test('what needs the database to itself is refused while they run', async () => {
    for (const args of [
      ['secrets', 'forget', '--force'],
      ['message', 'settle-waiting', '--force'],
    ]) {
      expectRefusal(await deployment.run(args, { env }), 1, 'Gateways are running on the database')
    }
  })

  test('without the server all is 503, and goes on by itself when it is back', async () => {
    const key = await one.createKey()
    const all = { status: 'ready', parts: { senders: 'ok', database: 'ok', clock: 'ok' } }
    expect(await ready(one.url)).toMatchObject({ status: 200, body: all })
    await server.stop()
    try {
      const refused = await send(key)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^[1-9]\d*$/)])
      await eventually(async () => {
        const { status, body } = await ready(one.url)
        expect([status, body.details?.parts]).toEqual([
          503,
          { senders: 'ok', database: 'cannot be reached', clock: 'ok' },
        ])
      })
    } finally {
      await server.start()
    }
    for (const url of [one.url, other.url]) await eventually(async () => expect((await ready(url)).status).toBe(200))
    expect((await send(key)).status).toBe(201)
    expect((await send(key)).status).toBe(201)
  })
})
