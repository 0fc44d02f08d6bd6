import { Database, SQLiteError } from 'bun:sqlite'
import { readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { messageOf } from '../../src/errors.ts'
import { lockFile } from './fileLock.ts'

/** Keeps the holders from the garbage collector, which would close them and give their locks back. */
const held = new Set<Database>()

/** Another gateway holds this database. */
export class DatabaseLocked extends Error {
  override readonly name = 'DatabaseLocked'
}

/**
 * @returns the file that a path leads to, links followed: two names of one database are one database. It need not exist
 *   yet; its folder does.
 */
export function databaseFile(path: string): string {
  try {
    return realpathSync(path)
  } catch (cause) {
    // Links that lead in a circle, or into a folder that is closed to us, lead nowhere.
    if (!isMissing(cause)) throw cause
    const target = linkTarget(path)
    return target === null ? join(realpathSync(dirname(path)), basename(path)) : databaseFile(target)
  }
}

const isMissing = (cause: unknown) => cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'

/** @returns where a link leads whose target does not exist yet; null for what is no link */
function linkTarget(path: string): string | null {
  try {
    return resolve(dirname(path), readlinkSync(path))
  } catch {
    return null
  }
}

/** @returns where the lock of a database is. @param file the file itself, links followed */
export const lockPath = (file: string): string => `${file}.lock`

/**
 * Makes sure that one gateway at a time works on a database: two would each resume the same messages. Two locks of the
 * operating system, which end with the process however it ends; the files themselves mean nothing:
 *
 * - one on a small file beside the database. It also keeps two gateways of one process apart, and holds when there is no
 *   database file yet.
 * - one on the database file itself. It holds when somebody deletes the small file: a second gateway could then lock a new
 *   one.
 * @param isMade make the file if it is absent, as who goes on to open it does, so that it is locked from the beginning
 * @returns a function that gives both back, to be called when the database is closed again
 * @throws DatabaseLocked when another gateway holds one of them
 */
export function lockDatabase(path: string, isMade = false): () => void {
  const companion = lockCompanion(path)
  const lock = lockFile(databaseFile(path), isMade)
  if (lock === 'held') {
    companion.close()
    throw lockedBy(path)
  }
  held.add(companion)
  return () => {
    held.delete(companion)
    companion.close()
    // A file that cannot be locked is one that cannot be opened either, or the system has no such locks.
    if (lock !== 'unsupported') lock()
  }
}

const lockedBy = (path: string) =>
  new DatabaseLocked(`Another gateway is running on ${path}. Stop it first, or use another DATA_DIR.`)

function lockCompanion(path: string): Database {
  let file = lockPath(path)
  let companion: Database | undefined
  try {
    file = lockPath(databaseFile(path))
    companion = new Database(file, { create: true, readwrite: true, strict: true })
    companion.run('PRAGMA busy_timeout = 0')
    companion.run('BEGIN EXCLUSIVE')
    return companion
  } catch (cause) {
    companion?.close()
    if (cause instanceof SQLiteError && cause.code === 'SQLITE_BUSY') throw lockedBy(path)
    const why = messageOf(cause)
    throw new Error(`The lock file ${file} cannot be used: ${why}. Check its folder and its disk.`, { cause })
  }
}
