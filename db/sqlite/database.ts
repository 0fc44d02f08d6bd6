import { Database, type SQLQueryBindings, type Statement } from 'bun:sqlite'

/**
 * A connection that is closed once `close` returns. SQLite keeps a connection, and with it the lock on the file, for as
 * long as one of its statements is there: Bun ends those that it keeps for `query`, which are 20, and leaves all others
 * to the garbage collector.
 */
export class ClosingDatabase extends Database {
  readonly #statements = new Set<WeakRef<Statement>>()
  readonly #collected = new FinalizationRegistry<WeakRef<Statement>>(statement => this.#statements.delete(statement))

  /** Also behind `query`. */
  override prepare<Row, Params extends SQLQueryBindings | SQLQueryBindings[]>(sql: string, params?: Params) {
    const statement = super.prepare<Row, Params>(sql, params)
    const reference = new WeakRef<Statement>(statement)
    this.#statements.add(reference)
    this.#collected.register(statement, reference)
    return statement
  }

  override close(): void {
    for (const statement of this.#statements) statement.deref()?.finalize()
    this.#statements.clear()
    try {
      super.close(true)
    } catch {
      // An unreachable statement that is not collected yet.
      Bun.gc(true)
      super.close()
    }
  }
}
