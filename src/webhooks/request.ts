import type { WorkspaceEvent } from '../../db/contract/events.ts'
import type { WebhookEndpoint } from '../../db/contract/webhooks.ts'
import type { EpochMs } from '../base/clock.ts'
import { numberedId } from '../base/ids.ts'
import type { WebhookRequest } from './attempt.ts'
import { type OpenedWebhooks, signingSecrets } from './secrets.ts'

export interface RequestParts {
  readonly opened: OpenedWebhooks
  /** @returns what is posted; null: nothing can be, as what it tells of is not kept any more */
  readonly bodyOf: (webhook: WebhookEndpoint, event: WorkspaceEvent) => Promise<object | null>
}

/** @returns what is sent to deliver an event; null: see `bodyOf`. @throws UnsealError */
export async function eventRequest(
  { opened, bodyOf }: RequestParts,
  webhook: WebhookEndpoint,
  event: WorkspaceEvent,
  at: EpochMs,
): Promise<WebhookRequest | null> {
  const { workspaceId, url, format } = webhook
  const body = await bodyOf(webhook, event)
  if (body === null) return null
  return {
    ...{ url, at, format, id: numberedId('evt', workspaceId, event.seq), body: JSON.stringify(body) },
    headers: opened.headers(webhook),
    secrets: signingSecrets(opened.secrets(webhook), at),
  }
}
