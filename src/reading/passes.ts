import type { Clock } from '../base/clock.ts'

/**
 * Calls of a workspace in a second that take no turn beside the sends of others: at a tenth of a millisecond each, the
 * fiftieth part of the thread.
 */
const passesMax = 200
const passesWindowMs = 1_000
/**
 * So many bytes of a body cost half a millisecond of the thread, several times what most sends cost: they have a
 * kilobyte or two.
 */
const bytesMax = 16_384

/**
 * Tells which calls go on without a turn, of sends and of those that are about what an id names alone. Most cost
 * little. But as many as one workspace asks for would have the thread for themselves, and so would large bodies. While
 * no other workspace sends, all pass.
 */
export class Passes {
  readonly #clock: Clock
  #beganAt = Number.NEGATIVE_INFINITY
  /** Calls of each workspace in this window. */
  #calls = new Map<string, number>()
  /** Workspaces that send in this window, and that did in the one before. */
  #sending = new Set<string>()
  #sent = new Set<string>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A workspace sends now. */
  sends(workspaceId: string): void {
    this.#turnWindow()
    this.#sending.add(workspaceId)
  }

  /** Counts a call that is no send. @returns whether it goes on without a turn */
  take(workspaceId: string): boolean {
    this.#turnWindow()
    const calls = (this.#calls.get(workspaceId) ?? 0) + 1
    this.#calls.set(workspaceId, calls)
    return calls <= passesMax || !this.#isBesideOthers(workspaceId)
  }

  /** @returns whether so many bytes of a body are worked off without a turn */
  hasRoom(workspaceId: string, bytes: number): boolean {
    this.#turnWindow()
    return bytes <= bytesMax || !this.#isBesideOthers(workspaceId)
  }

  #isBesideOthers(workspaceId: string): boolean {
    return [this.#sending, this.#sent].some(sends => sends.size > (sends.has(workspaceId) ? 1 : 0))
  }

  #turnWindow(): void {
    const now = this.#clock.steady()
    const passed = now - this.#beganAt
    if (passed < passesWindowMs) return
    this.#sent = passed < 2 * passesWindowMs ? this.#sending : new Set()
    this.#sending = new Set()
    this.#calls = new Map()
    this.#beganAt = now
  }
}
