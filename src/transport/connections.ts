import type { Clock, EpochMs, SteadyMs } from '../base/clock.ts'
import { Connection, idleMarginMs, idleMsMax } from './connection.ts'
import type { FarEnd } from './socket.ts'

/**
 * Idle connections kept per origin. Connections in use have no limit. With an upstream that takes 300 ms, a thousand
 * are in use at 3,000 sends a second, and their answers come in waves: what is closed between two waves is opened
 * again.
 */
export const idleConnectionsMax = 1_024

interface Idle {
  readonly connection: Connection
  readonly untilSteady: SteadyMs
  readonly untilWall: EpochMs
}

/** The connections to one origin. */
export class Connections {
  readonly #farEnd: FarEnd
  readonly #clock: Clock
  /** The one used last is used first, so that the extra ones of a burst can expire. */
  #idle: Idle[] = []

  constructor(farEnd: FarEnd, clock: Clock) {
    this.#farEnd = farEnd
    this.#clock = clock
  }

  get hasIdle(): boolean {
    return this.#idle.length > 0
  }

  /** @returns a connection for one request */
  take(): Connection {
    this.#dropStale()
    for (let last = this.#idle.pop(); last; last = this.#idle.pop()) if (last.connection.isOpen) return last.connection
    const connection = new Connection(this.#farEnd, () => this.#drop(connection))
    return connection
  }

  /**
   * Takes a connection back whose answer was read.
   * @param keptMs the keep-alive timeout of the far end
   */
  giveBack(connection: Connection, keptMs: number) {
    if (this.#idle.length >= idleConnectionsMax)
      return connection.destroy(new Error('there are enough idle connections'))
    const idleMs = Math.min(idleMsMax, keptMs - idleMarginMs)
    const untilSteady = this.#clock.steady() + idleMs
    this.#idle.push({ connection, untilSteady, untilWall: this.#clock.now() + idleMs })
  }

  close(): void {
    for (const { connection } of this.#idle.splice(0)) connection.destroy(new Error('the transport is closed'))
  }

  #drop(connection: Connection): void {
    this.#idle = this.#idle.filter(idle => idle.connection !== connection)
  }

  /** Undici's own timer closes idle connections. The one that would be used next is also judged by the clock. */
  #dropStale(): void {
    const next = this.#idle.at(-1)
    // By both clocks: wall time may be set back, and steady time stops while the machine is suspended.
    if (next && (this.#clock.steady() >= next.untilSteady || this.#clock.now() >= next.untilWall)) this.close()
  }
}
