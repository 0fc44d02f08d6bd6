import type { WorkspaceEvent } from '../../db/events.ts'
import type { AttemptOutcome } from '../../db/webhookEngine.ts'
import type { WebhookEndpoint } from '../../db/webhooks.ts'
import type { Vault } from '../crypto/crypto.ts'
import { numberedId } from '../ids.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { EpochMs } from '../time/clock.ts'
import { hasWorked, type WebhookAnswer, type WebhookRequest } from './attempt.ts'
import type { Item } from './queue.ts'
import { nextAttemptAt } from './schedule.ts'
import { openHeaders, openSecrets, signingSecrets } from './secrets.ts'

export interface RequestParts {
  readonly vault: Vault
  /** JSON. */
  readonly bodyOf: (workspaceId: string, event: WorkspaceEvent) => string
}

/** @returns what is sent to deliver an event. @throws UnsealError */
export function requestOf(
  { vault, bodyOf }: RequestParts,
  webhook: WebhookEndpoint,
  event: WorkspaceEvent,
  at: EpochMs,
): WebhookRequest {
  const { workspaceId, url } = webhook
  return {
    ...{ url, at, id: numberedId('evt', workspaceId, event.seq), body: bodyOf(workspaceId, event) },
    headers: openHeaders(vault, webhook),
    secrets: signingSecrets(openSecrets(vault, webhook), at),
  }
}

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
  if (hasWorked(status)) {
    metrics.deliveries.add('delivered')
    return { seq, type, messageSeq, attempt, state: 'delivered', nextAt: null }
  }
  metrics.deliveries.add(status === null ? 'unanswered' : 'refused')
  const nextAt = nextAttemptAt({ step, endedAt: at + durationMs, retryAfter, random: random() })
  return { seq, type, messageSeq, attempt, state: nextAt === null ? 'failed' : 'pending', nextAt }
}
