import type { Store } from '../../db/store.ts'
import type { Clock, SteadyMs } from '../clock.ts'
import type { Credentials } from '../credentials.ts'
import type { ChannelClient } from '../graph/client.ts'
import type { Logger } from '../log.ts'
import { syncTemplates } from './sync.ts'

/**
 * The upstream lets an unregistered account make 200 management calls an hour, and a listing takes one for each hundred
 * templates: news that comes in a flood is answered by one listing a minute.
 */
const refreshMsMin = 60_000

/** Reads templates anew when something says that they changed: one channel at a time, and none too often. */
export class TemplateRefresher {
  readonly #parts: { store: Store; client: ChannelClient; credentials: Credentials; clock: Clock; log: Logger }
  readonly #readAt = new Map<string, SteadyMs>()
  readonly #timers = new Map<string, () => void>()
  /** Due, and waiting for the listings before it. */
  readonly #due = new Set<string>()
  #queue: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(parts: { store: Store; client: ChannelClient; credentials: Credentials; clock: Clock; log: Logger }) {
    this.#parts = parts
  }

  /** The listing is read soon, and at once where it was not read lately. */
  request(channelId: string): void {
    if (this.#timers.has(channelId) || this.#due.has(channelId) || this.#isStopped) return
    const { clock } = this.#parts
    const dueAt = (this.#readAt.get(channelId) ?? Number.NEGATIVE_INFINITY) + refreshMsMin
    const cancel = clock.setTimer(Math.max(0, dueAt - clock.steady()), () => {
      this.#timers.delete(channelId)
      this.#due.add(channelId)
      this.#queue = this.#queue.then(() => this.#refresh(channelId))
    })
    this.#timers.set(channelId, cancel)
  }

  /** Waits for the listing that is being read; the rest is read after the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const cancel of this.#timers.values()) cancel()
    await this.#queue
  }

  async #refresh(channelId: string): Promise<void> {
    const { store, clock, log } = this.#parts
    // What is asked for from here on may be newer than this listing.
    this.#due.delete(channelId)
    this.#readAt.set(channelId, clock.steady())
    if (this.#isStopped) return
    try {
      const channel = await store.read.channel(channelId)
      if (!channel) return
      const sync = await syncTemplates({ ...this.#parts, channel })
      // Broken off by the stop itself.
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
