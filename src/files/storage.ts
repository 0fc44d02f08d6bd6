import type { Store } from '../../db/store.ts'
import type { Logger } from '../telemetry/log.ts'
import { type Clock, wait } from '../time/clock.ts'

/** From here on there is little time to make room. */
const warnedShare = 0.8
/** Rows that are added up in one step: reads of SQLite run on the thread that sends. */
const summedRows = 5_000
/** With all the room taken, each new file asks for room: the rows are not added up for each. */
const measuredMsMax = 60_000
/** Files that are dropped in one step, which shares its commit with sends. */
const droppedRows = 100

/** How much the stored files of all workspaces have, and that it does not become too much. */
export class Storage {
  readonly #parts: { readonly store: Pick<Store, 'read' | 'write'>; readonly clock: Clock; readonly log: Logger }
  readonly bytesMax: number
  #bytes: number | null = null
  #isWarned = false
  #measuredAt = Number.NEGATIVE_INFINITY
  #turn: Promise<void> = Promise.resolve()

  constructor(
    parts: { readonly store: Pick<Store, 'read' | 'write'>; readonly clock: Clock; readonly log: Logger },
    bytesMax: number,
  ) {
    this.#parts = parts
    this.bytesMax = bytesMax
  }

  /** Null before it is measured. Too much while erased files are not counted anew, never too little. */
  get bytes(): number | null {
    return this.#bytes
  }

  /** A file was stored: if there is too much, the oldest are dropped. */
  add(bytes: number): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#bytes === null) await this.#measure()
      else this.#bytes += bytes
      await this.#keepBound()
    })
  }

  /** Adds up what is stored. */
  measure(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#measure()
      await this.#keepBound()
    })
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => {})
    return done
  }

  async #measure(): Promise<void> {
    const { store, clock } = this.#parts
    let total = 0
    for (let after: string | null = ''; after !== null; ) {
      const startedAt = clock.steady()
      const step: { bytes: number; after: string | null } = await store.read.storedBytes({ after, limit: summedRows })
      total += step.bytes
      after = step.after
      // As the jobs have it: between two steps the thread is free for as long as the step took.
      const tookMs = clock.steady() - startedAt
      if (after !== null && tookMs > 0) await wait(clock, tookMs)
    }
    this.#bytes = total
    this.#measuredAt = clock.steady()
  }

  async #keepBound(): Promise<void> {
    const { store, clock, log } = this.#parts
    // Erased files may be counted: nothing is dropped for what was measured long ago.
    if (this.#excess > 0 && clock.steady() - this.#measuredAt > measuredMsMax) await this.#measure()
    while (this.#excess > 0) {
      const freed = await store.write.expireOldestFiles({ bytes: this.#excess, limit: droppedRows })
      if (freed === 0) break
      this.#bytes = (this.#bytes ?? 0) - freed
      log.info({ bytes: freed }, 'dropped the oldest files of users: MEDIA_STORAGE_MAX is reached')
    }
    const isMuch = this.bytesMax > 0 && (this.#bytes ?? 0) >= this.bytesMax * warnedShare
    if (isMuch && !this.#isWarned) {
      log.warn(
        { bytes: this.#bytes, max: this.bytesMax },
        'files of users take 80 % of MEDIA_STORAGE_MAX: beyond it the oldest are dropped before their time',
      )
    }
    this.#isWarned = isMuch
  }

  get #excess(): number {
    return (this.#bytes ?? 0) - this.bytesMax
  }
}
