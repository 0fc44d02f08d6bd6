import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import pino from 'pino'
import { Deployment } from '../cli/waypost.ts'
import { eventually } from '../eventually.ts'
import { startTestGateway, type TestGateway } from '../gateway.ts'
import { samplesOf, sampleValue } from '../monitoring/samples.ts'
import { hasPostgres, type PostgresServer, startPostgres, unsynced } from '../postgres.ts'

/** What is held for less is no finding: working statements hold locks for milliseconds. */
const heldMs = 1_100
const text = { type: 'text', phone: '+4915112345678', content: 'Hello', idempotencyKey: 'order-1' }

describe.skipIf(!hasPostgres)('while another program has locked a table', () => {
  const lines: string[] = []
  let server: PostgresServer
  let gateway: TestGateway
  let deployment: Deployment
  let env: Record<string, string>
  let other: SQL
  beforeAll(async () => {
    server = await startPostgres(unsynced)
    const url = await server.createDatabase()
    env = {
      DATABASE_URL: url,
      SECRET_KEY: 'one-key-for-all-of-the-instances',
      METRICS_TOKEN: 'the-token-of-the-scraper',
    }
    deployment = new Deployment()
    other = new SQL({ url: `${url}?application_name=nightly%20report`, max: 1 })
    // Found before that of the server, it shortens what is waited for a lock.
    await other.unsafe(
      `CREATE FUNCTION set_config(name text, value text, local boolean) RETURNS text LANGUAGE sql VOLATILE AS
       $$ SELECT pg_catalog.set_config(name, CASE name WHEN 'lock_timeout' THEN '50' ELSE value END, local) $$`,
    )
    await other.unsafe(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET search_path = public, pg_catalog`)
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
    gateway = await startTestGateway({ env, log })
  })
  afterAll(async () => {
    await other.close()
    await gateway.stop()
    await server.remove()
    deployment.remove()
  })

  const remarks = async () => {
    const answer = await fetch(`${gateway.url}/readyz`)
    const { remarks } = (await answer.json()) as { remarks: { kind: string }[] | null }
    return [answer.status, remarks?.map(({ kind }) => kind)]
  }
  const headers = { authorization: 'Bearer the-token-of-the-scraper' }
  const timeouts = async () =>
    sampleValue(
      samplesOf(await (await fetch(`${gateway.url}/metrics`, { headers })).text()),
      'waypost_database_lock_timeouts_total',
    )

  test('sends are refused in time, and everywhere it is said who holds what, without what it asked', async () => {
    expect((await gateway.send({ ...text, idempotencyKey: 'order-0' })).status).toBe(201)
    expect(await timeouts()).toBe(0)
    await other.begin(async transaction => {
      await transaction.unsafe("LOCK TABLE messages -- 'something secret'")
      await Bun.sleep(heldMs)
      const [own] = (await transaction.unsafe('SELECT pg_backend_pid() AS pid')) as { pid: number }[]
      // While the table is locked: the key is looked for in it, for a second.
      const answer = await gateway.send(text)
      expect([answer.status, answer.json.error]).toEqual([503, 'SERVICE_UNAVAILABLE'])
      await eventually(async () => expect(await remarks()).toEqual([200, expect.arrayContaining(['databaseLocked'])]))
      expect(await timeouts()).toBeGreaterThan(0)
      const logged = lines.find(line => line.includes('holds a lock'))
      expect(JSON.parse(logged ?? '{}')).toMatchObject({
        holders: [{ pid: own?.pid, application: 'nightly report', locks: 'AccessExclusiveLock on messages' }],
      })
      const { stdout, code } = await deployment.run(['doctor', '--offline', '--json'], { env })
      const { checks } = JSON.parse(stdout) as { checks: { name: string; ok: boolean; message: string }[] }
      expect([code, checks.find(({ name }) => name === 'database')]).toMatchObject([
        1,
        {
          ok: false,
          message: expect.stringMatching(
            new RegExp(`session ${own?.pid} \\(nightly report\\) holds AccessExclusiveLock on messages since 2`),
          ),
        },
      ])
      expect(stdout + lines.join()).not.toContain('something secret')
    })
    expect((await gateway.send(text)).status).toBe(201)
    await eventually(async () => expect((await remarks())[1] ?? []).not.toContain('databaseLocked'))
  })

  test('a row that a statement waits for is named, though no table is locked', async () => {
    await other.begin(async transaction => {
      await transaction.unsafe('SELECT FROM lines FOR UPDATE')
      await Bun.sleep(heldMs)
      const waiting = new SQL({ url: env.DATABASE_URL, max: 1 })
      const blocked = waiting.unsafe('UPDATE lines SET active = active').execute()
      await eventually(async () => {
        const { stdout } = await deployment.run(['doctor', '--offline', '--json'], { env })
        expect(stdout).toMatch(/holds rows since .*; statements that wait for it: 1/)
      })
      await transaction.unsafe('ROLLBACK AND CHAIN').catch(() => {})
      await blocked.catch(() => {})
      await waiting.close()
    })
  })
})
