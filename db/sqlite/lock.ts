import { Database, SQLiteError } from 'bun:sqlite'

/** Keeps the holders from the garbage collector, which would close them and give their locks back. */
const held = new Set<Database>()

/** Another gateway holds this database. */
export class DatabaseLocked extends Error {
  override readonly name = 'DatabaseLocked'
}

/**
 * Makes sure that one gateway at a time works on a database: two would each resume the same messages. The lock is the
 * operating system's, held through a small file beside the database, so it ends with its process however that ends; the
 * file itself means nothing.
 * @returns a function that gives the lock back
 * @throws DatabaseLocked when another gateway holds it
 */
export function lockDatabase(path: string): () => void {
  const lockPath = `${path}.lock`
  let holder: Database | undefined
  try {
    holder = new Database(lockPath, { create: true, readwrite: true, strict: true })
    holder.run('PRAGMA busy_timeout = 0')
    holder.run('BEGIN EXCLUSIVE')
  } catch (cause) {
    holder?.close()
    if (cause instanceof SQLiteError && cause.code === 'SQLITE_BUSY') {
      throw new DatabaseLocked(`Another gateway is running on ${path}. Stop it first, or use another DATA_DIR.`)
    }
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The lock file ${lockPath} cannot be used: ${why}. Check its folder and its disk.`, { cause })
  }
  const holding = holder
  held.add(holding)
  return () => {
    held.delete(holding)
    holding.close()
  }
}
