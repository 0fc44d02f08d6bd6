import type { Store } from '../../db/contract/store.ts'
import type { Clock } from '../base/clock.ts'
import { minuteMs } from '../base/durations.ts'
import { brokenPromiseProperty, type KeptBroken } from '../doctor/promiseCheck.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { type Broken, onBroken, promises } from '../telemetry/promises.ts'

/** Of one promise, a line in so long: what is tried again and again meets it each time. All of them are counted. */
const lineMs = minuteMs

interface PromiseWatchParts {
  readonly store: { readonly write: Pick<Store['write'], 'putProperty'> }
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
}

/** Tells of promises that do not hold: in the log, which an operator is woken by, in the metrics, and to `doctor`. */
export class PromiseWatch {
  readonly #parts: PromiseWatchParts
  readonly #told = new Map<Broken['promise'], number>()
  readonly #ignore: () => void

  constructor(parts: PromiseWatchParts) {
    this.#parts = parts
    this.#ignore = onBroken(broken => this.#tell(broken))
  }

  stop(): void {
    this.#ignore()
  }

  #tell({ promise, about }: Broken): void {
    const { store, clock, log, metrics } = this.#parts
    metrics.brokenPromises.add(promise)
    const now = clock.steady()
    if (now - (this.#told.get(promise) ?? Number.NEGATIVE_INFINITY) < lineMs) return
    this.#told.set(promise, now)
    log.fatal({ promise, about }, `a promise is broken: ${promises[promise]} The step that met it was refused`)
    const kept: KeptBroken = { promise, at: clock.now() }
    // The log has it.
    store.write.putProperty({ name: brokenPromiseProperty, value: JSON.stringify(kept) }).catch(() => {})
  }
}
