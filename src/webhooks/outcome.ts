import type { AttemptOutcome } from '../../db/contract/webhookDelivery.ts'
import { hasWorked } from '../../db/contract/webhooks.ts'
import type { EpochMs } from '../base/clock.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { WebhookAnswer } from './attempt.ts'
import type { Item } from './queue.ts'
import { nextAttemptAt } from './schedule.ts'

export interface OutcomeParts {
  /** From 0 to 1, 1 left out. */
  readonly random: () => number
  readonly metrics: Pick<Metrics, 'deliveries'>
}

/** @returns what an answer makes of a delivery; it is counted */
export function outcomeOf(
  { random, metrics }: OutcomeParts,
  { seq, event, step }: Item,
  at: EpochMs,
  answered: WebhookAnswer,
): AttemptOutcome {
  const { durationMs, status, error, answer, retryAfter } = answered
  const { type, messageSeq } = event
  const attempt = { at, durationMs, status, error, answer }
  if (hasWorked(answered)) {
    metrics.deliveries.add('delivered')
    return { seq, type, messageSeq, attempt, state: 'delivered', nextAt: null }
  }
  metrics.deliveries.add(error === null ? 'refused' : 'unanswered')
  const nextAt = nextAttemptAt({ step, endedAt: at + durationMs, retryAfter, random: random() })
  return { seq, type, messageSeq, attempt, state: nextAt === null ? 'failed' : 'pending', nextAt }
}

/** @returns what becomes of a delivery whose event has nothing to tell any more: no attempt is made */
export const neverMade = ({ seq, event: { type, messageSeq } }: Pick<Item, 'seq' | 'event'>): AttemptOutcome => ({
  ...{ seq, type, messageSeq, attempt: null, nextAt: null },
  state: 'failed',
})
