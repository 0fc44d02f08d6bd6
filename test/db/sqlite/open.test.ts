import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { copyFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { detachDatabase } from '../../../db/sqlite/backup.ts'
import { closeWriter, openForReading, openForWriting } from '../../../db/sqlite/open.ts'
import { ManualClock } from '../../clock.ts'
import { openFile } from '../../openFile.ts'
import { replaceWorkers, ScriptedWorker } from '../../threads/workers.ts'
import { makeFolder, openDatabase, seed, type TestDatabase, type TestFolder } from '../fixtures.ts'

describe('the writer', () => {
  let db: TestDatabase
  beforeEach(() => {
    db = openDatabase()
  })
  afterEach(() => db.close())

  const pragma = (name: string) => db.writer.client.query(`PRAGMA ${name}`).values()[0]?.[0]

  test('syncs at each commit, keeps foreign keys, and waits for a tool that writes beside it', () => {
    expect(pragma('journal_mode')).toBe('wal')
    // Of another connection: that of the test does not sync.
    const own = openForWriting(db.folder.file)
    expect(own.client.query('PRAGMA synchronous').values()).toEqual([[2]])
    own.client.close()
    expect(pragma('foreign_keys')).toBe(1)
    expect(pragma('busy_timeout')).toBe(5_000)
    expect(pragma('trusted_schema')).toBe(0)
  })

  test('does not wait for a reader when it is closed: nobody else could write for as long', async () => {
    await seed(db)
    db.reader.client.run('BEGIN')
    db.reader.client.query('SELECT name FROM workspaces').all()
    const beside = openForWriting(db.folder.file)
    beside.client.run("UPDATE workspaces SET name = 'not yet in the file'")
    const { client } = beside
    const run = client.run.bind(client)
    /** How long each checkpoint may wait for the reader, in milliseconds. */
    const waits: unknown[] = []
    client.run = sql => {
      if (sql.includes('wal_checkpoint')) waits.push(client.query('PRAGMA busy_timeout').get())
      return run(sql)
    }
    closeWriter(beside)
    expect(waits).toEqual([{ timeout: 0 }])
    db.reader.client.run('COMMIT')
  })

  test('gives back the disk that a burst needed for the log', () => {
    expect(pragma('journal_size_limit')).toBe(67_108_864)
  })
})

describe('the reader', () => {
  let db: TestDatabase
  beforeEach(async () => {
    db = openDatabase()
    await seed(db)
  })
  afterEach(() => db.close())

  const attempts = [
    "UPDATE workspaces SET name = 'x'",
    "INSERT INTO properties VALUES ('a', 'b')",
    'DELETE FROM lines',
    'DROP TABLE messages',
    'CREATE TABLE x (a TEXT)',
    'PRAGMA user_version = 5',
  ]
  test.each(attempts)('cannot write: %s', statement => {
    expect(() => db.reader.client.run(statement)).toThrow(/readonly|read-only/i)
  })

  test('cannot talk itself into writing', () => {
    db.reader.client.run('PRAGMA query_only = OFF')
    expect(() => db.reader.client.run("UPDATE workspaces SET name = 'x'")).toThrow(/readonly/i)
  })

  test('sees at once what the writer has committed, in the file and in the log beside it', () => {
    const name = () => db.reader.client.query('SELECT name FROM workspaces').values()[0]?.[0]
    db.writer.client.run("UPDATE workspaces SET name = 'in the log'")
    expect(name()).toBe('in the log')
    db.writer.client.run('PRAGMA wal_checkpoint(TRUNCATE)')
    expect(name()).toBe('in the log')
    db.writer.client.run("UPDATE workspaces SET name = printf('%1000000s', 'longer than the file was')")
    db.writer.client.run('PRAGMA wal_checkpoint(TRUNCATE)')
    expect(String(name()).length).toBe(1_000_000)
  })

  test('does not make a file where there is none', () => {
    const path = join(db.folder.path, 'absent.db')
    expect(() => openForReading(path)).toThrow()
    expect(existsSync(path)).toBe(false)
  })
})

describe('opening the store', () => {
  let folder: TestFolder
  beforeEach(() => {
    folder = makeFolder()
  })
  afterEach(() => folder.remove())

  const open = (path: string) => openFile(path, new ManualClock())

  test('makes and migrates a new file; closed, that one file holds everything', async () => {
    const store = await open(folder.file)
    expect(await store.read.workspaces()).toEqual([])
    await store.write.createWorkspace({ id: 'ws_1', name: 'Acme', monthlyMessageLimit: null, createdAt: 1 })
    await store.close()
    const moved = join(folder.path, 'moved.db')
    copyFileSync(folder.file, moved)
    const again = await open(moved)
    expect(await again.read.workspaces()).toMatchObject([{ id: 'ws_1' }])
    await again.close()
  })

  test('closed, it holds the file no longer, not even until the garbage collector runs', async () => {
    const store = await open(folder.file)
    const { read, write } = store
    await write.createWorkspace({ id: 'ws_1', name: 'Acme', monthlyMessageLimit: null, createdAt: 1 })
    await write.setMonthlyLimit({ workspaceId: 'ws_1', limit: 7 })
    await Promise.all([read.workspaces(), read.contactById('contact_1'), read.message('msg_1'), read.property('name')])
    await store.close()
    expect(detachDatabase(folder.file)).toBe('detached')
  })

  test('an answered write is visible to the next read', async () => {
    const store = await open(folder.file)
    for (let count = 0; count < 50; count += 1) {
      const id = `ws_${count}`
      await store.write.createWorkspace({ id, name: 'Acme', monthlyMessageLimit: null, createdAt: 1 })
      expect(await store.read.workspace(id)).not.toBeNull()
    }
    await store.close()
  })

  test('and to one of the same turn, although others have read before it', async () => {
    const db = openDatabase()
    await seed(db)
    const workers = replaceWorkers(ScriptedWorker)
    try {
      const opening = open(db.folder.file)
      const [writer] = workers.spawned
      writer?.start(['setMonthlyLimit'])
      const store = await opening
      const written = store.write.setMonthlyLimit({ workspaceId: 'ws_1', limit: 7 })
      await new Promise<void>(resolve => setImmediate(resolve))
      const plan = () => store.read.plan({ workspaceId: 'ws_1', month: '2026-01' })
      const before = plan()
      await db.write('setMonthlyLimit', { workspaceId: 'ws_1', limit: 7 })
      const [call] = writer?.calls ?? []
      writer?.say({ kind: 'answers', answers: [{ id: call?.id ?? 0, ok: true, value: null }] })
      const after = written.then(plan)
      expect([(await before).limit, (await after).limit]).toEqual([null, 7])
      const closing = store.close()
      writer?.say({ kind: 'stopped' })
      await closing
    } finally {
      workers.restore()
      db.close()
    }
  })

  const unusable: readonly [name: string, prepare: (path: string) => string][] = [
    [
      'a file that is no database',
      path => {
        const file = join(path, 'notes.db')
        writeFileSync(file, 'Dear diary, '.repeat(1_000))
        return file
      },
    ],
    ['a folder', path => path],
    ['a file in a folder that does not exist', path => join(path, 'absent', 'waypost.db')],
  ]
  test.each(unusable)('%s is refused with a sentence that names the file', async (_, prepare) => {
    const path = prepare(folder.path)
    const refusal = await open(path).then(
      () => null,
      (error: unknown) => error,
    )
    expect(refusal).toBeInstanceOf(Error)
    expect(String(refusal)).toContain(path)
  })

  test('a file of a newer version is refused with the sentence of the migration', async () => {
    const db = openDatabase()
    db.writer.client.run("INSERT INTO migrations VALUES ('0009_future', 'x', 1)")
    expect(await open(db.folder.file).catch(String)).toContain('written by a newer Waypost')
    db.close()
  })
})
