import type { EpochMs } from '../base/clock.ts'
import type { Stage } from './metrics.ts'

/*
 * What the program knows of tracing. `src/monitoring/tracer.ts` does it, and is loaded only when traces are wanted.
 */

/** What came of an attempt, in the words of the metrics. */
export interface StageResult {
  readonly result: string
  readonly code: string
}

/** The trace of one send. It never throws, and never waits for anything. */
export interface SendTrace {
  /** A part of the send has just ended. */
  stage(stage: Stage, tookMs: number, result?: StageResult): void
  /** The send has an outcome, or was not accepted. Later calls do nothing. */
  end(outcome: string): void
}

export interface Tracer {
  /**
   * @param traceparent the caller's header, whose trace is continued; null when it gave none
   * @param attributes ids of ours alone: no secret, no phone number, no content
   * @returns null for a send that is not recorded
   */
  begin(
    traceparent: string | null,
    startedAt: EpochMs,
    attributes: Readonly<Record<`waypost.${string}`, string>>,
  ): SendTrace | null
  /** Gives the collector what is left, for a short time at most. */
  stop(): Promise<void>
}
