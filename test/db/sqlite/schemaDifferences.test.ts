import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { MIGRATIONS } from '../../../db/migrations/list.ts'
import { migrate } from '../../../db/sqlite/migrate.ts'
import { schemaDifferences } from '../../../db/sqlite/schemaDifferences.ts'
import { t0 } from '../fixtures.ts'

let client: Database
beforeEach(() => {
  client = new Database(':memory:', { strict: true })
})
afterEach(() => client.close())

const promote = (table: string) =>
  `CREATE TRIGGER promote AFTER UPDATE ON ${table} BEGIN UPDATE memberships SET role = 'owner'; END`

test.each(MIGRATIONS.map(({ name }, at) => [name, at + 1] as const))('nothing differs after %s', (_, count) => {
  migrate(client, t0, MIGRATIONS.slice(0, count))
  expect(schemaDifferences(client)).toBeNull()
  client.run('ANALYZE')
  client.run('CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)')
  client.run('CREATE TABLE _litestream_lock (id INTEGER)')
  expect(schemaDifferences(client)).toBeNull()
})

describe.each([
  ['the first migration', MIGRATIONS.slice(0, 1)],
  ['all migrations', MIGRATIONS],
])('a file with %s', (_, migrations) => {
  test.each<[what: string, sql: string, says: string]>([
    ['a trigger', promote('users'), 'the trigger "promote" on "users" is not of Waypost'],
    [
      'a trigger on a view',
      'CREATE VIEW v AS SELECT 1; CREATE TRIGGER t INSTEAD OF INSERT ON v BEGIN SELECT 1; END',
      'the trigger "t" on "v" is not of Waypost, the view "v" is not of Waypost',
    ],
    [
      'a trigger on a table of a tool',
      `CREATE TABLE _litestream_seq (id INTEGER); ${promote('_litestream_seq')}`,
      'the trigger "promote" on "_litestream_seq" is not of Waypost',
    ],
    [
      'a view in the name of a table of a tool',
      'CREATE VIEW _litestream_seq AS SELECT 1',
      'the view "_litestream_seq"',
    ],
    ['a table', 'CREATE TABLE notes (text TEXT)', 'the table "notes" is not of Waypost'],
    ['an index', 'CREATE INDEX extra ON users (name)', 'the index "extra" on "users" is not of Waypost'],
    ['a name that moves a cursor', 'CREATE TABLE "a\u001b[2J\u009b" (t TEXT)', 'the table "a\\u001b[2J\\u009b" is not'],
    ['another column', 'ALTER TABLE contacts ADD COLUMN notes TEXT', 'the table "contacts" is not as Waypost makes it'],
    ['an index that is gone', 'DROP INDEX users_email', 'the index "users_email" on "users" is missing'],
    [
      'more than can be named',
      Array.from({ length: 7 }, (_, n) => `CREATE TABLE t${n} (a TEXT);`).join(''),
      '"t4" is not of Waypost, and 2 more.',
    ],
  ])('%s is named', (_, sql, says) => {
    migrate(client, t0, migrations)
    client.run(sql)
    expect(schemaDifferences(client)).toContain(says)
  })
})
