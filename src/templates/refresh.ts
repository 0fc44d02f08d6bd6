import type { Store } from '../../db/contract/store.ts'
import type { Clock, SteadyMs } from '../base/clock.ts'
import type { Credentials } from '../base/credentials.ts'
import { minuteMs } from '../base/durations.ts'
import type { ChannelClient } from '../graph/client.ts'
import type { Logger } from '../telemetry/log.ts'
import { syncTemplates } from './sync.ts'

/**
 * The upstream allows an unregistered account 200 management calls an hour, and a listing takes one for each hundred
 * templates: a flood of updates causes one listing a minute.
 */
const refreshMsMin = minuteMs

/** The caller of the send waits meanwhile. A listing of a thousand templates takes a second or two. */
const renewalMsMax = 3_000

/** Reads listings again after a sign that templates changed: one channel at a time, each at most once a minute. */
export class TemplateRefresher {
  readonly #parts: { store: Store; client: ChannelClient; credentials: Credentials; clock: Clock; log: Logger }
  readonly #readAt = new Map<string, SteadyMs>()
  readonly #timers = new Map<string, () => void>()
  /** Channels whose listing is due and waits for that of others. */
  readonly #due = new Set<string>()
  /** The listing that is being read, or is the next one to be read. */
  readonly #underWay = new Map<string, Promise<void>>()
  #queue: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(parts: { store: Store; client: ChannelClient; credentials: Credentials; clock: Clock; log: Logger }) {
    this.#parts = parts
  }

  /** Reads the listing soon; at once if it was not read within the last minute. */
  request(channelId: string): void {
    if (this.#timers.has(channelId) || this.#due.has(channelId) || this.#isStopped) return
    const cancel = this.#parts.clock.setTimer(this.#msUntilOld(channelId), () => this.#enqueue(channelId))
    this.#timers.set(channelId, cancel)
  }

  /**
   * For a decision that an old listing could make wrong: reads the listing unless it was read within the last minute.
   * @returns `late`: it is being read, which takes longer than a caller can wait; `new`: it need not be read
   */
  async renew(channelId: string): Promise<'read' | 'late' | 'new'> {
    if (this.#isStopped) return 'new'
    const isOld = this.#msUntilOld(channelId) === 0
    const reading = this.#underWay.get(channelId) ?? (isOld ? this.#enqueue(channelId) : null)
    if (!reading) return 'new'
    const late = Promise.withResolvers<'late'>()
    const cancel = this.#parts.clock.setTimer(renewalMsMax, () => late.resolve('late'))
    const outcome = await Promise.race([reading.then(() => 'read' as const), late.promise])
    cancel()
    return outcome
  }

  /** Waits for the listing that is being read; the rest is read after the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const cancel of this.#timers.values()) cancel()
    await this.#queue
  }

  /** How long the last listing counts as new; 0 when it is old or none was read. */
  #msUntilOld(channelId: string): number {
    const readAt = this.#readAt.get(channelId) ?? Number.NEGATIVE_INFINITY
    return Math.max(0, readAt + refreshMsMin - this.#parts.clock.steady())
  }

  #enqueue(channelId: string): Promise<void> {
    this.#timers.get(channelId)?.()
    this.#timers.delete(channelId)
    this.#due.add(channelId)
    const reading = this.#queue.then(() => this.#refresh(channelId))
    this.#queue = reading
    this.#underWay.set(channelId, reading)
    return reading.then(() => {
      if (this.#underWay.get(channelId) === reading) this.#underWay.delete(channelId)
    })
  }

  async #refresh(channelId: string): Promise<void> {
    const { store, clock, log } = this.#parts
    // Requests that come after this may be newer than this listing.
    this.#due.delete(channelId)
    this.#readAt.set(channelId, clock.steady())
    if (this.#isStopped) return
    try {
      const channel = await store.read.channel(channelId)
      if (!channel) return
      const sync = await syncTemplates({ ...this.#parts, channel })
      // The stop ended it.
      if (sync.kind === 'failed' && this.#isStopped) return
      if (sync.kind === 'failed') log.warn({ channelId, why: sync.message }, 'the templates could not be read')
      else {
        const { synced, approved, skipped } = sync
        log.info({ channelId, synced, approved }, 'templates read')
        if (skipped > 0) log.warn({ channelId, skipped }, 'the listing had templates that could not be read')
      }
    } catch (error) {
      log.error({ err: error, channelId }, 'the templates could not be read')
    }
  }
}
