import type { StoredBytes } from '../../../db/contract/files.ts'
import type { Store } from '../../../db/contract/store.ts'
import { type Clock, wait } from '../../base/clock.ts'
import { minuteMs } from '../../base/durations.ts'
import type { Logger } from '../../telemetry/log.ts'

/** From here on there is little time to make room. */
const warnedShare = 0.8
/** Rows that are added up in one step: reads of SQLite run on the thread that sends. */
const summedRows = 5_000
/** With all the room taken, each new file asks for room: the rows are not added up for each. */
const measuredMsMax = minuteMs
/** Files that are dropped in one step, which shares its commit with sends. */
const droppedRows = 100

/**
 * How much the stored files of each workspace have, and that all together do not become too much. Where they would, the
 * oldest go of the workspace that has the most: who has less than an equal share loses nothing to the others.
 */
export class StorageQuota {
  readonly #parts: { readonly store: Pick<Store, 'read' | 'write'>; readonly clock: Clock; readonly log: Logger }
  readonly bytesMax: number
  /** Of each workspace; null before it is measured. */
  #byWorkspace: Map<string, number> | null = null
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
    return this.#byWorkspace && sumOf(this.#byWorkspace)
  }

  /** A file was stored: if there is too much, the oldest of the largest workspace are dropped. */
  add(workspaceId: string, bytes: number): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#byWorkspace === null) await this.#measure()
      else count(this.#byWorkspace, workspaceId, bytes)
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
    const measured = new Map<string, number>()
    for (let after: string | null = ''; after !== null; ) {
      const startedAt = clock.steady()
      const step: StoredBytes = await store.read.storedBytes({ after, limit: summedRows })
      for (const { workspaceId, bytes } of step.workspaces) count(measured, workspaceId, bytes)
      after = step.after
      // As the jobs have it: between two steps the thread is free for as long as the step took.
      const tookMs = clock.steady() - startedAt
      if (after !== null && tookMs > 0) await wait(clock, tookMs)
    }
    this.#byWorkspace = measured
    this.#measuredAt = clock.steady()
  }

  async #keepBound(): Promise<void> {
    const { store, clock, log } = this.#parts
    // Erased files may be counted: nothing is dropped for what was measured long ago.
    if (this.#excess > 0 && clock.steady() - this.#measuredAt > measuredMsMax) await this.#measure()
    const counts = this.#byWorkspace ?? new Map<string, number>()
    const { bytesMax } = this
    while (this.#excess > 0) {
      const [largest, second] = [...counts].toSorted(([, one], [, other]) => other - one)
      if (!largest) break
      const [workspaceId, has] = largest
      // Until another one has the most, but at least one file.
      const bytes = Math.max(1, Math.min(this.#excess, has - (second?.[1] ?? 0)))
      const freed = await store.write.expireOldestFiles({ workspaceId, bytes, limit: droppedRows })
      // What was counted of it was erased meanwhile.
      count(counts, workspaceId, -(freed || has))
      if (freed > 0)
        log.info({ workspaceId, bytes: freed }, 'dropped the oldest files of users: MEDIA_STORAGE_MAX is reached')
    }
    const total = sumOf(counts)
    const isMuch = bytesMax > 0 && total >= bytesMax * warnedShare
    if (isMuch && !this.#isWarned) {
      log.warn(
        { bytes: total, max: bytesMax },
        'files of users take 80 % of MEDIA_STORAGE_MAX: beyond it the oldest are dropped before their time, those of ' +
          'the workspace with the most first',
      )
    }
    this.#isWarned = isMuch
  }

  get #excess(): number {
    return (this.bytes ?? 0) - this.bytesMax
  }
}

const sumOf = (counts: ReadonlyMap<string, number>) => counts.values().reduce((sum, bytes) => sum + bytes, 0)

function count(counts: Map<string, number>, workspaceId: string, difference: number): void {
  const bytes = (counts.get(workspaceId) ?? 0) + difference
  if (bytes > 0) counts.set(workspaceId, bytes)
  else counts.delete(workspaceId)
}
