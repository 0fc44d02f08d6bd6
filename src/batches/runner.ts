import { minuteMs } from '../base/durations.ts'
import { messageOf } from '../base/errors.ts'
import { FailureSpell } from '../base/failureSpell.ts'
import type { BatchReason } from '../message/batches.ts'
import { LineRooms } from './room.ts'
import { type BatchParts, BatchRun, type RunParts } from './run.ts'

/** A run that has failed, as without a database, begins anew at the next look. */
interface Running {
  readonly run: BatchRun
  readonly ended: Promise<void>
}

/** As with a message that waits for its time: what says "tomorrow" may be wrong days later. */
const lateReason = (lateMs: number): BatchReason => ({
  code: 'late',
  message:
    `Its time passed more than ${lateMs / minuteMs} minutes before the gateway was there to start it. ` +
    'Resume it if it is still to be sent.',
})

/**
 * Runs the batches, on the instance that leads. Two that both believe to lead do no harm: each item is one message,
 * whoever makes it.
 */
export class BatchRunner {
  readonly #parts: RunParts
  readonly #runs = new Map<string, Running>()
  readonly #failing = new FailureSpell()
  #isStopped = false

  constructor(parts: BatchParts) {
    this.#parts = { ...parts, rooms: new LineRooms(parts.outbox, parts.watch) }
  }

  /** Starts what is due, and runs what is to run. To be called again and again. */
  async look(): Promise<void> {
    if (this.#isStopped) return
    const { store, scheduleLateMs } = this.#parts
    const { read, write, shared, clock } = store
    if (shared !== null && !(await shared.leads())) return this.#stopRuns()
    const at = clock.now()
    await write.startDueBatches({ at, lateBefore: at - scheduleLateMs, lateReason: lateReason(scheduleLateMs) })
    for (const { id } of await read.runningBatches()) if (!this.#runs.has(id)) this.#begin(id)
  }

  #begin(id: string): void {
    if (this.#isStopped) return
    const run = new BatchRun(this.#parts, id)
    const { log } = this.#parts
    const ended = run
      .run()
      .then(
        () => this.#failing.worked(failures => log.info({ failures }, 'batches run again')),
        error =>
          this.#failing.failed(() => log.error({ cause: messageOf(error), batchId: id }, 'a batch stopped; retrying')),
      )
      .finally(() => this.#runs.delete(id))
    this.#runs.set(id, { run, ended })
  }

  #stopRuns(): void {
    for (const { run } of this.#runs.values()) run.stop()
  }

  /** Resolves once nothing of it is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#stopRuns()
    await Promise.all([...this.#runs.values()].map(({ ended }) => ended))
  }
}
