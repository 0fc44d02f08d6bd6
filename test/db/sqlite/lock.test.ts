import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { closeSync, openSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { copyDatabase, detachDatabase, inspectDatabase } from '../../../db/sqlite/backup.ts'
import { lockFile } from '../../../db/sqlite/fileLock.ts'
import { DatabaseLocked, lockDatabase } from '../../../db/sqlite/lock.ts'
import { keepMigrationCopy } from '../../../db/sqlite/migrationCopy.ts'
import { openStore } from '../../../db/sqlite/store.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { silentLogger } from '../../../src/telemetry/log.ts'
import { makeFolder, openDatabase, type TestFolder } from '../fixtures.ts'

let folder: TestFolder
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => folder.remove())

describe('one gateway per database', () => {
  test('a second one is refused with a sentence that names the file', () => {
    const release = lockDatabase(folder.file)
    expect(() => lockDatabase(folder.file)).toThrow(DatabaseLocked)
    expect(() => lockDatabase(folder.file)).toThrow(`running on ${folder.file}`)
    release()
  })

  test('given back it is free, as often as one likes', () => {
    for (let times = 0; times < 3; times += 1) lockDatabase(folder.file)()
  })

  test('it is held until it is given back, not until somebody forgets it', async () => {
    lockDatabase(folder.file)
    // Twice, with a turn between: what nothing refers to any more is gone then.
    Bun.gc(true)
    await new Promise(resolve => setImmediate(resolve))
    Bun.gc(true)
    expect(() => lockDatabase(folder.file)).toThrow(DatabaseLocked)
  })

  test('another name of the database is the same lock, also of one that does not exist yet', () => {
    const [name, nameOfName] = [`${folder.file}.name`, `${folder.file}.name2`]
    symlinkSync(folder.file, name)
    symlinkSync(basename(name), nameOfName)
    for (const first of [folder.file, nameOfName]) {
      const release = lockDatabase(first)
      for (const other of [folder.file, name, nameOfName]) expect(() => lockDatabase(other)).toThrow(DatabaseLocked)
      release()
      writeFileSync(folder.file, '')
    }
  })

  test('names that lead in a circle are refused with a sentence', () => {
    const [one, other] = [`${folder.file}.one`, `${folder.file}.other`]
    symlinkSync(one, other)
    symlinkSync(other, one)
    expect(() => lockDatabase(one)).toThrow(`The lock file ${one}.lock cannot be used`)
  })

  test('another database is another lock', () => {
    const releases = [lockDatabase(folder.file), lockDatabase(`${folder.file}2`)]
    for (const release of releases) release()
  })

  test('a lock whose process was killed holds nobody back: the file alone means nothing', async () => {
    const program = `
      const { lockDatabase } = await import(${JSON.stringify(`${import.meta.dir}/../../../db/sqlite/lock.ts`)})
      globalThis.release = lockDatabase(${JSON.stringify(folder.file)})
      console.log('held')
      setInterval(() => {}, 1_000)`
    const holder = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', stderr: 'inherit' })
    const reader = holder.stdout.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('held\n')
    expect(() => lockDatabase(folder.file)).toThrow(DatabaseLocked)
    holder.kill('SIGKILL')
    await holder.exited
    lockDatabase(folder.file)()
  })

  test('it is beside the database, so that commands which work on the file go on', async () => {
    const db = openDatabase()
    const release = lockDatabase(db.folder.file)
    await db.write('createWorkspace', { id: 'ws_1', name: 'Acme', monthlyMessageLimit: null, createdAt: 1 })
    expect(db.reader.client.query('SELECT id FROM workspaces').values()).toEqual([['ws_1']])
    release()
    db.close()
  })
})

/** As a gateway has it: with a thread that writes. */
const openAgain = (path: string) =>
  openStore({ path, mustTakeWrites: true, clock: systemClock, log: silentLogger, onWriterLost() {} })

/** What happens to the file in a process that holds it, one after another, beginning without a file. */
const life: readonly (readonly [event: string, happen: (file: string) => unknown])[] = [
  ['made', async file => (await openAgain(file)).close()],
  ['opened', async file => (await openAgain(file)).close()],
  ['copied for a backup', file => copyDatabase(file, `${file}.backup`)],
  ['inspected', file => inspectDatabase(file, 'full')],
  ['copied before a migration', file => keepMigrationCopy(file, `${file}.before-9.9.9`)],
  ['detached for a restore', file => detachDatabase(file)],
  ['opened without its log', async file => (await openAgain(file)).close()],
  ['read by another descriptor', file => closeSync(openSync(file, 'r'))],
]

test('the lock on the database file outlives whatever its process does with the file', async () => {
  const release = lockDatabase(folder.file, true)
  for (const [event, happen] of life) {
    await happen(folder.file)
    expect([event, lockFile(folder.file, false)]).toEqual([event, 'held'])
  }
  release()
  expect(lockFile(folder.file, false)).toBeFunction()
})
