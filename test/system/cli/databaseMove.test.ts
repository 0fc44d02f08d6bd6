import { Database } from 'bun:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { SQL } from 'bun'
import { moveTables } from '../../../db/move/move.ts'
import { openServerTarget, withServerSource } from '../../../db/move/postgres.ts'
import { openFileSource, openFileTarget } from '../../../db/move/sqlite.ts'
import { movedTables } from '../../../db/move/tables.ts'
import { openPostgresStore } from '../../../db/postgres/store.ts'
import { DatabaseLocked, lockDatabase } from '../../../db/sqlite/lock.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { DatabaseUrl } from '../../../src/config/databaseUrl.ts'
import { moveDatabase } from '../../../src/operations/databaseMove.ts'
import { silentLogger } from '../../../src/telemetry/log.ts'
import { fill, rowsOfFile } from '../../cli/fullDatabase.ts'
import { Deployment, type Ended, expectRefusal } from '../../cli/waypost.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../../postgres.ts'
import { hungAfterMs } from '../../timeLimit.ts'

// Each test starts the program several times, beside a server.
setDefaultTimeout(3 * hungAfterMs)

/** It fails after it has said how far it is. */
function expectFailure({ code, stderr }: Ended, says: string): void {
  expect(stderr).toContain(says)
  expect(code).toBe(1)
}

/** Waits until the move has said a word. */
async function untilSaid({ stdout }: { stdout: ReadableStream<Uint8Array> }, word: string): Promise<void> {
  const decoder = new TextDecoder()
  let said = ''
  for await (const chunk of stdout) {
    said += decoder.decode(chunk, { stream: true })
    if (said.includes(word)) return
  }
}

describe.skipIf(!hasPostgres)('waypost database move', () => {
  let server: PostgresServer
  let deployment: Deployment
  let url: string
  let back: string
  /** The file with the URL. */
  let urlFile: string

  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' })
  })
  afterAll(() => server.remove())
  beforeEach(async () => {
    deployment = new Deployment()
    await deployment.withStore(async () => {})
    url = await server.createDatabase()
    back = deployment.path('back/waypost.db')
    urlFile = deployment.path('url')
    writeFileSync(urlFile, `${url}\n`)
  })
  afterEach(() => deployment.remove())

  const move = () => deployment.run(['database', 'move', '--to-file', urlFile])
  const moveBack = () => deployment.run(['database', 'move', '--to', back], { env: { DATABASE_URL: url } })

  async function ask(sql: string): Promise<unknown[]> {
    const client = new SQL({ url, max: 1 })
    const rows = await client.unsafe(sql)
    await client.close()
    return rows
  }

  test('there and back, every row of every table is as it was, and the source stays', async () => {
    fill(deployment.databasePath, 2_500)
    const before = rowsOfFile(deployment.databasePath)
    const there = await move()
    expect(there.stderr).toBe('')
    expect(there.stdout).toContain('messages: 0 of 2500 rows')
    expect(there.stdout).toContain('set DATABASE_URL')
    const returned = await moveBack()
    expect(returned.stderr).toBe('')
    expect(returned.stdout).toContain(`DATABASE_PATH=${back}`)
    expect(rowsOfFile(back)).toEqual(before)
    expect(rowsOfFile(deployment.databasePath)).toEqual(before)
  })

  test('what the newest messages add to the counts is counted on the server, which knows of no mark', async () => {
    fill(deployment.databasePath, 10)
    const client = new Database(deployment.databasePath)
    client.run('UPDATE messages SET created_at = ?, dispatched_at = 1, listed = NULL WHERE seq > 14', [
      Date.UTC(2026, 0, 1),
    ])
    client.run("INSERT INTO properties VALUES ('counted', '14')")
    client.close()
    const before = rowsOfFile(deployment.databasePath)
    expect((await move()).code).toBe(0)
    expect(rowsOfFile(deployment.databasePath)).toEqual(before)
    expect([...(await ask("SELECT used::int FROM plan_usage WHERE month = '2026-01'"))]).toEqual([{ used: 3 + 3 }])
    expect([...(await ask("SELECT 1 FROM properties WHERE name = 'counted'"))]).toEqual([])
    expect((await moveBack()).code).toBe(0)
    const { plan_usage, properties, message_contents } = rowsOfFile(back)
    expect(plan_usage).toEqual([['ws_a', '2026-01', 3 + 3]])
    expect(properties).toEqual(before.properties?.filter(([name]) => name !== 'counted') ?? [])
    expect(message_contents).toEqual(before.message_contents ?? [])
  })

  test('nobody else writes to the file while it is read', async () => {
    const source = openFileSource(deployment.databasePath)
    const client = new Database(deployment.databasePath)
    const write = () => client.run("UPDATE workspaces SET name = 'other'")
    expect(write).toThrow('locked')
    source.close()
    expect(write).not.toThrow()
    client.close()
  })

  test('new rows on the server get numbers behind those that were moved', async () => {
    fill(deployment.databasePath, 10)
    expect((await move()).code).toBe(0)
    const next = await ask(
      `SELECT nextval('messages_seq_seq')::int AS m, nextval('lines_seq_seq')::int AS l,
         nextval('api_keys_seq_seq')::int AS k, nextval('audit_entries_id_seq')::int AS a`,
    )
    expect({ ...(next[0] as object) }).toEqual({ m: 21, l: 10, k: 8, a: 41 })
  })

  test.each(['to the server', 'back to a file'])('killed in the middle, the same command ends it: %s', async way => {
    fill(deployment.databasePath, 60_000)
    const before = rowsOfFile(deployment.databasePath)
    const isBack = way === 'back to a file'
    if (isBack) expect((await move()).code).toBe(0)
    const args = ['database', 'move', ...(isBack ? ['--to', back] : ['--to-file', urlFile])]
    const env: Record<string, string> = isBack ? { DATABASE_URL: url } : {}
    const child = deployment.spawn(args, { env })
    const decoder = new TextDecoder()
    let said = ''
    for await (const chunk of child.stdout) {
      said += decoder.decode(chunk, { stream: true })
      if (said.includes('messages: 50000 of 60000 rows')) child.kill('SIGKILL')
    }
    await child.exited
    expect(child.signalCode).toBe('SIGKILL')
    expect(said).not.toContain('Comparing')

    // What has half of the rows is opened by nobody else.
    const half = isBack ? { DATABASE_PATH: back } : { DATABASE_URL: url }
    expectRefusal(
      await deployment.run(['workspace', 'list'], { env: half }),
      1,
      'A move into this database is not complete',
    )
    const again = await deployment.run(args, { env })
    expect(again.stderr).toBe('')
    expect(again.stdout).toMatch(/^messages: [56]\d{4} of 60000 rows$/m)
    if (!isBack) expect((await moveBack()).code).toBe(0)
    expect(rowsOfFile(back)).toEqual(before)
  })

  test('a source that changed since the move began is an error that names the table', async () => {
    fill(deployment.databasePath, 10)
    // As a kill just before the end leaves it.
    const source = openFileSource(deployment.databasePath)
    const target = openServerTarget(url, systemClock)
    const release = async () => {
      throw new Error('killed')
    }
    await expect(moveTables({ source, target: { ...target, release }, tell: async () => {} })).rejects.toThrow('killed')
    source.close()
    await target.close()
    const client = new Database(deployment.databasePath)
    client.run("UPDATE templates SET name = 'other'")
    expectFailure(await move(), 'The table templates has other contents')
    client.run("UPDATE templates SET name = 'n'")
    client.run("DELETE FROM recovery_codes WHERE code_hash = 'A'")
    expectFailure(await move(), 'The table recovery_codes has 2 rows instead of 1')
    client.run("INSERT INTO recovery_codes VALUES ('user_1', 'A')")
    client.close()
    expect((await move()).code).toBe(0)
  })

  test('a server that is not empty is refused, and keeps its rows', async () => {
    fill(deployment.databasePath, 10)
    expect((await move()).code).toBe(0)
    expectRefusal(await move(), 1, 'is not empty')
    expect((await moveBack()).code).toBe(0)
    expect(rowsOfFile(back)).toEqual(rowsOfFile(deployment.databasePath))
  })

  describe('back to where the file was', () => {
    const home = () => deployment.databasePath
    const moveHome = (...args: readonly string[]) =>
      deployment.run(['database', 'move', '--to', home(), ...args], { env: { DATABASE_URL: url } })

    test('the former file is moved aside with all its rows, and the move says where', async () => {
      fill(home(), 10)
      const before = rowsOfFile(home())
      expect((await move()).code).toBe(0)
      await ask("UPDATE workspaces SET name = 'renamed on the server'")
      const returned = await moveHome('--json')
      const { movedAside } = JSON.parse(returned.stdout) as { movedAside: string }
      expect(movedAside).toStartWith(`${home()}.replaced-`)
      expect(rowsOfFile(movedAside)).toEqual(before)
      expect(rowsOfFile(home())).not.toEqual(before)
      const listed = await deployment.json<{ name: string }[]>(['workspace', 'list'])
      expect(new Set(listed.map(({ name }) => name))).toEqual(new Set(['renamed on the server']))
    })

    test('people are told, with the settings that the gateway needs then', async () => {
      expect((await move()).stdout).toContain('leave out DATABASE_PATH and all of BACKUP_')
      const { stdout, stderr } = await moveHome()
      expect(stderr).toBe('')
      expect(stdout).toMatch(new RegExp(`kept as ${home()}\\.replaced-`))
      // It is where the gateway looks without a setting.
      expect(stdout).not.toContain('DATABASE_PATH')
    })

    test('refused for the server, for a command that has the file open, and for what is no database; nothing is moved', async () => {
      expect((await move()).code).toBe(0)
      await deployment.withStore(async () => {
        expectRefusal(await moveHome(), 1, 'in use')
      })
      await ask("INSERT INTO migrations VALUES ('9999_later', 'a', 1)")
      expectRefusal(await moveHome(), 1, '9999_later')
      await ask("DELETE FROM migrations WHERE name = '9999_later'")
      writeFileSync(deployment.path('letter.txt'), 'Dear Ada')
      const over = ['database', 'move', '--to', deployment.path('letter.txt')]
      expectRefusal(await deployment.run(over, { env: { DATABASE_URL: url } }), 1, 'is not a database')
      expect(readFileSync(deployment.path('letter.txt'), 'utf8')).toBe('Dear Ada')
      const moved = readdirSync(deployment.folder, { recursive: true }).filter(name => `${name}`.includes('.replaced-'))
      expect(moved).toEqual([])
    })

    test('what a move has begun is not moved aside, also when another database began it', async () => {
      expect((await move()).code).toBe(0)
      mkdirSync(dirname(back))
      const half = openFileTarget(back, systemClock)
      await half.migrate()
      await half.reserve('another')
      half.close()
      expectRefusal(await moveBack(), 1, 'Another database is being moved into this one')
    })
  })

  const trigger = 'CREATE TRIGGER promote AFTER INSERT ON users BEGIN UPDATE memberships SET role = 1; END'

  test('a file with a trigger is refused, as the source and as the target', async () => {
    fill(deployment.databasePath, 10)
    const source = new Database(deployment.databasePath)
    source.run(trigger)
    expectFailure(await move(), 'the trigger "promote" on "users" is not of Waypost')
    source.run('DROP TRIGGER promote')
    source.close()
    expect((await move()).code).toBe(0)

    mkdirSync(dirname(back), { recursive: true })
    await withServerSource({ url, place: new DatabaseUrl(url).place }, async ({ identity }) => {
      const half = openFileTarget(back, systemClock)
      await half.migrate()
      await half.reserve(identity)
      half.close()
    })
    const target = new Database(back)
    target.run(trigger)
    target.close()
    expectRefusal(await moveBack(), 1, 'the trigger "promote" on "users" is not of Waypost')
  })

  test('a target that another move has begun is refused', async () => {
    fill(deployment.databasePath, 10)
    expect((await move()).code).toBe(0)
    await ask("INSERT INTO migrations VALUES ('move', 'another', 1)")
    expectRefusal(await move(), 1, 'Another database is being moved into this one')
  })

  test('refused while a gateway runs on the file, or on the server', async () => {
    fill(deployment.databasePath, 10)
    const unlock = lockDatabase(deployment.databasePath)
    expectRefusal(await move(), 1, 'gateway is running')
    unlock()
    const gateway = await openPostgresStore({ url, clock: systemClock, log: silentLogger })
    expectRefusal(await move(), 1, 'Gateways are running')
    expectRefusal(await moveBack(), 1, 'Gateways are running')
    await gateway.close()
    expect(existsSync(back)).toBe(false)
  })

  test('while it runs, no gateway starts on the file', async () => {
    fill(deployment.databasePath, 10)
    const file = (databasePath: string) => ({ databaseUrl: null, databasePath })
    const server = { ...file(deployment.databasePath), databaseUrl: new DatabaseUrl(url) }
    const lockedWhileTold = (path: string) => async () => {
      expect(() => lockDatabase(path)).toThrow(DatabaseLocked)
    }
    const there = { from: file(deployment.databasePath), to: server.databaseUrl }
    const moved = await moveDatabase({ ...there, tell: lockedWhileTold(deployment.databasePath) })
    const returned = await moveDatabase({ from: server, to: { path: back }, tell: lockedWhileTold(back) })
    expect(moved.tables).toEqual(returned.tables)
    expect(moved.tables).not.toEqual([])
  })

  const [lastButOne = '', last = ''] = movedTables.slice(-2).map(({ name }) => name)

  test('back to a file, a gateway that started meanwhile keeps the copy from being used', async () => {
    fill(deployment.databasePath, 10)
    expect((await move()).code).toBe(0)
    // Its last table waits until the gateway is there.
    const client = new SQL({ url, max: 1 })
    const { child, gateway } = await client.begin(async transaction => {
      await transaction.unsafe(`LOCK TABLE ${last} IN ACCESS EXCLUSIVE MODE`)
      const child = deployment.spawn(['database', 'move', '--to', back], { env: { DATABASE_URL: url } })
      await untilSaid(child, lastButOne)
      return { child, gateway: await openPostgresStore({ url, clock: systemClock, log: silentLogger }) }
    })
    const [stderr, code] = await Promise.all([child.stderr.text(), child.exited])
    await client.close()
    expectFailure({ code, stderr, stdout: '', isJson: false }, 'Gateways are running')
    const listed = await deployment.run(['workspace', 'list'], { env: { DATABASE_PATH: back } })
    expectRefusal(listed, 1, 'A move into this database is not complete')
    await gateway.close()
    expect((await moveBack()).code).toBe(0)
  })

  test('back to a file, a gateway that has come and gone meanwhile keeps the copy from being used', async () => {
    fill(deployment.databasePath, 10)
    expect((await move()).code).toBe(0)
    // Its last table waits until the gateway has gone.
    const client = new SQL({ url, max: 1 })
    const child = await client.begin(async transaction => {
      await transaction.unsafe(`LOCK TABLE ${last} IN ACCESS EXCLUSIVE MODE`)
      const child = deployment.spawn(['database', 'move', '--to', back], { env: { DATABASE_URL: url } })
      await untilSaid(child, lastButOne)
      await (await openPostgresStore({ url, clock: systemClock, log: silentLogger })).close()
      return child
    })
    const [stderr, code] = await Promise.all([child.stderr.text(), child.exited])
    await client.close()
    expectFailure({ code, stderr, stdout: '', isJson: false }, 'A gateway was started')
    expectRefusal(
      await deployment.run(['workspace', 'list'], { env: { DATABASE_PATH: back } }),
      1,
      'A move into this database is not complete',
    )
  })

  test('a gateway goes on with what was moved', async () => {
    fill(deployment.databasePath, 10)
    expect((await move()).code).toBe(0)
    const store = await openPostgresStore({ url, clock: systemClock, log: silentLogger })
    const claimed = await store.write.claimWaiting({ after: null, limit: 100 })
    await store.close()
    expect(claimed.map(({ message }) => message.id).sort()).toEqual(
      Array.from({ length: 10 }, (_, at) => `msg_${at + 1}`).sort(),
    )
  })

  test('every table that both engines have is moved, with all columns that both have', async () => {
    fill(deployment.databasePath, 1)
    expect((await move()).code).toBe(0)
    const client = new Database(deployment.databasePath, { readonly: true })
    const ofFile = client
      .query<{ place: string }, []>(
        `SELECT t.name || '.' || c.name AS place FROM sqlite_master t, pragma_table_info(t.name) c
         WHERE t.type = 'table' AND t.name <> 'migrations' AND t.name NOT LIKE 'sqlite_%' ORDER BY 1`,
      )
      .all()
      .map(({ place }) => place)
    client.close()
    const moved = movedTables.flatMap(({ name, columns }) => columns.map(column => `${name}.${column.name}`)).sort()
    const own = ['messages.listed', 'workspaces.settings_generation']
    expect(moved).toEqual(ofFile.filter(place => !own.includes(place)))
    const ofServer = (await ask(
      "SELECT table_name || '.' || column_name AS place FROM information_schema.columns WHERE table_schema = 'public'",
    )) as { place: string }[]
    const running = /^(instances|leases|line_paces|channel_pauses|changes|migrations)\.|^[a-z_]+\.instance_seq$/
    const others = ofServer.map(({ place }) => place).filter(place => !running.test(place) && !own.includes(place))
    expect(others.sort()).toEqual(moved)
  })
})

describe('what waypost database move is given', () => {
  let deployment: Deployment
  beforeEach(() => {
    deployment = new Deployment()
  })
  afterEach(() => deployment.remove())

  test('a password on the command line is refused, and never repeated', async () => {
    const ended = await deployment.run(['database', 'move', '--to', 'postgres://user:hunter2@db.example/messages'])
    expectRefusal(ended, 2, '--to-file')
    expect(ended.stderr).not.toContain('hunter2')
  })

  test.each([
    [['database', 'move'], '--to'],
    [['database', 'move', '--to', 'mysql://db.example/messages'], 'postgres://'],
  ])('%p is wrong use', async (args, says) => {
    expectRefusal(await deployment.run(args), 2, says)
  })

  test('from a file to a file, backup and restore do it', async () => {
    await deployment.withStore(async () => {})
    const ended = await deployment.run(['database', 'move', '--to', deployment.path('other.db')])
    expectRefusal(ended, 1, 'waypost backup')
    expect(existsSync(deployment.path('other.db'))).toBe(false)
  })
})
