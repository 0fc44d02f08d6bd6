import { Database, SQLiteError } from 'bun:sqlite'
import { readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { messageOf } from '../../src/base/errors.ts'
import { lockFile } from './fileLock.ts'

/** Protects the open files from the garbage collector, which would close them and release their locks. */
const held = new Set<Database>()

/** Another gateway holds this database. */
export class DatabaseLocked extends Error {
  override readonly name = 'DatabaseLocked'
}

/**
 * @returns the file that a path leads to after following links: two names of one database are one database. The file
 *   need not exist yet; its folder must.
 */
export function databaseFile(path: string): string {
  try {
    return realpathSync(path)
  } catch (cause) {
    // Links in a circle, or into a folder that we cannot read, lead nowhere.
    if (!isMissing(cause)) throw cause
    const target = linkTarget(path)
    return target === null ? join(realpathSync(dirname(path)), basename(path)) : databaseFile(target)
  }
}

const isMissing = (cause: unknown) => cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'

/** @returns the target of a link, which need not exist yet; null when the path is no link */
function linkTarget(path: string): string | null {
  try {
    return resolve(dirname(path), readlinkSync(path))
  } catch {
    return null
  }
}

/** @returns the path of a database's lock file. @param file the database file after following links */
export const lockPath = (file: string): string => `${file}.lock`

/**
 * Makes sure that one gateway at a time works on a database: two would each send the same waiting messages. It takes
 * two locks of the operating system, which end at any end of the process. The existence of the files means nothing:
 *
 * - one on a small file next to the database. It also separates two gateways of one process, and works before there is
 *   a database file.
 * - one on the database file itself. It still works when the small file is deleted, after which a second gateway could
 *   lock a new small file.
 * @param isMade make the database file if it is absent, so that it is locked from the beginning
 * @returns a function that releases both. Call it after the database is closed
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
    // If the file cannot be locked, it cannot be opened either, or the system has no such locks.
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
