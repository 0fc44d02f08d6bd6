import type { Refusal } from '../base/errors.ts'
import { SharedPermits } from '../base/sharedPermits.ts'
import { busy } from '../sending/refusals.ts'

/** Bounds what of a kind is under way at once, and refuses what is beyond: each waits for somebody else's answer. */
export class UnderWay {
  readonly #permits: SharedPermits
  readonly #refusal: Refusal

  /** @param why a sentence: too many of what */
  constructor(max: { readonly workspace: number; readonly all: number }, why: string) {
    this.#permits = new SharedPermits(max.all, max.workspace)
    this.#refusal = busy(why)
  }

  /** @returns what the work does; or the refusal, when there is too much of it already */
  async run<Done>(workspaceId: string, work: () => Promise<Done>): Promise<Done | Refusal> {
    if (!this.#permits.hasFor(workspaceId)) return this.#refusal
    this.#permits.take(workspaceId)
    try {
      return await work()
    } finally {
      this.#permits.giveBack(workspaceId)
    }
  }
}
