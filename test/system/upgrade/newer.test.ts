import { Database } from 'bun:sqlite'
import { afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '../../executable.ts'
import { readFixtures, unpack } from '../../upgrade/fixture.ts'
import { serve } from '../rig/serving.ts'

let dataDir: string
beforeAll(ensureBuilt)
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'waypost-newer-'))
  mkdirSync(dataDir, { recursive: true })
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

test('the executable refuses the database of a newer version in clear words, and leaves it as it was', async () => {
  const fixture = readFixtures().at(-1)
  if (!fixture) throw new Error('there is no fixture')
  const file = join(dataDir, 'waypost.db')
  unpack(fixture, file)
  const client = new Database(file)
  client.run('CREATE TABLE future (a TEXT) STRICT')
  client.run("INSERT INTO migrations (name, sha256, applied_at) VALUES ('9999_future', 'x', 1)")
  client.close()
  const rows = () => {
    const reader = new Database(file, { readonly: true })
    const all = ['migrations', 'messages', 'future'].map(table => reader.query(`SELECT * FROM ${table}`).values())
    reader.close()
    return all
  }
  const before = rows()

  const serving = serve({ env: { DATA_DIR: dataDir, SECRET_KEY: fixture.secretKey } })
  expect(await serving.ready).toBeNull()
  expect(await serving.ended).toBe(1)

  const says = serving.stderr()
  expect(says).toContain('written by a newer Waypost (it has the migration 9999_future)')
  expect(says).toContain('Start that version, or restore a backup made by this one')
  expect(says).not.toContain('    at ')
  expect(rows()).toEqual(before)
})
