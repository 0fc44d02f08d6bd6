import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { SQL } from 'bun'
import { openPostgresStore } from '../../../db/postgres/store.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { silentLogger } from '../../../src/telemetry/log.ts'
import { Deployment, expectRefusal, firstLine, queueMessages, seeded } from '../../cli/waypost.ts'
import { freshFixture, sharedFixture } from '../../fixture.ts'
import { hasPostgres, startPostgres } from '../../postgres.ts'

const secret = 'hunter2hunter2'

const deployment = freshFixture(() => new Deployment())

/** Runs a command that must fail. @returns its one sentence */
async function refusal(args: readonly string[], DATABASE_URL: string): Promise<string> {
  const { code, stdout, stderr } = await deployment.run(args, { env: { DATABASE_URL } })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).not.toContain(secret)
  return stderr
}

describe('with a database on a server', () => {
  const url = `postgres://waypost:${secret}@db.example:6432/messages?sslmode=verify-full`

  test.each([
    [['backup', '--to', 'copy.db'], 'pg_dump --format=custom --file=copy.db --host=db.example --port=6432'],
    [['backups'], 'pg_dump --format=custom --file=waypost.dump --host=db.example --port=6432 --username=… messages'],
    [
      ['restore', '--from', 'copy.db', '--force'],
      'pg_restore --clean --if-exists --no-owner --single-transaction --host=db.example',
    ],
  ])('%p says which tools do it instead, and does nothing', async (args, tool) => {
    const sentence = await refusal(args, url)
    expect(sentence).toContain('the database messages on db.example:6432')
    expect(sentence).toContain(tool)
    expect(existsSync(deployment.path('copy.db'))).toBe(false)
    expect(existsSync(deployment.dataDir)).toBe(false)
  })

  test('restore names what has to follow, so that nothing is sent twice', async () => {
    expect(await refusal(['restore', '--from', 'copy.dump'], url)).toContain('waypost message settle-waiting --force')
  })

  test('a server that cannot be reached is named without its password, and no file is made instead', async () => {
    const gone = `postgres://waypost:${secret}@127.0.0.1:1/messages`
    const place = 'database messages on 127.0.0.1:1'
    expect(await refusal(['workspace', 'list'], gone)).toContain(place)
    expect(await refusal(['serve'], gone)).toContain(place)
    const { code, stdout } = await deployment.run(['doctor', '--offline'], { env: { DATABASE_URL: gone } })
    expect(code).toBe(1)
    expect(stdout).toContain(place)
    expect(stdout).not.toContain(secret)
    expect(existsSync(deployment.databasePath)).toBe(false)
  })
})

describe.skipIf(!hasPostgres)('with a server of PostgreSQL', () => {
  const server = sharedFixture(startPostgres)

  test('doctor tells the engine, a write and the migrations, and looks at no file or disk', async () => {
    const env = { DATABASE_URL: await server.createDatabase(), PORT: '1' }
    const doctor = ['doctor', '--offline', '--json']
    expectRefusal(await deployment.run(doctor, { env }), 1, 'Nothing of Waypost is in the database')
    await deployment.json(['workspace', 'create', '--name', 'Acme'], { env })
    const { database, checks } = JSON.parse((await deployment.run(doctor, { env })).stdout) as {
      database: string
      checks: { name: string; ok: boolean; message: string }[]
    }
    expect(checks.slice(0, 8).map(({ name, ok }) => [name, ok])).toEqual([
      ['bun', true],
      ['settings', true],
      ['API version', true],
      ['key file', true],
      ['database', true],
      ['migrations', true],
      ['instances', false],
      ['gateway', false],
    ])
    const message = (name: string) => checks.find(check => check.name === name)?.message
    expect(database).toMatch(/^the database waypost_\w+ on 127\.0\.0\.1:\d+$/)
    expect(message('database')).toMatch(
      /^PostgreSQL \d+\S* .*the database waypost_\w+ on 127\.0\.0\.1:\d+: a write takes \S+ ms$/,
    )
    expect(message('migrations')).toBe('all applied')
    expect(message('instances')).toContain('no gateway runs on the database')
    expect(message('gateway')).toContain('Nothing listens at http://127.0.0.1:1')
  })

  test('a command does not make a database of Waypost out of another one', async () => {
    const DATABASE_URL = await server.createDatabase()
    expect(await refusal(['workspace', 'list'], DATABASE_URL)).toContain('Nothing of Waypost is in the database')
  })

  test('a database that cannot keep all texts is refused by name, and nothing is made in it', async () => {
    const DATABASE_URL = await server.createDatabase('LATIN1')
    expect(await refusal(['serve'], DATABASE_URL)).toMatch(
      /The database waypost_\w+ on \S+ cannot be opened: its encoding is LATIN1.* ENCODING 'UTF8'/,
    )
    expect(await refusal(['workspace', 'list'], DATABASE_URL)).toContain('Nothing of Waypost is in the database')
  })

  test.each(['repeatable read', 'serializable'])('a database whose statements are %s is refused', async isolation => {
    const DATABASE_URL = await server.createDatabase()
    const client = new SQL({ url: DATABASE_URL, max: 1 })
    const name = new URL(DATABASE_URL).pathname.slice(1)
    await client.unsafe(`ALTER DATABASE ${name} SET default_transaction_isolation = '${isolation}'`)
    await client.close()
    expect(await refusal(['serve'], DATABASE_URL)).toMatch(
      new RegExp(`cannot be opened: its default_transaction_isolation is '${isolation}'.* SET default_transaction_iso`),
    )
  })

  test('while the server waits for a copy of itself and no commit ends, commands that read still answer', async () => {
    const copied = await startPostgres()
    const env = { DATABASE_URL: await copied.createDatabase() }
    await deployment.json(['workspace', 'create', '--name', 'Acme'], { env })
    const client = new SQL({ url: env.DATABASE_URL, max: 1 })
    await client.unsafe("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
    await client.unsafe('SELECT pg_reload_conf()')
    await client.close()
    expect(await deployment.json<unknown[]>(['workspace', 'list'], { env })).toHaveLength(1)
    await copied.remove()
  })

  test('serve tells where the database is, and its password to nobody', async () => {
    const url = new URL(await server.createDatabase())
    url.password = secret
    const gateway = deployment.spawn(['serve', '--json'], {
      env: { DATABASE_URL: url.href, PORT: '0', LOG_LEVEL: 'debug', LOG_FORMAT: 'json' },
    })
    const stdout = await firstLine(gateway.stdout)
    gateway.kill('SIGTERM')
    const [stderr, code] = await Promise.all([gateway.stderr.text(), gateway.exited])
    expect(code).toBe(0)
    expect(stdout + stderr).toContain(`the database ${url.pathname.slice(1)} on 127.0.0.1:${url.port}`)
    expect(stdout + stderr).not.toContain(secret)
  })

  test('what waited when the database was copied by other tools is settled, and never sent', async () => {
    const DATABASE_URL = await server.createDatabase()
    const open = () => openPostgresStore({ url: DATABASE_URL, clock: systemClock, log: silentLogger })
    const gateway = await open()
    const [waiting = ''] = await queueMessages(gateway, await seeded(gateway), 3)
    const env = { DATABASE_URL }
    const settle = ['message', 'settle-waiting', '--force']
    expectRefusal(await deployment.run(settle, { env }), 1, 'Gateways are running on the database')
    await gateway.close()
    expect(await deployment.json(settle, { env })).toMatchObject({ messages: 3 })
    expect(await deployment.json(['message', 'show', waiting], { env })).toMatchObject({ status: 'UNKNOWN' })
    const next = await open()
    expect(await next.write.claimWaiting({ after: null, limit: 10 })).toEqual([])
    await next.close()
  })

  test('the key of the stored secrets is replaced while no gateway runs', async () => {
    const env = { DATABASE_URL: await server.createDatabase() }
    const { id } = await deployment.json<{ id: string }>(['workspace', 'create', '--name', 'Acme'], { env })
    const connect = ['channel', 'connect', '--workspace', id, '--account-id', '1', '--no-verify']
    await deployment.json([...connect, '--access-token', 'token', '--app-secret', 'app'], { env })
    const gateway = await openPostgresStore({ url: env.DATABASE_URL, clock: systemClock, log: silentLogger })
    expectRefusal(await deployment.run(['secrets', 'rotate'], { env }), 1, 'Gateways are running on the database')
    await gateway.close()
    expect(await deployment.json(['secrets', 'rotate'], { env })).toMatchObject({ channels: 1 })
    const { stdout } = await deployment.run(['secrets', 'rotate'], { env })
    expect(stdout).toContain('Copy the key file to every machine that shares the database')
    const { checks } = JSON.parse((await deployment.run(['doctor', '--offline', '--json'], { env })).stdout)
    expect(checks).toContainEqual(expect.objectContaining({ name: 'secrets', ok: true }))
  })
})
