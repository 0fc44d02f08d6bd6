import type { SQLQueryBindings } from 'bun:sqlite'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoreReads } from '../../db/contract/store.ts'
import type { Uncounted } from '../../db/rules/engine.ts'
import { migrate } from '../../db/sqlite/migrate.ts'
import { type Connection, openForReading, openForWriting, waitFor } from '../../db/sqlite/open.ts'
import { sendReads } from '../../db/sqlite/sendReads.ts'
import { storeReads } from '../../db/sqlite/store.ts'
import { readingUncounted } from '../../db/sqlite/uncounted.ts'
import { storeWrites, type Writes } from '../../db/sqlite/writes.ts'
import { begin } from './world.ts'

/** A file in memory, where the system has such: several connections share it, as those of a gateway do. */
const memory = '/dev/shm'

/** The rows of a table, and the statement that puts one there. */
interface Kept {
  readonly put: string
  readonly rows: readonly SQLQueryBindings[][]
}

interface Reads {
  readonly reader: Connection
  readonly send: ReturnType<typeof sendReads>
  readonly store: ReturnType<typeof storeReads>
}

/** Drizzle prepares a statement that is built anew each time, which takes longer than to run it. */
function remembering(connection: Connection): Connection {
  const { client } = connection
  const prepare = client.prepare.bind(client)
  const known = new Map<string, ReturnType<typeof prepare>>()
  client.prepare = ((sql: string) => {
    const statement = known.get(sql) ?? prepare(sql)
    known.set(sql, statement)
    return statement
  }) as typeof client.prepare
  return connection
}

/** SQLite's own bound. */
const pagesMax = 4_294_967_294

interface Opened {
  readonly connection: Connection
  readonly writes: Writes
}

interface Command extends Opened {
  readonly reads: Omit<StoreReads, 'sendingKey'>
}

/**
 * The database file of histories. It is made once: opening connections and preparing statements takes longer than a
 * history. Between two histories all rows are deleted by another connection, and this makes the writer forget all that
 * it remembers, as a new one does.
 */
export class HistoryDatabase {
  readonly #folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'waypost-simulation-'))
  readonly path = join(this.#folder, 'waypost.db')
  /** Of the files that a gateway keeps. They outlive it, and a restore leaves them as they are. */
  readonly filesFolder = join(this.#folder, 'files')
  /** Of the gateway: one at a time, as the lock of the file has it. */
  #writer: Opened | null = null
  /** Of commands that run beside it. */
  readonly command: Command
  /** What it deletes, the two others did not write. */
  readonly #cleaner: Connection
  readonly #tables: readonly string[]
  #reads: Reads | null = null
  /** What histories begin with, by what is asked for. */
  readonly #seeds = new Map<string, readonly Kept[]>()
  #isHeld = false
  #hasBackup = false

  constructor() {
    const connection = this.#open()
    migrate(connection.client, begin)
    const reads = { ...sendReads(connection), ...storeReads(connection) }
    this.command = { connection, reads, writes: storeWrites(connection) }
    this.#cleaner = this.#open()
    this.#cleaner.client.run('PRAGMA foreign_keys = OFF')
    this.#tables = this.#cleaner.client
      .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'migrations'")
      .all()
      .map(({ name }) => name)
  }

  #open(): Connection {
    const connection = openForWriting(this.path)
    connection.client.run('PRAGMA synchronous = OFF')
    // A wait would stop the only thread. Who has to wait is put off by the history.
    waitFor(connection.client, 0)
    return remembering(connection)
  }

  /** What a gateway reads by: statements without any memory of their own, so that processes may share them. */
  get reads(): Reads {
    if (!this.#reads) {
      const reader = remembering(openForReading(this.path))
      this.#reads = { reader, send: sendReads(reader), store: storeReads(reader) }
    }
    return this.#reads
  }

  #closeReads(): void {
    this.#reads?.reader.client.close()
    this.#reads = null
  }

  /** The writer of a gateway that starts. @param isFresh nothing of an earlier one is used again */
  writer(isFresh: boolean): Writes {
    if (isFresh) {
      this.#closeWriter()
      this.#closeReads()
    }
    if (!this.#writer) {
      const connection = this.#open()
      this.#writer = { connection, writes: storeWrites(connection) }
    }
    return this.#writer.writes
  }

  #closeWriter(): void {
    this.#writer?.connection.client.close()
    this.#writer = null
  }

  /** A command holds the lock of the file. */
  hold(): boolean {
    if (this.#isHeld) return false
    this.command.connection.client.run('BEGIN IMMEDIATE')
    this.#isHeld = true
    return true
  }

  release(): void {
    if (!this.#isHeld) return
    this.command.connection.client.run('COMMIT')
    this.#isHeld = false
  }

  /** The file takes no further page: what needs one fails, and what does not goes on. */
  fill(): void {
    const client = this.#writer?.connection.client
    const pages = client?.query<{ page_count: number }, []>('PRAGMA page_count').get()?.page_count ?? 0
    client?.run(`PRAGMA max_page_count = ${pages}`)
  }

  makeRoom(): void {
    this.#writer?.connection.client.run(`PRAGMA max_page_count = ${pagesMax}`)
  }

  get isHeld(): boolean {
    return this.#isHeld
  }

  /** Keeps all rows as they are now, in place of those that were kept before. */
  backUp(): void {
    const { client } = this.#cleaner
    if (this.#hasBackup) client.run('DETACH backup')
    client.run("ATTACH ':memory:' AS backup")
    this.#hasBackup = true
    for (const name of this.#tables) client.run(`CREATE TABLE backup."${name}" AS SELECT * FROM main."${name}"`)
  }

  /** All rows are as they were kept. No gateway runs. */
  restore(): void {
    this.makeRoom()
    const { client } = this.#cleaner
    client.run('BEGIN IMMEDIATE')
    for (const name of this.#tables) {
      client.run(`DELETE FROM main."${name}"`)
      client.run(`INSERT INTO main."${name}" SELECT * FROM backup."${name}"`)
    }
    client.run('COMMIT')
  }

  /** No row is left, and whoever writes next has seen that another connection has written. */
  clear(): void {
    this.release()
    this.makeRoom()
    const { client } = this.#cleaner
    client.run('BEGIN IMMEDIATE')
    for (const name of this.#tables) client.query(`DELETE FROM "${name}"`).run()
    client.run('COMMIT')
    // A log that has grown makes each read slower.
    client.run('PRAGMA wal_checkpoint(PASSIVE)')
    rmSync(this.filesFolder, { recursive: true, force: true })
  }

  /**
   * What a history begins with. It is made once by the verbs of commands: copying its rows takes a tenth of that.
   * @param changes rows that are not the same in each, by statements with their values
   */
  begin(key: string, make: () => void, changes: readonly (readonly [string, readonly SQLQueryBindings[]])[]): void {
    const { client } = this.#cleaner
    const known = this.#seeds.get(key)
    if (!known) {
      make()
      this.#seeds.set(
        key,
        this.#tables.flatMap(name => {
          const rows = client.query<never, []>(`SELECT * FROM "${name}"`).values() as SQLQueryBindings[][]
          const slots = rows[0]?.map(() => '?').join() ?? ''
          return rows.length === 0 ? [] : [{ put: `INSERT INTO "${name}" VALUES (${slots})`, rows }]
        }),
      )
    }
    client.run('BEGIN IMMEDIATE')
    for (const { put, rows } of known ?? []) for (const row of rows) client.query(put).run(...row)
    for (const [sql, values] of changes) client.query(sql).run(...values)
    client.run('COMMIT')
  }

  rows<Row>(sql: string, ...values: (string | number | null)[]): Row[] {
    return this.command.connection.client.query<Row, (string | number | null)[]>(sql).all(...values)
  }

  /** What the newest messages add to the counts that are stored. */
  uncounted(): Uncounted {
    return readingUncounted(this.command.connection.client)()
  }

  close(): void {
    this.release()
    this.#closeWriter()
    this.#closeReads()
    this.command.connection.client.close()
    this.#cleaner.client.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
