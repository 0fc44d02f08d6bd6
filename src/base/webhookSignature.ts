import { createHmac, randomBytes } from 'node:crypto'

/*
 * Signatures of Standard Webhooks 1.0 (https://www.standardwebhooks.com), which its libraries verify, and that of the
 * upstream platform's callbacks.
 */

const secretPrefix = 'whsec_'
/** The specification takes 24 to 64. */
const secretBytes = 32

/** @returns a new secret, `whsec_` and base64 */
export const newWebhookSecret = (): string => `${secretPrefix}${randomBytes(secretBytes).toString('base64')}`

/** What is signed. */
export interface SignedRequest {
  /** The event's id: the same at each attempt. Without a full stop, which separates the parts. */
  readonly id: string
  /** Of this attempt, in whole seconds. */
  readonly seconds: number
  /** As it is sent. */
  readonly body: string
}

/**
 * @param secrets one, or during a rotation the new one and the old ones: a receiver has to know any of them
 * @returns the headers of a request to a receiver. Some libraries refuse a list of signatures with a space at
 *   an end, or with two in a row
 */
export function webhookHeaders(
  secrets: readonly string[],
  { id, seconds, body }: SignedRequest,
): Record<string, string> {
  const signatures = secrets.map(secret => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') }
}

/**
 * @param secret its text is the key, as `whsec_…` is shown: in the receiver it stands where the platform's app secret
 *   would. The platform knows no second signature
 * @returns the header of a request to a receiver that was written for it (docs/upstream.md#webhook-signatures)
 */
export const platformHeaders = (secret: string, body: string): Record<string, string> => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
})
