import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Round, Sample, Side } from './scenario.ts'
import type { Traffic } from './traffic.ts'
import { type Driven, drive } from './wrk.ts'

/** Where requests go to, and how much of the answers is believed. */
export interface Target {
  /** Several: the connections are spread over them. */
  readonly url: string | readonly string[]
  /** The processor time so far of whoever answers, where the system tells it. */
  cpuUs?(): number
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
  /** @param at which of several addresses gets it */
  traffic(round: number, at: number): Traffic
  /** Whether every answer has a status below 400, or none has. */
  readonly answers: 'success' | 'refusal'
  /** For what wrk has to read. */
  readonly folder: string
}

/** @returns the target under this load, as one side of a comparison. */
export const under = (load: Load, { url, cpuUs, watch }: Target): Side => ({
  async measure({ number, seconds }: Round): Promise<Sample> {
    const urls = [url].flat()
    const loads = urls.map((url, at) => {
      const folder = join(load.folder, `load-${at}`)
      mkdirSync(folder, { recursive: true })
      const connections = Math.floor(load.connections / urls.length) + (at < load.connections % urls.length ? 1 : 0)
      return { url, traffic: load.traffic(number, at), connections, seconds, folder }
    })
    const check = await watch?.()
    const cpuBefore = cpuUs?.() ?? 0
    const driven = together(await Promise.all(loads.map(drive)))
    assertAnswers(load, driven)
    await check?.(driven)
    // With what was in flight at the end, which is little.
    return cpuUs === undefined ? driven : { ...driven, cpuUs: (cpuUs() - cpuBefore) / driven.completed }
  },
})

/** Of several addresses: all requests, the mean of their medians by their share, and the slowest 99th percentile. */
function together(parts: readonly Driven[]): Driven {
  const sum = (of: (part: Driven) => number) => parts.reduce((sum, part) => sum + of(part), 0)
  const completed = sum(part => part.completed)
  return {
    perSecond: sum(part => part.perSecond),
    medianMs: sum(part => part.medianMs * part.completed) / completed,
    p99Ms: Math.max(...parts.map(part => part.p99Ms)),
    completed,
    refused: sum(part => part.refused),
    broken: sum(part => part.broken),
  }
}

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
