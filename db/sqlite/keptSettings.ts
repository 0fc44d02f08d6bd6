import { ShortLivedMap } from '../../src/base/shortLivedMap.ts'
import { isUsedUp } from '../../src/message/plan.ts'
import type { Acceptance } from '../contract/records.ts'
import { readSettings } from '../contract/sendSettings.ts'
import type { SendingKey, StoreReads } from '../contract/store.ts'
import type { SendReads } from '../rules/lookups.ts'

/** Keys that send at the same time. */
const keysMax = 1_000
/** What has more is read at each send: a thousand keys with so many lines take some ten megabytes. */
const linesMax = 20

/**
 * What decides on sends, kept on the main thread: a read of its own costs a send a tenth of its processor time.
 *
 * The writer counts generations (`memory.ts`): whatever may change a setting begins a new one, also the commit of
 * another process. What is read here belongs to the last generation that this thread has heard of, or to a later one,
 * so an acceptance in that generation had the settings of its moment.
 */
export class KeptSettings {
  readonly #read
  readonly #kept = new ShortLivedMap<string, SendingKey>()
  #generation = 0

  constructor(read: SendReads) {
    this.#read = read
  }

  async sendingKey({ keyId, month, isAnew }: Parameters<StoreReads['sendingKey']>[0]): Promise<SendingKey | null> {
    const known = this.#kept.get(keyId)
    if (!isAnew && known?.settings?.month === month) return known
    // Before the reads: an acceptance that is refused meanwhile tells of a later one.
    const generation = this.#generation
    const key = await this.#read.key(keyId)
    const settings = key && (await readSettings(this.#read, { workspaceId: key.workspaceId, month }))
    this.#kept.delete(keyId)
    if (!settings) return null
    const { plan, lines } = settings
    // A plan without room is read each time, so that nobody takes a place in a queue in vain.
    if (lines.length <= linesMax && !isUsedUp(plan)) {
      this.#kept.set(keyId, { ...key, settings: { ...settings, plan: { ...plan, used: 0 }, generation } })
      const oldest = this.#kept.size > keysMax ? this.#kept.first() : undefined
      if (oldest !== undefined) this.#kept.delete(oldest)
    }
    return { ...key, settings }
  }

  /** Call it with the answer to each acceptance, before the caller of the send gets it. */
  heard(acceptance: Acceptance): Acceptance {
    const { outcome } = acceptance
    if (outcome === 'outdated') this.#generation = acceptance.generation
    if (outcome === 'outdated' || outcome === 'planExhausted') this.#kept.clear()
    return acceptance
  }
}
