import type { WorkspaceEvent } from '../../db/events.ts'
import type { WebhookEndpoint } from '../../db/webhooks.ts'
import { numberedId } from '../ids.ts'
import type { EpochMs } from '../time/clock.ts'
import type { WebhookRequest } from './attempt.ts'
import { type OpenedWebhooks, signingSecrets } from './secrets.ts'

/**
 * @param event `id`: as it is signed; `body`: JSON. Of the list, or an example for a test
 * @returns what is sent to an endpoint. @throws UnsealError
 */
export const requestOf = (
  opened: OpenedWebhooks,
  webhook: WebhookEndpoint,
  event: Pick<WebhookRequest, 'id' | 'body'>,
  at: EpochMs,
): WebhookRequest => ({
  ...{ url: webhook.url, id: event.id, body: event.body, at },
  headers: opened.headers(webhook),
  secrets: signingSecrets(opened.secrets(webhook), at),
})

export interface RequestParts {
  readonly opened: OpenedWebhooks
  /** JSON. */
  readonly bodyOf: (workspaceId: string, event: WorkspaceEvent) => string
}

/** @returns what is sent to deliver an event of the list. @throws UnsealError */
export function eventRequest(
  { opened, bodyOf }: RequestParts,
  webhook: WebhookEndpoint,
  event: WorkspaceEvent,
  at: EpochMs,
): WebhookRequest {
  const { workspaceId } = webhook
  const id = numberedId('evt', workspaceId, event.seq)
  return requestOf(opened, webhook, { id, body: bodyOf(workspaceId, event) }, at)
}
