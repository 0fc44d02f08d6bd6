import type { Line, Message, Resumable } from '../../db/contract/records.ts'
import type { Store } from '../../db/contract/store.ts'
import type { Clock } from '../base/clock.ts'
import { FailureSpell } from '../base/failureSpell.ts'
import { paceWindowMs } from '../message/slowdown.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Outbox } from './outbox.ts'

/** Messages claimed at a time, so that the payloads of a whole queue are not in memory twice. */
const claimedAtOnce = 500
/** The messages looked at for what left a moment ago: more than any gateway hands over in that time. */
const latestMax = 10_000
/** A message leaves within a second after it was handed over, and counts for a second after that. */
const latestMs = 2 * paceWindowMs
/** How often to look for instances that are gone. Their leases last several times as long. */
const lookMs = 2_000

export interface RecoveryParts {
  readonly store: Pick<Store, 'read' | 'write' | 'shared'>
  readonly outbox: Pick<Outbox, 'resume' | 'followEnded'>
  readonly accessToken: (channelId: string) => Promise<string>
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
}

export interface Recovered {
  readonly unknown: number
  readonly resumed: number
}

/**
 * Recovers the messages of processes that have ended: before anything new is accepted, and repeatedly where several
 * instances share the database. Messages that were handed over become UNKNOWN and are never resent. Messages that wait
 * are sent, in the order in which they were accepted.
 */
export class Recovery {
  readonly #parts: RecoveryParts
  /** Claimed, so that no other instance sends them, and not queued yet. */
  readonly #claimed: Resumable[] = []
  readonly #failing = new FailureSpell()
  #isStopped = false
  #cancelTimer = () => {}
  #running = Promise.resolve()

  constructor(parts: RecoveryParts) {
    this.#parts = parts
  }

  /** @throws Error of a message that cannot be queued. It is kept, and tried again by the next run */
  async run(): Promise<Recovered> {
    const { store, clock, metrics } = this.#parts
    const unknown = await store.write.markInterrupted({ at: clock.now() })
    metrics.sends.add('unknown/none', unknown)
    let resumed = 0
    for (let after: Message | null = null; !this.#isStopped; ) {
      const page: readonly Resumable[] = await store.write.claimWaiting({ after, limit: claimedAtOnce })
      this.#claimed.push(...page)
      resumed += await this.#queueClaimed()
      const last = page.at(-1)
      if (!last) break
      after = last.message
    }
    // Several instances share the pace of a line in the database, and those that have ended too.
    if (store.shared === null) await this.#followEnded()
    return { unknown, resumed }
  }

  /**
   * Repeats it from now on, if there are other instances. Each run begins some time after the previous one has ended.
   */
  keepRunning(): void {
    const { store, clock } = this.#parts
    if (store.shared === null || this.#isStopped) return
    this.#cancelTimer = clock.setTimer(lookMs, () => {
      this.#running = this.#runLogged().then(() => this.keepRunning())
    })
  }

  /** Resolves once the current run is over. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancelTimer()
    await this.#running
  }

  async #runLogged(): Promise<void> {
    const { log } = this.#parts
    try {
      const recovered = await this.run()
      this.#failing.worked(failures => log.info({ failures }, 'takeover from instances that are gone works again'))
      if (recovered.unknown > 0 || recovered.resumed > 0) log.warn(recovered, 'took over from an instance that is gone')
    } catch (error) {
      this.#failing.failed(() => log.error({ err: error }, 'takeover from instances that are gone failed; retrying'))
    }
  }

  /** @returns how many. One line that cannot be read does not keep back the messages of others. */
  async #queueClaimed(): Promise<number> {
    const claimed = this.#claimed.splice(0)
    const lines = new Map<string, Promise<readonly [Line, string]>>()
    const failures: unknown[] = []
    for (const resumable of claimed) {
      const { lineId } = resumable.message
      const found = lines.get(lineId) ?? this.#lineAndToken(lineId)
      lines.set(lineId, found)
      try {
        this.#parts.outbox.resume(resumable, ...(await found))
      } catch (error) {
        this.#claimed.push(resumable)
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
    return claimed.length
  }

  /** What the process before sent a moment ago counts in the pace of its lines. */
  async #followEnded(): Promise<void> {
    const { store, outbox, clock } = this.#parts
    const handedOver = await store.read.handedOverSince({ since: clock.now() - latestMs, among: latestMax })
    for (const { lineId, count } of handedOver) {
      const line = await store.read.line(lineId)
      if (line) outbox.followEnded(line, count)
    }
  }

  async #lineAndToken(lineId: string): Promise<readonly [Line, string]> {
    const { store, accessToken } = this.#parts
    const line = await store.read.line(lineId)
    if (!line) throw new Error('a message without its line')
    return [line, await accessToken(line.channelId)]
  }
}
