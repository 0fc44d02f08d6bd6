import { Database, SQLiteError } from 'bun:sqlite'
import { readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { messageOf } from '../../src/errors.ts'

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
 * Makes sure that one gateway at a time works on a database: two would each resume the same messages. The lock is the
 * operating system's, held through a small file beside the database, so it ends with its process however that ends; the
 * file itself means nothing.
 * @returns a function that gives the lock back
 * @throws DatabaseLocked when another gateway holds it
 */
export function lockDatabase(path: string): () => void {
  let lockFile = lockPath(path)
  let holder: Database | undefined
  try {
    lockFile = lockPath(databaseFile(path))
    holder = new Database(lockFile, { create: true, readwrite: true, strict: true })
    holder.run('PRAGMA busy_timeout = 0')
    holder.run('BEGIN EXCLUSIVE')
  } catch (cause) {
    holder?.close()
    if (cause instanceof SQLiteError && cause.code === 'SQLITE_BUSY') {
      throw new DatabaseLocked(`Another gateway is running on ${path}. Stop it first, or use another DATA_DIR.`)
    }
    const why = messageOf(cause)
    throw new Error(`The lock file ${lockFile} cannot be used: ${why}. Check its folder and its disk.`, { cause })
  }
  const holding = holder
  held.add(holding)
  return () => {
    held.delete(holding)
    holding.close()
  }
}
