import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Deployment } from './waypost.ts'

let deployment: Deployment
beforeEach(async () => {
  deployment = new Deployment()
  await deployment.json(['workspace', 'create', '--name', 'Acme'])
})
afterEach(() => deployment.remove())

interface Diagnosis {
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly message: string }[]
}

async function examine(name: string) {
  const { stdout } = await deployment.run(['doctor', '--offline', '--json'])
  return (JSON.parse(stdout) as Diagnosis).checks.find(check => check.name === name)
}

/** A file as Litestream leaves it, written so many seconds after the database. */
function litestreamHasRead(path: string, afterSeconds: number): void {
  const written = new Date('2026-01-31T04:00:00Z')
  for (const suffix of ['', '-wal']) {
    const file = deployment.databasePath + suffix
    writeFileSync(file, '', { flag: 'a' })
    utimesSync(file, written, written)
  }
  const file = join(deployment.dataDir, '.waypost.db-litestream', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '')
  const read = new Date(written.getTime() + afterSeconds * 1_000)
  utimesSync(file, read, read)
}

const ltx = 'ltx/0/0000000000000001-0000000000000001.ltx'
const wal = 'generations/36ff6efd73d55241/wal/00000000.wal'

test('without Litestream nothing is said of a replication', async () => {
  expect(await examine('replication')).toBeUndefined()
  expect(await examine('write-ahead log')).toMatchObject({ ok: true })
})

test.each([
  ['0.5 and later', ltx],
  ['0.3', wal],
])('Litestream that has read all that was written is up to date, in the layout of %s', async (_, path) => {
  litestreamHasRead(path, 1)
  expect(await examine('replication')).toMatchObject({ ok: true, message: expect.stringContaining('up to date') })
})

test('the youngest of its files counts, whichever folder it is in', async () => {
  litestreamHasRead('ltx/0/0000000000000002-0000000000000002.ltx', -3_600)
  litestreamHasRead('ltx/1/0000000000000001-0000000000000002.ltx', -20)
  expect(await examine('replication')).toMatchObject({
    ok: true,
    message: expect.stringContaining('20 seconds behind'),
  })
})

test.each([
  ['0.5 and later', ltx],
  ['0.3', wal],
])('Litestream that stopped reading is found, in the layout of %s, with for how long', async (_, path) => {
  litestreamHasRead(path, -600)
  expect(await examine('replication')).toMatchObject({
    ok: false,
    message: expect.stringMatching(/has read nothing for 10 minutes/),
  })
})

test('a log that has grown far beyond its usual size is found', async () => {
  // A file with a hole: SQLite finds no frame in it, and it takes no disk.
  writeFileSync(`${deployment.databasePath}-wal`, '')
  truncateSync(`${deployment.databasePath}-wal`, 600 * 1_048_576)
  expect(await examine('write-ahead log')).toMatchObject({ ok: false, message: expect.stringContaining('600 MB') })
})
