import { Histogram, type Measures } from '../../src/telemetry/metrics.ts'

/** In seconds: from the sync of a fast disk to one that delays every send. */
const syncBounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
/** Verbs that share a commit. */
const batchBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024]

/** Measures each commit. */
export class CommitMeter {
  readonly #sync = new Histogram(syncBounds)
  readonly #batch = new Histogram(batchBounds)

  committed(verbs: number, ms: number): void {
    this.#batch.observe(verbs)
    this.#sync.observe(ms / 1_000)
  }

  read(): Measures {
    return { commitSync: this.#sync.read(), commitBatch: this.#batch.read() }
  }
}
