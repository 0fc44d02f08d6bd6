import type { Delivery, WebhookEndpoint } from '../../db/contract/webhooks.ts'
import type { EpochMs } from '../base/clock.ts'
import { numberedId } from '../base/ids.ts'

const iso = (at: EpochMs) => new Date(at).toISOString()
const isoOrNull = (at: EpochMs | null) => (at === null ? null : iso(at))

/** Why an endpoint is off, in words that follow "off: ". */
export const offReasons: Readonly<Record<NonNullable<WebhookEndpoint['disabledReason']>, string>> = {
  switchedOff: 'switched off',
  gone: 'it answered 410',
  failing: 'it failed for five days',
  secretLost: 'its secret is lost',
}

/**
 * Whether an endpoint works. `untried`: nothing was delivered yet, or nothing since it was switched on after a failure.
 */
export type WebhookState = 'works' | 'failing' | 'off' | 'untried'

/** The one rule for lists, the console and the doctor. */
export function webhookState({ disabledAt, failingSince, deliveredAt, failedAt }: WebhookEndpoint): WebhookState {
  if (disabledAt !== null) return 'off'
  if (failingSince !== null) return 'failing'
  // To switch it on forgets since when it fails; what was delivered before the last failure shows nothing.
  return deliveredAt === null || deliveredAt < (failedAt ?? 0) ? 'untried' : 'works'
}

/** An endpoint as commands and the console show it: without its secrets. */
export const webhookView = (webhook: WebhookEndpoint) => ({
  id: webhook.id,
  url: webhook.url,
  format: webhook.format,
  events: webhook.types && [...webhook.types],
  description: webhook.description,
  workspaceId: webhook.workspaceId,
  lineIds: webhook.lineIds && [...webhook.lineIds],
  hasHeaders: webhook.sealedHeaders !== null,
  state: webhookState(webhook),
  disabledAt: isoOrNull(webhook.disabledAt),
  disabledReason: webhook.disabledReason,
  failingSince: isoOrNull(webhook.failingSince),
  deliveredAt: isoOrNull(webhook.deliveredAt),
  failedAt: isoOrNull(webhook.failedAt),
  createdAt: iso(webhook.createdAt),
})
/** A delivery with the attempts that are kept, oldest first. */
export const deliveryView = (workspaceId: string, delivery: Delivery) => ({
  eventId: numberedId('evt', workspaceId, delivery.seq),
  type: delivery.type,
  state: delivery.state,
  attemptCount: delivery.attemptCount,
  attempts: delivery.attempts.map(({ at, ...attempt }) => ({ at: iso(at), ...attempt })),
  nextAt: isoOrNull(delivery.nextAt),
})
