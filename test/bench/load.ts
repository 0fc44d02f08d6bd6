import type { Round, Sample, Side } from './scenario.ts'
import type { Traffic } from './traffic.ts'
import { type Driven, drive } from './wrk.ts'

/** Where requests go to, and how much of the answers is believed. */
export interface Target {
  readonly url: string
  /**
   * Called right before a round.
   * @returns what to call right after it; that throws when the answers were fast but not what was asked for
   */
  watch?(): Promise<(driven: Driven) => Promise<void> | void>
}

/** Requests from some connections at once, each of which waits for its answer. */
export interface Load {
  readonly what: string
  readonly connections: number
  traffic(round: number): Traffic
  /** Whether every answer has a status below 400, or none has. */
  readonly answers: 'success' | 'refusal'
  /** For what wrk has to read. */
  readonly folder: string
}

/** @returns the target under this load, as one side of a comparison. */
export const under = (load: Load, { url, watch }: Target): Side => ({
  async measure({ number, seconds }: Round): Promise<Sample> {
    const { connections, folder } = load
    const traffic = load.traffic(number)
    const check = await watch?.()
    const driven = await drive({ url, traffic, connections, seconds, folder })
    assertAnswers(load, driven)
    await check?.(driven)
    return driven
  },
})

/** A fast wrong answer must not look good. */
function assertAnswers({ what, answers }: Load, { completed, refused, broken }: Driven) {
  if (completed === 0) throw new Error(`${what}: no answer at all`)
  if (broken > 0) throw new Error(`${what}: ${broken} connections broke or timed out`)
  if (answers === 'success' && refused > 0) throw new Error(`${what}: ${refused} of ${completed} were refused`)
  // A window of the rate limit may begin during a round, and lets one request through.
  if (answers === 'refusal' && refused < completed - 1) {
    throw new Error(`${what}: ${completed - refused} of ${completed} were not refused`)
  }
}
