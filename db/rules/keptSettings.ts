import { ShortLivedMap } from '../../src/base/shortLivedMap.ts'
import { isUsedUp } from '../../src/message/plan.ts'
import { readSettings } from '../contract/sendSettings.ts'
import type { SendingKey, SendSettings, StoreReads } from '../contract/store.ts'
import type { KeyInGeneration, SendReads } from './lookups.ts'

/** Keys that send at the same time, */
const keysMax = 1_000
/** and the lines of their workspaces together: so many take some ten megabytes. */
const linesMax = 20_000

type Reads = Pick<SendReads, 'keyInGeneration'> & Pick<StoreReads, 'plan' | 'lines' | 'channels'>
type KeptKey = Omit<KeyInGeneration, 'generation'> & { readonly settings: SendSettings }

/** @returns the reads, with what decides on a send */
export function keepingSettings<Some extends Reads>(all: Some) {
  const kept = new KeptSettings(all)
  const { keyInGeneration: _, ...reads } = all
  return { ...reads, sendingKey: (asked: Parameters<StoreReads['sendingKey']>[0]) => kept.sendingKey(asked) }
}

/**
 * What decides on sends, kept in this process: to read it costs a send a tenth of its processor time, and on PostgreSQL
 * a trip to the server.
 *
 * Whatever changes a setting begins a new generation in the same commit (`workspaces.settings_generation`). What is
 * read here belongs to that of its key, which is read first, or to a later one. So an acceptance that finds this
 * generation in force had the settings of its moment. It answers `outdated` otherwise, and then all is read anew.
 */
class KeptSettings {
  readonly #read
  readonly #kept = new ShortLivedMap<string, KeptKey>()
  #lines = 0

  constructor(read: Reads) {
    this.#read = read
  }

  async sendingKey({ keyId, month, isAnew }: Parameters<StoreReads['sendingKey']>[0]): Promise<SendingKey | null> {
    const known = this.#kept.get(keyId)
    if (!isAnew && known?.settings.month === month) return known
    const found = await this.#read.keyInGeneration(keyId)
    if (!found) {
      this.#drop(keyId)
      return null
    }
    const { generation, ...key } = found
    const settings = await readSettings(this.#read, { workspaceId: key.workspaceId, month })
    this.#drop(keyId)
    // A plan without room is read each time, so that nobody takes a place in a queue in vain.
    const { plan } = settings
    if (!isUsedUp(plan)) this.#keep({ ...key, settings: { ...settings, plan: { ...plan, used: 0 }, generation } })
    return { ...key, settings }
  }

  #keep(key: KeptKey): void {
    this.#kept.set(key.id, key)
    this.#lines += key.settings.lines.length
    while (this.#kept.size > keysMax || this.#lines > linesMax) this.#drop(this.#kept.first())
  }

  #drop(keyId: string | undefined): void {
    const gone = keyId === undefined ? undefined : this.#kept.get(keyId)
    if (!gone) return
    this.#kept.delete(gone.id)
    this.#lines -= gone.settings.lines.length
  }
}
