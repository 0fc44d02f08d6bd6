import type { Database } from 'bun:sqlite'
import { Unavailable } from '../../src/base/unavailable.ts'

/**
 * One read transaction for all reads of a turn of the event loop: a read inside one costs a quarter of a read that
 * opens its own. It never outlives the turn, so that a key that was revoked stops at the next request. It ends before
 * the answer to a write is handed out, so that the caller of a write reads it afterwards.
 */
export class Snapshot {
  readonly #begin
  readonly #end
  readonly #onEnd: (() => void)[] = []
  #isOpen = false
  #isClosed = false

  constructor(client: Database) {
    this.#begin = client.query('BEGIN')
    this.#end = client.query('COMMIT')
  }

  /** Every read of the turn sees the same state, that of the first. @returns false after the close */
  open(): boolean {
    if (this.#isClosed) return false
    if (this.#isOpen) return true
    this.#begin.run()
    this.#isOpen = true
    setImmediate(() => this.end())
    return true
  }

  /** Called whenever the snapshot may be out of date. */
  onEnd(forget: () => void): void {
    this.#onEnd.push(forget)
  }

  /** The next read sees later writes. */
  end(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#end.run()
    for (const forget of this.#onEnd) forget()
  }

  /** The connection is about to be closed. */
  close(): void {
    this.end()
    this.#isClosed = true
  }
}

/** A search takes a turn for each of its steps: at a stop, some may be left. */
const refused = () => Promise.reject(new Unavailable('the database is closed'))

/**
 * @param answers `keep` them for the turn where many requests ask the same: under load, the same key, template and
 * line. Elsewhere not, because keeping an answer costs a third of reading it.
 * @returns the same verbs, each of which reads from the turn's snapshot; after its close they reject with Unavailable
 */
export function readingFrom<Verbs extends object>(snapshot: Snapshot, verbs: Verbs, answers?: 'keep'): Verbs {
  const once = (read: (query: unknown) => unknown) => (query: unknown) => (snapshot.open() ? read(query) : refused())
  const keeping = (read: (query: unknown) => unknown) => {
    const found = new Map<string, unknown>()
    snapshot.onEnd(() => found.clear())
    return (query: unknown) => {
      if (!snapshot.open()) return refused()
      const key = keyOf(query)
      const known = found.get(key)
      if (known !== undefined) return known
      const row = read(query)
      found.set(key, row)
      return row
    }
  }
  const reading = answers === 'keep' ? keeping : once
  // Wrapping keeps every verb's own type.
  return Object.fromEntries(Object.entries(verbs).map(([name, read]) => [name, reading(read)])) as Verbs
}

/** A verb's argument is an id, or an object of ids and plain values. */
const keyOf = (query: unknown) => (typeof query === 'string' ? query : JSON.stringify(query))
