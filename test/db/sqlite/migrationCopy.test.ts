import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MIGRATIONS } from '../../../db/migrations/list.ts'
import { migrate } from '../../../db/sqlite/migrate.ts'
import {
  keepMigrationCopy,
  migrationCopyPath,
  NotMigrated,
  removeHalfCopies,
} from '../../../db/sqlite/migrationCopy.ts'
import { openForWriting } from '../../../db/sqlite/open.ts'
import { openStore } from '../../../db/sqlite/store.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { silentLogger } from '../../../src/telemetry/log.ts'
import { canMount, mountSmallDisk } from '../../smallDisk.ts'
import { makeFolder, type TestFolder, t0 } from '../fixtures.ts'
import { laterName } from './laterWriter.ts'

let folder: TestFolder
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => folder.remove())

const later = { name: '0001_later', sql: 'CREATE TABLE later (a TEXT) STRICT' }
const copies = (path = folder.path) => readdirSync(path).filter(name => name.includes('.before-'))

/** A database of this version, with one workspace. */
function makeDatabase(file = folder.file) {
  const { client } = openForWriting(file)
  migrate(client, t0, MIGRATIONS, { version: '0.1.0' })
  client.run("INSERT INTO workspaces (id, name, created_at) VALUES ('ws_1', 'Acme', 1)")
  return client
}

const upgrade = (client: Database, at: number, extra = [later], file = folder.file) =>
  migrate(client, at, [...MIGRATIONS, ...extra], {
    version: '0.2.0',
    locked: () => removeHalfCopies(file),
    beforeChange({ from }) {
      const copy = migrationCopyPath(file, { from, to: '0.2.0' }, at)
      keepMigrationCopy(file, copy)
      return copy
    },
  })

function tablesOf(file: string): unknown[] {
  using client = new Database(file, { readonly: true })
  return client.query("SELECT name FROM sqlite_schema WHERE type = 'table'").values().flat()
}

describe('before a migration', () => {
  test('the database is copied as the former version left it, for its owner alone', () => {
    const client = makeDatabase()
    upgrade(client, t0)
    expect(copies()).toEqual(['waypost.db.before-0.2.0-from-0.1.0-20260101T000000Z'])
    const copy = join(folder.path, copies()[0] ?? '')
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    expect(tablesOf(copy)).not.toContain('later')
    const former = openForWriting(copy).client
    // The former version starts on it.
    migrate(former, t0)
    expect(former.query('SELECT name FROM workspaces').values()).toEqual([['Acme']])
    former.close()
    client.close()
  })

  test('a new database is not, and neither is one that is up to date', () => {
    const { client } = openForWriting(folder.file)
    upgrade(client, t0)
    upgrade(client, t0)
    expect(copies()).toEqual([])
    client.close()
  })

  test('the last three copies stay, by date and not by version', () => {
    const client = makeDatabase()
    for (const [at, version] of ['0.9.0', '0.10.0', '0.11.0', '0.12.0', '1.0.0'].entries()) {
      keepMigrationCopy(folder.file, migrationCopyPath(folder.file, { from: '0.1.0', to: version }, t0 + at * 1_000))
    }
    expect(copies().sort()).toEqual([
      'waypost.db.before-0.11.0-from-0.1.0-20260101T000002Z',
      'waypost.db.before-0.12.0-from-0.1.0-20260101T000003Z',
      'waypost.db.before-1.0.0-from-0.1.0-20260101T000004Z',
    ])
    client.close()
  })

  test('of an upgrade that was tried again and again, the last copy stays, beside those of others', () => {
    const client = makeDatabase()
    for (const [at, to] of ['0.2.0', '0.3.0', '0.3.0', '0.3.0', '0.3.0'].entries()) {
      keepMigrationCopy(folder.file, migrationCopyPath(folder.file, { from: '0.1.0', to }, t0 + at * 1_000))
    }
    expect(copies().sort()).toEqual([
      'waypost.db.before-0.2.0-from-0.1.0-20260101T000000Z',
      'waypost.db.before-0.3.0-from-0.1.0-20260101T000004Z',
    ])
    client.close()
  })

  test('a copy of a build that stored no version is named by its last migration', () => {
    const client = openForWriting(folder.file).client
    migrate(client, t0)
    upgrade(client, t0)
    expect(copies()).toEqual([`waypost.db.before-0.2.0-from-${MIGRATIONS.at(-1)?.name}-20260101T000000Z`])
    client.close()
  })

  test('what a process that was killed has left half is removed at the next start, and counts for nothing', () => {
    const client = makeDatabase()
    keepMigrationCopy(folder.file, migrationCopyPath(folder.file, { from: '0.1.0', to: '0.2.0' }, t0))
    const whole = copies()
    const half = `${folder.file}.before-0.3.0-from-0.2.0-20260101T000001Z`
    const journal = `${folder.file}.before-0.4.0-from-0.2.0-20260101T000001Z.part-journal`
    // The last two are as earlier builds left them.
    const left = [`${half}.part`, `${half}.part-journal`, journal, half, `${half}-journal`]
    for (const name of left) writeFileSync(name, '')
    upgrade(client, t0 + 9_000, [])
    expect(copies()).toEqual(whole)
    client.close()
  })

  test('nobody can write between the copy and the migration', () => {
    const client = makeDatabase()
    const other = new Database(folder.file)
    migrate(client, t0, [...MIGRATIONS, later], {
      beforeChange() {
        keepMigrationCopy(folder.file, `${folder.file}.before-0.2.0`)
        expect(() => other.run("INSERT INTO workspaces (id, name, created_at) VALUES ('ws_2', 'Late', 1)")).toThrow(
          /locked/,
        )
        return null
      },
    })
    other.close()
    client.close()
  })

  test.skipIf(!canMount)('without room for a copy nothing is changed, and the sentence says what to do', () => {
    const disk = mountSmallDisk()
    const file = join(disk.folder, 'waypost.db')
    const client = makeDatabase(file)
    try {
      const start = () => upgrade(client, t0, [later], file)
      expect(start).toThrow(NotMigrated)
      expect(start).toThrow(
        /has to be migrated.*needs \d+ MiB, and \d+ MiB are free.*Nothing was changed\. Make room in/,
      )
      expect(tablesOf(file)).not.toContain('later')
      expect(copies(disk.folder)).toEqual([])
    } finally {
      client.close()
      disk.remove()
    }
  })
})

describe('the writer thread', () => {
  const RealWorker = globalThis.Worker
  beforeEach(() => {
    // Called with `new`, a function that returns an object gives that object.
    globalThis.Worker = function spawn() {
      return new RealWorker(new URL('./laterWriter.ts', import.meta.url).href)
    } as unknown as typeof Worker
  })
  afterEach(() => {
    globalThis.Worker = RealWorker
  })
  const open = (copiesBeforeMigration?: boolean) =>
    openStore({
      path: folder.file,
      clock: systemClock,
      log: silentLogger,
      onWriterLost: () => {},
      ...(copiesBeforeMigration !== undefined && { copiesBeforeMigration }),
    })

  test('of a newer version copies the database before it migrates it', async () => {
    makeDatabase().close()
    const store = await open()
    expect(tablesOf(folder.file)).toContain(laterName)
    expect(copies()).toHaveLength(1)
    await store.close()
  })

  test('copies nothing when it is told that the file is a copy itself', async () => {
    makeDatabase().close()
    const store = await open(false)
    expect(tablesOf(folder.file)).toContain(laterName)
    expect(copies()).toEqual([])
    await store.close()
  })
})
