import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { migrate } from '../../../db/sqlite/migrate.ts'
import { closeWriter, openForWriting } from '../../../db/sqlite/open.ts'
import { makeFolder, openDatabase, t0 } from '../fixtures.ts'
import { filling } from '../manyRows.ts'

const someMessages = 'SELECT seq FROM messages WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY id'

/** @returns how a connection runs the statement; an EXPLAIN that is kept would lock the file */
function planOn(client: Database): string {
  const statement = client.prepare<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${someMessages}`)
  const steps = statement.all().map(({ detail }) => detail)
  statement.finalize()
  return steps.join('; ')
}

test('a file is planned for as an empty one, whatever statistics somebody has left in it', () => {
  const folder = makeFolder()
  const before = openForWriting(folder.file)
  migrate(before.client, t0)
  const expected = planOn(before.client)
  before.client.run('PRAGMA foreign_keys = OFF')
  for (const statement of filling("x'00'", { rowsMax: 40 })) before.client.run(statement)
  before.client.run('ANALYZE')
  expect(planOn(before.client)).toStartWith('SCAN messages')
  closeWriter(before)

  const { client } = openForWriting(folder.file)
  migrate(client, t0)
  const beside = new Database(folder.file, { readonly: true })
  expect([planOn(client), planOn(beside)]).toEqual([expected, expected])
  expect(expected).toStartWith('SEARCH messages USING INTEGER PRIMARY KEY')
  beside.close()
  client.close()
  folder.remove()
})

test('the writer leaves none behind', async () => {
  const db = openDatabase()
  const { client } = db.writer
  for (const statement of filling("x'00'", { rowsMax: 40 }).slice(0, 4)) client.run(statement)
  await db.read.workspaces()
  const beside = new Database(db.folder.file, { readonly: true })
  db.reader.client.close()
  closeWriter(db.writer)
  expect(beside.query("SELECT name FROM sqlite_schema WHERE name LIKE 'sqlite_stat%'").all()).toEqual([])
  beside.close()
  db.folder.remove()
})
