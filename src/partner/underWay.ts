import { CountTable } from '../base/countTable.ts'
import type { Refusal } from '../base/errors.ts'
import { busy } from '../sending/refusals.ts'

const all = 'all'

/** Counts what of a kind is under way at once, and refuses what is beyond: each waits for somebody else's answer. */
export class UnderWay {
  readonly #counts = new CountTable(Number.POSITIVE_INFINITY)
  readonly #max: { readonly workspace: number; readonly all: number }
  readonly #refusal: Refusal

  /** @param why a sentence: too many of what */
  constructor(max: { readonly workspace: number; readonly all: number }, why: string) {
    this.#max = max
    this.#refusal = busy(why)
  }

  /** @returns what the work does; or the refusal, when there is too much of it already */
  async run<Done>(workspaceId: string, work: () => Promise<Done>): Promise<Done | Refusal> {
    const counts = this.#counts
    if (counts.count(workspaceId) >= this.#max.workspace || counts.count(all) >= this.#max.all) return this.#refusal
    for (const subject of [workspaceId, all]) counts.add(subject, 1)
    try {
      return await work()
    } finally {
      for (const subject of [workspaceId, all]) counts.add(subject, -1)
    }
  }
}
