import type { WorkspaceEvent } from '../../db/events.ts'
import type { WebhookEndpoint } from '../../db/webhooks.ts'
import type { Vault } from '../crypto/crypto.ts'
import { numberedId } from '../ids.ts'
import type { EpochMs } from '../time/clock.ts'
import type { WebhookRequest } from './attempt.ts'
import { openHeaders, openSecrets, signingSecrets } from './secrets.ts'

/**
 * @param event `id`: as it is signed; `body`: JSON. Of the list, or an example for a test
 * @returns what is sent to an endpoint. @throws UnsealError
 */
export const requestOf = (
  vault: Vault,
  webhook: WebhookEndpoint,
  event: Pick<WebhookRequest, 'id' | 'body'>,
  at: EpochMs,
): WebhookRequest => ({
  ...{ url: webhook.url, id: event.id, body: event.body, at },
  headers: openHeaders(vault, webhook),
  secrets: signingSecrets(openSecrets(vault, webhook), at),
})

export interface RequestParts {
  readonly vault: Vault
  /** JSON. */
  readonly bodyOf: (workspaceId: string, event: WorkspaceEvent) => string
}

/** @returns what is sent to deliver an event of the list. @throws UnsealError */
export function eventRequest(
  { vault, bodyOf }: RequestParts,
  webhook: WebhookEndpoint,
  event: WorkspaceEvent,
  at: EpochMs,
): WebhookRequest {
  const { workspaceId } = webhook
  const id = numberedId('evt', workspaceId, event.seq)
  return requestOf(vault, webhook, { id, body: bodyOf(workspaceId, event) }, at)
}
