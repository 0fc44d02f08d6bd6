import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { MIGRATIONS } from '../../db/migrations/list.ts'
import { appliedOf } from '../../db/migrations.ts'
import { MIGRATIONS as POSTGRES_MIGRATIONS } from '../../db/postgres/migrations/list.ts'
import { appliedMigrations, migrate } from '../../db/sqlite/migrate.ts'
import { openForWriting } from '../../db/sqlite/open.ts'
import { StoppedBeforeReady } from '../../db/start.ts'
import manifest from '../../package.json' with { type: 'json' }
import { type Clock, systemClock } from '../../src/base/clock.ts'
import { hourMs, minuteMs } from '../../src/base/durations.ts'
import { type RunningSandbox, startSandbox } from '../../src/sandbox/server.ts'
import type { Gateway } from '../../src/serve.ts'
import { eventually } from '../eventually.ts'
import { startBareGateway } from '../gateway.ts'
import { emptyTables, type Fixture, readFixtures, unpack } from './fixture.ts'

const fixtures = readFixtures()

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-upgrade-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A file with the database of this version, in a data folder of its own. */
function databaseOf(fixture: Fixture): string {
  const file = join(folder, 'waypost.db')
  mkdirSync(folder, { recursive: true })
  unpack(fixture, file)
  return file
}

function read<Result>(file: string, work: (client: Database) => Result): Result {
  using client = new Database(file, { readonly: true })
  return work(client)
}

/** Every table and index, by its name, with what it is made of. */
const schemaOf = (client: Database) =>
  client
    .query<{ name: string; sql: string }, []>(
      "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .all()

describe('the fixtures', () => {
  test(`have one of this version, ${manifest.version}`, () => {
    expect(fixtures.map(({ version }) => version)).toContain(manifest.version)
  })

  test('of released versions are all but this one', () => {
    const open = fixtures.filter(({ isFrozen }) => !isFrozen).map(({ version }) => version)
    expect(open.filter(version => version !== manifest.version)).toEqual([])
  })

  test('of a version that is not released were made with the schema of today', () => {
    for (const fixture of fixtures.filter(({ isFrozen }) => !isFrozen)) {
      const applied = read(databaseOf(fixture), appliedMigrations)
      if (!isDeepStrictEqual(applied, appliedOf(MIGRATIONS))) {
        throw new Error(
          `The database of test/upgrade/fixtures/ was made with another schema. ${fixture.version} is not released yet, so make it again: bun run fixture`,
        )
      }
    }
  })

  test('of released versions have migrations that never changed, on both engines', () => {
    for (const fixture of fixtures.filter(({ isFrozen }) => isFrozen)) {
      const { postgresMigrations } = fixture
      const ofFile = read(databaseOf(fixture), appliedMigrations)
      expect(appliedOf(MIGRATIONS).slice(0, ofFile.length)).toEqual(ofFile)
      expect(appliedOf(POSTGRES_MIGRATIONS).slice(0, postgresMigrations.length)).toEqual([...postgresMigrations])
    }
  })

  test('have one that this version migrates on the way', () => {
    const isOlder = (fixture: Fixture) => read(databaseOf(fixture), appliedMigrations).length < MIGRATIONS.length
    expect(fixtures.some(isOlder)).toBe(true)
  })

  // Until the release a table may be new; `bun run fixture --freeze` refuses as long as one is empty.
  test('of released versions have rows in every table', () => {
    const frozen = fixtures.filter(({ isFrozen }) => isFrozen)
    expect(frozen.flatMap(fixture => emptyTables(databaseOf(fixture)))).toEqual([])
  })
})

describe.each(fixtures.map(fixture => [fixture.version, fixture] as const))('a database of %s', (_, fixture) => {
  let sandbox: RunningSandbox
  let gateway: Gateway | undefined
  let file: string
  beforeEach(async () => {
    file = databaseOf(fixture)
    sandbox = await startSandbox({
      accessToken: 'access-token',
      appSecret: 'app-secret',
      accountId: '100001',
      lines: [{ upstreamPhoneId: '106540352242921', number: '+15550783881' }],
      deliveredAfterMs: 5,
      readAfterMs: 10,
    })
  })
  afterEach(async () => {
    await gateway?.stop()
    gateway = undefined
    await sandbox.stop()
  })

  /** As if the upgrade came a minute after the former version had stopped: idempotency keys have not expired. */
  async function upgrade(stopping?: AbortSignal, afterMs = minuteMs): Promise<string> {
    const offset = fixture.madeAt + afterMs - systemClock.now()
    const clock: Clock = { ...systemClock, now: () => systemClock.now() + offset }
    const env = { DATA_DIR: folder, SECRET_KEY: fixture.secretKey, CHANNEL_API_URL: sandbox.url }
    gateway = await startBareGateway(env, { clock, ...(stopping && { stopping }) })
    sandbox.control.setCallbackUrl(`${gateway.url}/callbacks/channel/${fixture.channelId}`)
    return gateway.url
  }

  interface Message {
    readonly id: string
    readonly status: string
    readonly idempotentReplay?: boolean
  }

  async function ask(url: string, body?: object): Promise<{ status: number; message: Message }> {
    const headers = { ...fixture.key, 'content-type': 'application/json' }
    const response = await fetch(url, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
    const { data } = (await response.json()) as { data: Message }
    return { status: response.status, message: data }
  }
  const statusOf = (url: string, id: string) => ask(`${url}/api/v1/public/messages/${id}`)
  const send = (url: string, body: object) => ask(`${url}/api/v1/public/messages/send`, body)

  test('is migrated to the same tables and indexes as a new one, and is sound', async () => {
    await upgrade()
    await gateway?.stop()
    gateway = undefined
    const fresh = openForWriting(join(folder, 'fresh.db')).client
    migrate(fresh, fixture.madeAt)
    const expected = schemaOf(fresh)
    fresh.close()
    read(file, client => {
      expect(schemaOf(client)).toEqual(expected)
      expect(client.query('PRAGMA integrity_check').values()).toEqual([['ok']])
      expect(client.query('PRAGMA foreign_key_check').values()).toEqual([])
    })
  })

  test('keeps every message with its status', async () => {
    const url = await upgrade()
    for (const { id, status } of fixture.messages.filter(message => message.id !== fixture.queuedId)) {
      expect(await statusOf(url, id)).toMatchObject({ status: 200, message: { id, status } })
    }
  })

  // The state before the first change of the schema had no erasures.
  test.skipIf(fixture.version === '0.1.0-init')('goes on with an erasure that was broken off', async () => {
    const open = () => read(file, client => client.query('SELECT subject FROM erasures').all())
    expect(open()).toHaveLength(1)
    await upgrade()
    await gateway?.jobs.trigger('erase')
    expect(open()).toEqual([])
  })

  test('is opened by a start that is stopped before it is ready: what waits is not sent, until the next one', async () => {
    const stopping = new AbortController()
    const upgrading = upgrade(stopping.signal)
    stopping.abort()
    await expect(upgrading).rejects.toBeInstanceOf(StoppedBeforeReady)
    expect(sandbox.control.requests()).toEqual([])
    // Opened again once the first has let it go.
    const url = await eventually(() => upgrade())
    await eventually(async () => expect((await statusOf(url, fixture.queuedId)).message.status).toBe('READ'))
    expect(sandbox.control.doubles()).toEqual([])
  })

  // The state before the first change of the schema had neither.
  test.skipIf(fixture.version === '0.1.0-init')('lets out what waits for its time, once each', async () => {
    // Both are due then.
    await upgrade(undefined, hourMs + minuteMs)
    const texts = () => sandbox.control.requests().map(({ body }) => (body as { text?: { body: string } }).text?.body)
    const open = () => read(file, client => client.query("SELECT id FROM batches WHERE state <> 'done'").values())
    await eventually(async () => {
      await gateway?.jobs.trigger('run-batches')
      expect(open()).toEqual([])
      expect(texts()).toContain('At its time')
    })
    expect(texts().filter(text => text === 'At its time' || text === 'Hello')).toHaveLength(3)
    expect(sandbox.control.doubles()).toEqual([])
  })

  test('answers a stored idempotency key with its message, and sends nothing for it', async () => {
    const url = await upgrade()
    const { id, body } = fixture.replay
    expect(await send(url, body)).toMatchObject({ status: 200, message: { id, idempotentReplay: true } })
    expect(sandbox.control.requests().filter(({ opaque }) => opaque === id)).toEqual([])
  })

  test('sends what was waiting, once, and what is sent now; callbacks are applied', async () => {
    const url = await upgrade()
    const sent = await send(url, { type: 'text', phone: '+15550100400', content: 'After the upgrade' })
    expect(sent.status).toBe(201)
    await eventually(async () => {
      const found = await Promise.all([sent.message.id, fixture.queuedId].map(id => statusOf(url, id)))
      expect(found.map(({ message }) => message.status)).toEqual(['READ', 'READ'])
    })
    expect(sandbox.control.doubles()).toEqual([])
  })
})
