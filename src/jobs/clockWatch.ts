import type { Store } from '../../db/contract/store.ts'
import type { WaitingDelivery, WaitingFile, Walk, Walked } from '../../db/contract/waits.ts'
import type { Clock } from '../base/clock.ts'
import { hourMs } from '../base/durations.ts'
import { changedAtOnce, restAfter } from '../base/rest.ts'
import { type ClockJump, RunningTime } from '../base/runningTime.ts'
import { clockJumpProperty } from '../doctor/clockCheck.ts'
import { fileWaitsMs } from '../media/incoming/keeper.ts'
import type { Logger } from '../telemetry/log.ts'

/** How often it compares the time with the steady clock. */
const lookMs = 1_000

interface ClockWatchParts {
  readonly store: Pick<Store, 'write'>
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Looks whether the time jumps. A jump is logged and kept for `doctor` and `/readyz`; after one that leads back, what
 * waits for a moment that the time of before has set is made due. So it is at the start: the time may have jumped since
 * the last end.
 */
export class ClockWatch {
  readonly #parts: ClockWatchParts
  readonly #watch: Clock
  readonly #running: RunningTime
  #isStopped = false
  #cancelTimer = () => {}
  #working: Promise<void>

  /** @param watch real time, also where a test moves the other clock */
  constructor(parts: ClockWatchParts, watch: Clock) {
    this.#parts = parts
    this.#watch = watch
    this.#running = new RunningTime(parts.clock)
    this.#working = this.#shorten()
    this.#lookLater()
  }

  /** Resolves once what has begun is done. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancelTimer()
    await this.#working
  }

  #lookLater(): void {
    this.#cancelTimer = this.#watch.setTimer(lookMs, () => {
      // It compares when it is asked, and in a quiet hour nobody else asks.
      this.#parts.clock.ago(0)
      const jumps = this.#running.takeJumps()
      if (jumps.length > 0) this.#working = this.#working.then(() => this.#tell(jumps))
      this.#lookLater()
    })
  }

  async #tell(jumps: readonly ClockJump[]): Promise<void> {
    const { store, log } = this.#parts
    for (const { at, byMs } of jumps) {
      const hours = Math.round((byMs / hourMs) * 1_000) / 1_000
      log.warn(
        { hours, now: new Date(at).toISOString() },
        'the time has jumped: somebody has set the clock, or the machine slept. Check that it is synchronised',
      )
    }
    const last = jumps.at(-1)
    if (last) {
      const value = JSON.stringify(last)
      // The log has it.
      await store.write.putProperty({ name: clockJumpProperty, value }).catch(() => {})
    }
    if (jumps.some(({ byMs }) => byMs < 0)) await this.#shorten()
  }

  async #shorten(): Promise<void> {
    const { store, clock, log } = this.#parts
    const { write } = store
    try {
      await write.shortenWaits({ at: clock.now() })
      const files = await this.#walk<WaitingFile>(walk => write.shortenFileWaits({ ...walk, fileWaitsMs }))
      const deliveries = await this.#walk<WaitingDelivery>(walk => write.shortenDeliveryWaits(walk))
      const waits = files + deliveries
      if (waits > 0) log.warn({ waits }, 'what a clock that was ahead had put off is due sooner')
    } catch (error) {
      log.error({ err: error }, 'what a clock that was ahead has put off could not be looked at; it may be late')
    }
  }

  /** Takes steps until the last one, with rests. @returns how many they have found */
  async #walk<Place>(take: (walk: Walk<Place>) => Promise<Walked<Place>>): Promise<number> {
    const { clock } = this.#parts
    let [found, after]: [number, Place | null] = [0, null]
    while (!this.#isStopped) {
      const startedAt = clock.steady()
      const step: Walked<Place> = await take({ at: clock.now(), after, limit: changedAtOnce })
      found += step.found
      after = step.next
      if (after === null) break
      await restAfter(clock, startedAt)
    }
    return found
  }
}
