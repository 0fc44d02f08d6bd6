import type { WorkspaceEvent } from '../../db/contract/events.ts'
import type { WebhookEndpoint } from '../../db/contract/webhooks.ts'
import type { EpochMs } from '../base/clock.ts'
import { numberedId } from '../base/ids.ts'
import type { WebhookRequest } from './attempt.ts'
import { type OpenedWebhooks, signingSecrets } from './secrets.ts'

export interface RequestParts {
  readonly opened: OpenedWebhooks
  /** JSON. */
  readonly bodyOf: (workspaceId: string, event: WorkspaceEvent) => string
}

/** @returns what is sent to deliver an event. @throws UnsealError */
export function eventRequest(
  { opened, bodyOf }: RequestParts,
  webhook: WebhookEndpoint,
  event: WorkspaceEvent,
  at: EpochMs,
): WebhookRequest {
  const { workspaceId, url } = webhook
  return {
    ...{ url, at, id: numberedId('evt', workspaceId, event.seq), body: bodyOf(workspaceId, event) },
    headers: opened.headers(webhook),
    secrets: signingSecrets(opened.secrets(webhook), at),
  }
}
