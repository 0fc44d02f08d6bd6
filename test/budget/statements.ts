import { Database, type Statement } from 'bun:sqlite'

/** A statement as it ran, and the rows that it gave. */
export interface Ran {
  readonly sql: string
  readonly rows: number
}

const rowsOf = (result: unknown) => {
  if (Array.isArray(result)) return result.length
  // `run` tells of changes.
  return result === null || result === undefined || (typeof result === 'object' && 'changes' in result) ? 0 : 1
}

/**
 * Tells of every statement that runs in this thread from now on, on connections that are opened from now on.
 * @returns a function that ends it
 */
export function watchStatements(onRun: (ran: Ran) => void): () => void {
  const { prepare, query, run } = Database.prototype
  const watched = new WeakSet<Statement>()

  function watch(statement: Statement, sql: string): Statement {
    // `query` gives the same one again.
    if (watched.has(statement)) return statement
    watched.add(statement)
    for (const method of ['run', 'get', 'all', 'values'] as const) {
      const real = statement[method].bind(statement)
      const telling = (...values: Parameters<typeof real>) => {
        const result = real(...values)
        onRun({ sql, rows: rowsOf(result) })
        return result
      }
      Object.defineProperty(statement, method, { value: telling })
    }
    return statement
  }

  Object.assign(Database.prototype, {
    prepare(this: Database, ...args: Parameters<typeof prepare>) {
      return watch(prepare.apply(this, args), args[0])
    },
    query(this: Database, sql: string) {
      return watch(query.call(this, sql), sql)
    },
    run(this: Database, ...args: Parameters<typeof run>) {
      onRun({ sql: args[0], rows: 0 })
      return run.apply(this, args)
    },
  })
  return () => Object.assign(Database.prototype, { prepare, query, run })
}
