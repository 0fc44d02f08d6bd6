import { constants, type Database } from 'bun:sqlite'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { gatewayBusyMs } from './busy.ts'
import { ClosingDatabase } from './database.ts'

export type Connection = {
  readonly client: Database
  readonly db: ReturnType<typeof drizzle<Record<string, never>, Database>>
}

/** Readers of a gateway never wait for a writer under WAL; this covers the moments of a checkpoint or a recovery. */
const readerBusyMs = 250
/**
 * Negative: kibibytes. Holds the inner pages of the indexes of some million messages, and what a callback of a thousand
 * statuses changes; everything else that the writer needs is in the system's page cache.
 */
const writerCacheKib = -8_000
/**
 * Half of SQLite's own. What a send changes is a few rows in a dozen places, and the log takes a page for each: a
 * single send writes 19 kB, and 37 kB with pages of 4 KiB. For new files; an existing one keeps its own.
 */
const pageBytes = 2_048
/**
 * Negative: kibibytes. The system keeps the file's pages in memory; a cache of our own is dropped at each commit of the
 * writer. The file is not mapped into memory either: a page that the disk cannot give would end the process instead of
 * one request. Without the map, reading one of a million messages takes a quarter longer.
 */
const readerCacheKib = -2_000
/** The WAL is truncated to this after a checkpoint, so that a burst does not keep its disk space. */
const journalBytesMax = 67_108_864

/**
 * Opens the database file for the writer, creating it if absent. `busy_timeout` comes first: the later pragmas already
 * need the lock.
 * @param busyMs how long it waits for others that write
 */
export function openForWriting(path: string, busyMs = gatewayBusyMs): Connection {
  const client = new ClosingDatabase(path, { create: true, readwrite: true, strict: true })
  waitFor(client, busyMs)
  client.run(`PRAGMA page_size = ${pageBytes}`)
  client.run('PRAGMA journal_mode = WAL')
  // What is answered is on disk: FULL syncs the WAL at each commit. Group commit makes that affordable.
  client.run('PRAGMA synchronous = FULL')
  client.run('PRAGMA foreign_keys = ON')
  client.run('PRAGMA temp_store = MEMORY')
  client.run(`PRAGMA cache_size = ${writerCacheKib}`)
  client.run(`PRAGMA journal_size_limit = ${journalBytesMax}`)
  client.run('PRAGMA trusted_schema = OFF')
  // The log and its index stay beside the file after the close: on a full disk they could not be made again to read it.
  client.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1)
  return { client, db: drizzle(client) }
}

export const waitFor = (client: Database, busyMs: number): void => void client.run(`PRAGMA busy_timeout = ${busyMs}`)

/** Opens the file for reading only. It must exist: the writer migrates it first. @param busyMs as above */
export function openForReading(path: string, busyMs = readerBusyMs): Connection {
  const client = new ClosingDatabase(path, { readonly: true, strict: true })
  waitFor(client, busyMs)
  client.run('PRAGMA temp_store = MEMORY')
  client.run(`PRAGMA cache_size = ${readerCacheKib}`)
  client.run('PRAGMA trusted_schema = OFF')
  client.run('PRAGMA query_only = ON')
  return { client, db: drizzle(client) }
}

/**
 * Checkpoints the log into the database file. An empty log may stay beside it; while others still read or write, a full
 * one stays, and the last of them checkpoints it.
 */
export function closeWriter({ client }: Connection): void {
  try {
    // A checkpoint that waits for a reader, such as a backup, blocks all writers: a command would block the gateway.
    client.run('PRAGMA busy_timeout = 0')
    client.run('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    // On a full disk the log stays beside the file, and the next start checkpoints it.
    client.close()
  }
}
