import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { RunningMigration } from '../migrations.ts'
import { lockFile } from './fileLock.ts'
import { databaseFile } from './lock.ts'

/** @returns the path of the mark. @param file the database file after following links */
const markPath = (file: string) => `${file}.migrating`

/** Of one name, so that it is found again. */
const draftPath = (mark: string) => `${mark}.part`

/** For who migrates alone: what it waits for is in no log of others. */
const markMode = 0o600

/**
 * Leaves a file beside the database that says to other processes that it is being migrated. The file counts only while
 * this process holds a lock on it, so what a process that was killed has left says nothing.
 * @returns a function that removes it. Without such a file, as on a full disk, the migration goes on
 */
export function markMigration(path: string, running: RunningMigration): () => void {
  const mark = markPath(databaseFile(path))
  const draft = draftPath(mark)
  try {
    writeFileSync(draft, JSON.stringify(running), { mode: markMode })
    // Before it has its name: who looks at it tries the same lock.
    const unlock = lockFile(draft, false)
    renameSync(draft, mark)
    return () => {
      rmSync(mark, { force: true })
      if (typeof unlock === 'function') unlock()
    }
  } catch {
    rmSync(draft, { force: true })
    return () => {}
  }
}

/** Removes what a process that was killed has left. Call it only while no other can be migrating. */
export function removeStaleMark(path: string): void {
  const mark = markPath(databaseFile(path))
  for (const name of [mark, draftPath(mark)]) rmSync(name, { force: true })
}

/** @returns the migration of the file that another process is running; null when none is */
export function fileMigration(path: string): RunningMigration | null {
  try {
    const mark = markPath(databaseFile(path))
    const running = JSON.parse(readFileSync(mark, 'utf8')) as RunningMigration
    const lock = lockFile(mark, false)
    if (typeof lock === 'function') lock()
    return lock === 'held' ? running : null
  } catch {
    // There is none, or it is not ours to read.
    return null
  }
}
