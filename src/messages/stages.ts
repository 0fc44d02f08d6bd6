import type { Clock, SteadyMs } from '../clock.ts'
import type { Metrics, Stage } from '../metrics.ts'
import type { SendTrace, StageResult } from '../tracing.ts'

/** What is kept of a message to time the parts of its send. */
export interface Timed {
  /** When its present part began. */
  stageSince: SteadyMs
  /** Null when nobody traces it. */
  readonly trace: SendTrace | null
}

/** A part of a message's send has ended, and the next one begins. */
export function endStage(
  message: Timed,
  stage: Stage,
  { metrics, clock }: { readonly metrics: Metrics; readonly clock: Clock },
  result?: StageResult,
): void {
  const now = clock.steady()
  const tookMs = now - message.stageSince
  metrics.stages[stage].observe(tookMs / 1_000)
  message.trace?.stage(stage, tookMs, result)
  message.stageSince = now
}
