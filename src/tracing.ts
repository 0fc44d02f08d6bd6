import type { Stage } from './metrics.ts'

/*
 * What the program knows of tracing. `src/monitoring/tracer.ts` does it, and is loaded only when traces are wanted.
 */

/** The trace of one send. It never throws, and never waits for anything. */
export interface SendTrace {
  /** A part of the send has just ended. @param attributes no secret, number or content */
  stage(stage: Stage, tookMs: number, attributes?: Readonly<Record<string, string | number>>): void
  /** The send has an outcome, or was not accepted. Later calls do nothing. */
  end(outcome: string): void
}

export interface Tracer {
  /** @param traceparent the caller's header, which the trace continues; null when it gave none */
  begin(traceparent: string | null, attributes: Readonly<Record<string, string>>): SendTrace | null
  /** Gives the collector what is left, for a short time at most. */
  stop(): Promise<void>
}
