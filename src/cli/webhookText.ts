import type { DeliveryAttempt, WebhookEndpoint } from '../../db/contract/webhooks.ts'
import { moment } from '../base/clock.ts'
import { offReasons, webhookView } from '../webhooks/view.ts'

/** Whether an endpoint works, in a few words. */
export function stateText(webhook: WebhookEndpoint): string {
  const { state } = webhookView(webhook)
  switch (state) {
    case 'works':
      return 'works'
    case 'untried':
      return webhook.deliveredAt === null ? 'nothing delivered yet' : 'nothing delivered since it was switched on'
    case 'failing':
      return `failing since ${moment(webhook.failingSince ?? 0)}`
    case 'off':
      return `off: ${offReasons[webhook.disabledReason ?? 'switchedOff']}`
  }
}

export const details = (webhook: WebhookEndpoint) => ({
  id: webhook.id,
  url: webhook.url,
  description: webhook.description,
  format: webhook.format,
  events: webhook.types?.join(', ') ?? (webhook.format === 'platform' ? 'all about messages and payments' : 'all'),
  lines: webhook.lineIds?.join(', ') ?? 'all',
  'own headers': webhook.sealedHeaders !== null,
  state: stateText(webhook),
  'delivered last (UTC)': momentOr(webhook.deliveredAt, 'never'),
  'failed last (UTC)': momentOr(webhook.failedAt, 'never'),
  workspace: webhook.workspaceId,
})

export const momentOr = (at: number | null, otherwise: string) => (at === null ? otherwise : moment(at))

/** What came back: the status, or why there is no whole answer. */
export const attemptText = ({ status, error, durationMs }: DeliveryAttempt): string =>
  error === null ? `${status} after ${durationMs} ms` : [status, error].filter(part => part !== null).join(': ')
