import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileMigration, markMigration } from '../../../db/sqlite/migrationMark.ts'
import { openStore } from '../../../db/sqlite/store.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { silentLogger } from '../../../src/telemetry/log.ts'
import { firstLine } from '../../cli/waypost.ts'
import { makeFolder, type TestFolder, t0 } from '../fixtures.ts'

let folder: TestFolder
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => folder.remove())

const running = { since: t0, from: '0.1.0', to: '0.2.0' }

test('a migration is known to others from its beginning to its end', () => {
  expect(fileMigration(folder.file)).toBeNull()
  const unmark = markMigration(folder.file, running)
  expect(fileMigration(folder.file)).toEqual(running)
  // Who looks leaves it as it is.
  expect(fileMigration(folder.file)).toEqual(running)
  unmark()
  expect(fileMigration(folder.file)).toBeNull()
  expect(readdirSync(folder.path).filter(name => name.includes('migrating'))).toEqual([])
})

test('a process that was killed has left nothing that says so, and the next one says it again', async () => {
  const source = resolve(import.meta.dir, '../../../db/sqlite/migrationMark.ts')
  const code = `const { markMigration } = await import(${JSON.stringify(source)})
    globalThis.unmark = markMigration(${JSON.stringify(folder.file)}, ${JSON.stringify(running)})
    console.log('marked')
    setInterval(() => {}, 1000)`
  const child = Bun.spawn([process.execPath, '-e', code], { stdout: 'pipe' })
  try {
    expect(await firstLine(child.stdout)).toBe('marked')
    expect(fileMigration(folder.file)).toEqual(running)
  } finally {
    child.kill('SIGKILL')
    await child.exited
  }
  expect(fileMigration(folder.file)).toBeNull()
  const unmark = markMigration(folder.file, { ...running, since: t0 + 1 })
  expect(fileMigration(folder.file)).toEqual({ ...running, since: t0 + 1 })
  unmark()
})

test('what a kill left before the mark had its name, or after the migration was done, is gone with the next start', async () => {
  const unmark = markMigration(folder.file, running)
  const [mark = ''] = readdirSync(folder.path).filter(name => name.includes('migrating'))
  unmark()
  for (const end of ['', '.part']) writeFileSync(`${folder.path}/${mark}${end}`, '')

  const options = { clock: systemClock, log: silentLogger, onWriterLost: () => {} }
  await (await openStore({ path: folder.file, ...options })).close()
  expect(readdirSync(folder.path).filter(name => name.includes('migrating'))).toEqual([])
})
