import type { StoreWrites } from '../../db/contract/store.ts'
import type { Clock, EpochMs } from '../base/clock.ts'
import { FailureSpell } from '../base/failureSpell.ts'
import type { Logger } from '../telemetry/log.ts'

/** The last use that `key list` shows is at most this late. One write for all keys in that time is cheap. */
const persistMs = 10_000

/** Remembers when each key was last used and stores it in batches, so that no request waits for it. */
export class KeyUse {
  readonly #parts: { write: Pick<StoreWrites, 'recordKeyUse'>; clock: Clock; log: Logger }
  /** Only valid keys, so that callers without a key cannot make it grow. */
  readonly #unsaved = new Map<string, EpochMs>()
  readonly #unstored = new FailureSpell()

  constructor(parts: { write: Pick<StoreWrites, 'recordKeyUse'>; clock: Clock; log: Logger }) {
    this.#parts = parts
  }

  used(keyId: string): void {
    const { clock } = this.#parts
    if (this.#unsaved.size === 0) this.#saveLater()
    this.#unsaved.set(keyId, clock.now())
  }

  #saveLater(): void {
    this.#parts.clock.setTimer(persistMs, () => void this.save())
  }

  /** Stores the uses since the last write. Those that could not be stored are tried again. */
  async save(): Promise<void> {
    const { write, log } = this.#parts
    const uses = Array.from(this.#unsaved, ([keyId, at]) => ({ keyId, at }))
    this.#unsaved.clear()
    if (uses.length === 0) return
    try {
      await write.recordKeyUse({ uses })
      this.#unstored.worked(failures => log.info({ failures }, 'the last use of API keys is stored again'))
    } catch (error) {
      this.#unstored.failed(() => log.error({ err: error }, 'the last use of API keys could not be stored; retrying'))
      if (this.#unsaved.size === 0) this.#saveLater()
      for (const { keyId, at } of uses) if (!this.#unsaved.has(keyId)) this.#unsaved.set(keyId, at)
    }
  }
}
