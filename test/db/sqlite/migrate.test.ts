import type { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { MIGRATIONS } from '../../../db/migrations/list.ts'
import { SchemaMismatch } from '../../../db/migrations.ts'
import { migrate } from '../../../db/sqlite/migrate.ts'
import { openForWriting } from '../../../db/sqlite/open.ts'
import { makeFolder, type TestFolder, t0 } from '../fixtures.ts'
import { countedInbound, heardInbound, numberedInbound, olderInbound } from '../olderInbound.ts'
import { ceilings, olderLimits } from '../olderLimits.ts'

let folder: TestFolder
let client: Database

beforeEach(() => {
  folder = makeFolder()
  client = openForWriting(folder.file).client
})
afterEach(() => {
  client.close()
  folder.remove()
})

const tables = () =>
  client
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => name)

test('every file of the folder is in the list, in order, and nothing else is', async () => {
  const path = join(import.meta.dir, '../../../db/migrations')
  const files = readdirSync(path)
    .filter(name => name.endsWith('.sql'))
    .sort()
  expect(MIGRATIONS.map(({ name }) => `${name}.sql`)).toEqual(files)
  for (const { name, sql } of MIGRATIONS) expect(sql).toBe(await Bun.file(join(path, `${name}.sql`)).text())
})

describe('migrating', () => {
  test('an empty file gets every table, and each migration is noted with its hash and time', () => {
    migrate(client, t0)
    expect(tables()).toContain('messages')
    const noted = client.query('SELECT name, sha256, applied_at FROM migrations').all()
    expect(noted).toEqual(
      MIGRATIONS.map(({ name, sql }) => ({
        name,
        sha256: new Bun.CryptoHasher('sha256').update(sql).digest('hex'),
        applied_at: t0,
      })),
    )
  })

  test('an upgrade leaves from which version to which, when, and where the copy of before is; a new file has none', () => {
    const upgrade = () => client.query("SELECT value FROM properties WHERE name = 'upgrade'").values()[0]?.[0]
    migrate(client, t0, MIGRATIONS.slice(0, 20), { version: '0.1.0' })
    expect(upgrade()).toBeUndefined()
    migrate(client, t0 + 1, MIGRATIONS, { version: '0.2.0', beforeChange: () => '/data/copy.db' })
    const first = { from: '0.1.0', to: '0.2.0', at: t0 + 1, copy: '/data/copy.db' }
    expect(JSON.parse(String(upgrade()))).toEqual(first)
    migrate(client, t0 + 2, MIGRATIONS, { version: '0.2.0' })
    expect(JSON.parse(String(upgrade()))).toEqual(first)
    migrate(client, t0 + 3, MIGRATIONS, { version: '0.2.1' })
    expect(JSON.parse(String(upgrade()))).toEqual({ from: '0.2.0', to: '0.2.1', at: t0 + 3, copy: null })
  })

  test('what users sent is numbered as it came, but for what is of another workspace, and is all read', () => {
    migrate(client, t0, MIGRATIONS.slice(0, 2))
    client.run(olderInbound)
    migrate(client, t0)
    const numbered = client.query('SELECT channel_message_id, workspace_id, seq FROM inbound_messages ORDER BY 1')
    expect(numbered.values()).toEqual(numberedInbound)
    expect(client.query('SELECT workspace_id, last FROM event_counters ORDER BY 1').values()).toEqual(countedInbound)
    expect(client.query('SELECT id, heard_seq, read_seq FROM contacts ORDER BY 1').values()).toEqual(heardInbound)
  })

  test('a limit that no owner has set was the operator’s', () => {
    migrate(
      client,
      t0,
      MIGRATIONS.filter(({ name }) => name < '0015_monthly_ceilings'),
    )
    client.run(olderLimits)
    migrate(client, t0)
    expect(client.query('SELECT id, monthly_ceiling FROM workspaces ORDER BY 1').values()).toEqual(ceilings)
  })

  test('the statistics are those of the rows when a migration runs, however old they were', () => {
    migrate(client, t0, MIGRATIONS.slice(0, 1))
    client.run("INSERT INTO daily_counts SELECT 'ws_1', 'first', 'sent', 1")
    client.run('ANALYZE')
    client.run(`WITH RECURSIVE days (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM days WHERE value < 999)
      INSERT INTO daily_counts SELECT 'ws_1', value, 'sent', 1 FROM days`)
    const probe = {
      name: '0001_probe',
      sql: "CREATE TABLE seen AS SELECT stat FROM sqlite_stat1 WHERE tbl = 'daily_counts'",
    }
    migrate(client, t0, [...MIGRATIONS.slice(0, 1), probe])
    expect(client.query('SELECT stat FROM seen').values()).toEqual([['1000 1000 1 1']])
  })

  test('says which migration runs, and nothing of a new file', () => {
    const steps: string[] = []
    const onStep = (step: string) => steps.push(step)
    migrate(client, t0, MIGRATIONS.slice(0, 1), { onStep })
    migrate(client, t0, MIGRATIONS.slice(0, 3), { onStep })
    migrate(client, t0, MIGRATIONS.slice(0, 3), { onStep })
    expect(steps).toEqual(['gathering statistics', '0001_lists_by_workspace (1 of 2)', '0002_events (2 of 2)'])
  })

  test('a second start changes nothing', () => {
    migrate(client, t0)
    const before = client.query('SELECT * FROM migrations').all()
    migrate(client, t0 + 1)
    expect(client.query('SELECT * FROM migrations').all()).toEqual(before)
  })

  test('an older file gets what it lacks and keeps what it has', () => {
    const later = { name: '0001_later', sql: "CREATE TABLE later (a TEXT) STRICT; INSERT INTO later VALUES ('x');" }
    migrate(client, t0)
    client.run("INSERT INTO workspaces (id, name, created_at) VALUES ('ws_1', 'Acme', 1)")
    migrate(client, t0 + 1, [...MIGRATIONS, later])
    expect(client.query('SELECT a FROM later').values()).toEqual([['x']])
    expect(client.query('SELECT id FROM workspaces').values()).toEqual([['ws_1']])
  })

  test('one that fails leaves nothing of itself behind, and the next start tries it again', () => {
    const broken = { name: '0001_broken', sql: 'CREATE TABLE half (a TEXT) STRICT; CREATE TABLE half (a TEXT);' }
    migrate(client, t0)
    expect(() => migrate(client, t0, [...MIGRATIONS, broken])).toThrow('already exists')
    expect(tables()).not.toContain('half')
    const repaired = { name: '0001_broken', sql: 'CREATE TABLE half (a TEXT) STRICT;' }
    migrate(client, t0, [...MIGRATIONS, repaired])
    expect(tables()).toContain('half')
  })

  test('of two processes that start on a new file, both end with the same schema', () => {
    const other = openForWriting(folder.file).client
    migrate(client, t0)
    migrate(other, t0 + 1)
    expect(other.query('SELECT count(*) FROM migrations').values()).toEqual([[MIGRATIONS.length]])
    other.close()
  })
})

describe('a file that this version cannot work with is refused', () => {
  test('written by a newer version: the sentence names the migration and what to do', () => {
    migrate(client, t0, [...MIGRATIONS, { name: '0009_future', sql: 'CREATE TABLE future (a TEXT) STRICT' }])
    const start = () => migrate(client, t0)
    expect(start).toThrow(SchemaMismatch)
    expect(start).toThrow(/newer Waypost.*0009_future.*restore a backup/s)
  })

  test('made by another build: a migration that was changed after it ran', () => {
    migrate(client, t0)
    const changed = MIGRATIONS.map(migration => ({ ...migration, sql: `${migration.sql}\n-- changed` }))
    const start = () => migrate(client, t0, changed)
    expect(start).toThrow(SchemaMismatch)
    expect(start).toThrow(MIGRATIONS[0]?.name)
    expect(start).toThrow(/Start the build that made it.*empty database/s)
  })

  test('and is left as it was', () => {
    migrate(client, t0, [...MIGRATIONS, { name: '0009_future', sql: 'CREATE TABLE future (a TEXT) STRICT' }])
    const before = client.query('SELECT name, sql FROM sqlite_schema').all()
    const later = { name: '0001_later', sql: 'CREATE TABLE later (a TEXT) STRICT' }
    expect(() => migrate(client, t0, [...MIGRATIONS, later])).toThrow(SchemaMismatch)
    expect(client.query('SELECT name, sql FROM sqlite_schema').all()).toEqual(before)
  })
})
