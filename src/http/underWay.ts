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

  /**
   * @param count as much as the work is of
   * @returns what the work does; or the refusal, when there is too much of it already
   */
  async run<Done>(workspaceId: string, work: () => Promise<Done>, count = 1): Promise<Done | Refusal> {
    if (!this.#permits.hasFor(workspaceId, count)) return this.#refusal
    this.#permits.take(workspaceId, count)
    try {
      return await work()
    } finally {
      this.#permits.giveBack(workspaceId, count)
    }
  }
}
