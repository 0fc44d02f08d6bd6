import type { DeliveryAttempt, WebhookEndpoint } from '../../db/contract/webhooks.ts'
import type { EpochMs } from '../base/clock.ts'
import type { Vault } from '../base/crypto.ts'
import { type EventType, isPlatformType } from '../base/eventTypes.ts'
import { randomBase62 } from '../base/ids.ts'
import type { Attempts } from './attempt.ts'
import { platformExample } from './platformBody.ts'
import { openHeaders, openSecrets, signingSecrets } from './secrets.ts'

/** Two examples have two ids, so that a receiver takes both. */
const idLength = 16

export interface ExampleParts {
  readonly vault: Vault
  readonly attempts: Pick<Attempts, 'attempt'>
}

/**
 * Sends an example of an event to an endpoint, on or off, once and at once. Nothing is stored.
 * @param example an event; it gets an id of its own, `evt_test…`, and the time of now. In the platform's format its
 *   type alone counts
 * @returns null when the endpoint has no secret to sign with. @throws UnsealError
 */
export async function sendExample(
  { vault, attempts }: ExampleParts,
  webhook: WebhookEndpoint,
  example: { readonly type: EventType },
  at: EpochMs,
): Promise<{ readonly eventId: string; readonly attempt: DeliveryAttempt } | null> {
  const secrets = signingSecrets(openSecrets(vault, webhook), at)
  if (secrets.length === 0) return null
  const id = `evt_test${randomBase62(idLength)}`
  const { url, format } = webhook
  const isOfPlatform = format === 'platform' && isPlatformType(example.type)
  const shown = isOfPlatform
    ? platformExample(example.type, `wamid.${id}`, at)
    : { ...example, id, timestamp: new Date(at).toISOString() }
  const headers = openHeaders(vault, webhook)
  const { retryAfter: _, ...answer } = await attempts.attempt({
    ...{ url, format, headers, secrets, id, at },
    body: JSON.stringify(shown),
  })
  return { eventId: id, attempt: { at, ...answer } }
}
