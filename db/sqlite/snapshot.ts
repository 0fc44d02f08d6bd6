import type { Database } from 'bun:sqlite'

/**
 * One read transaction for all reads of a turn of the event loop: a read inside one costs a quarter of a read that opens
 * its own. It never outlives the turn, and ends before the answer to a write is handed out, so that whoever was told of
 * a write reads it.
 */
export class Snapshot {
  readonly #begin
  readonly #end
  #isOpen = false

  constructor(client: Database) {
    this.#begin = client.query('BEGIN')
    this.#end = client.query('COMMIT')
  }

  /** Every read of the turn sees the same state, that of the first. */
  open(): void {
    if (this.#isOpen) return
    this.#begin.run()
    this.#isOpen = true
    setImmediate(() => this.end())
  }

  /** The next read sees what has been written since. */
  end(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#end.run()
  }
}

/** @returns the same verbs, each of which reads from the turn's snapshot. */
export function readingFrom<Verbs extends object>(snapshot: Snapshot, verbs: Verbs): Verbs {
  const wrap = (read: (query: unknown) => unknown) => (query: unknown) => {
    snapshot.open()
    return read(query)
  }
  // Wrapping keeps every verb's own type.
  return Object.fromEntries(Object.entries(verbs).map(([name, read]) => [name, wrap(read)])) as Verbs
}
