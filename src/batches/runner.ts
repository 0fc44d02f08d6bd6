import { messageOf } from '../base/errors.ts'
import { FailureSpell } from '../base/failureSpell.ts'
import { LineRooms } from './room.ts'
import { type BatchParts, BatchRun, type RunParts } from './run.ts'

/** A run that has failed, as without a database, begins anew at the next look. */
interface Running {
  readonly run: BatchRun
  readonly ended: Promise<void>
}

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
    const { store } = this.#parts
    const { read, write, shared, clock } = store
    if (shared !== null && !(await shared.leads())) return this.#stopRuns()
    await write.startDueBatches({ at: clock.now() })
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
