import type { Clock, EpochMs, SteadyMs } from '../clock.ts'
import { Connection, type ConnectionEvents, idleMsMax, type Peer } from './connection.ts'

/** Where the far end says how long it keeps an idle connection, it is dropped so much earlier. */
const idleMarginMs = 1_000
/** Idle connections kept per peer; bursts open more, which is cheap enough. */
const idleConnectionsMax = 512

/** The connections to one peer. Those in use have no limit: each send under way has its own. */
export class ConnectionPool implements ConnectionEvents {
  readonly #peer: Peer
  readonly #clock: Clock
  readonly #onEmpty: () => void
  readonly #open = new Set<Connection>()
  /** The one used last comes last and is used first, so that a burst's connections can age. */
  readonly #idle: { readonly connection: Connection; readonly until: SteadyMs; readonly untilWall: EpochMs }[] = []

  /** @param onEmpty called each time when its last connection has gone */
  constructor(peer: Peer, clock: Clock, onEmpty: () => void) {
    this.#peer = peer
    this.#clock = clock
    this.#onEmpty = onEmpty
  }

  /** @returns a connection without an exchange, idle or new */
  take(): Connection {
    const last = this.#idle.pop()
    // By both: a time that was set back must not keep it, and steady time stands still while the machine sleeps.
    if (last && this.#clock.steady() < last.until && this.#clock.now() < last.untilWall) return last.connection
    const connection = new Connection(this.#peer, this)
    this.#open.add(connection)
    // Only now: the pool must not be empty in between.
    last?.connection.end('idle for too long')
    return connection
  }

  /** Ends every connection and the exchanges on them. */
  close(why: string): void {
    for (const connection of [...this.#open]) connection.end(why)
  }

  onIdle(connection: Connection, keepMs: number): void {
    const idleMs = Math.min(idleMsMax, keepMs - idleMarginMs)
    if (idleMs <= 0 || this.#idle.length >= idleConnectionsMax) connection.end('not needed')
    else {
      const [until, untilWall] = [this.#clock.steady() + idleMs, this.#clock.now() + idleMs]
      this.#idle.push({ connection, until, untilWall })
    }
  }

  onClosed(connection: Connection): void {
    this.#open.delete(connection)
    const at = this.#idle.findIndex(idle => idle.connection === connection)
    if (at >= 0) this.#idle.splice(at, 1)
    if (this.#open.size === 0) this.#onEmpty()
  }
}
