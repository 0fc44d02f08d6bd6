import { WebhookNotVerified } from './errors.ts'
import { isObject } from './transport.ts'
import type { Event } from './types.ts'

/* Signatures of Standard Webhooks 1.0, by Web Crypto: it is the same in Node, Bun, Deno and workers. */

/** The headers of a request: `Headers`, or an object with names in any case, as Node and Express have it. */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | { readonly [name: string]: string | readonly string[] | undefined }

/** As the specification's own libraries: older ones may be a copy that somebody sends again. */
const toleranceSeconds = 300
const secretPrefix = /^whsec_/
const secretBytesMin = 24
const secretBytesMax = 64
const encoder = new TextEncoder()

/**
 * Checks that a request comes from an endpoint of the gateway, now.
 * @param body as it came: text or bytes. What was parsed and written again is signed by nobody
 * @param secret that of the endpoint, `whsec_…`; several while you replace it: one has to match
 * @param options `now`: milliseconds since 1970, for tests
 * @returns the event. Its `id` is the same each time it is sent: do it once
 * @throws WebhookNotVerified that says what is wrong
 * @throws TypeError for a parsed body, and for what can be no secret
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: { readonly now?: (() => number) | undefined } = {},
): Promise<Event> {
  const content = bytesOf(body)
  const keys = typeof secret === 'string' ? [secret] : secret
  if (!Array.isArray(keys) || keys.length === 0) throw new TypeError('secret: pass that of the endpoint, whsec_…')
  const secrets = keys.map(keyOf)
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  const signatures = header(headers, 'webhook-signature').split(' ')
  checkTime(timestamp, Math.floor((options.now ?? Date.now)() / 1_000))
  const signed = joined(encoder.encode(`${id}.${timestamp}.`), content)
  let matches = false
  for (const each of secrets) {
    const expected = `v1,${await signatureOf(signed, each)}`
    for (const signature of signatures) if (isSame(signature, expected)) matches = true
  }
  if (!matches) {
    throw new WebhookNotVerified(
      'NO_SIGNATURE_MATCHES',
      'webhook-signature: none is of this body and a given secret. Pass the body as it came, and the secret of this endpoint',
    )
  }
  return eventOf(content)
}

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body)
  if (body instanceof Uint8Array) return body
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  throw new TypeError('body: pass it as it came, as text or bytes, before anything parses it')
}

/** The problem is described, not shown. */
function keyOf(secret: unknown): Uint8Array<ArrayBuffer> {
  const text = typeof secret === 'string' ? secret.replace(secretPrefix, '') : ''
  const key = /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? decoded(text) : null
  if (key && key.length >= secretBytesMin && key.length <= secretBytesMax) return key
  throw new TypeError('secret: pass it as it was shown when the endpoint was made, whsec_…')
}

/** @returns null for what is no base64 */
function decoded(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), character => character.charCodeAt(0))
  } catch {
    return null
  }
}

/** @throws WebhookNotVerified when it is not there, or empty */
function header(headers: WebhookHeaders, name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : ofObject(headers, name)
  const text = Array.isArray(value) ? value.join(' ') : value
  if (typeof text === 'string' && text !== '') return text
  throw new WebhookNotVerified('HEADER_MISSING', `${name}: this header is missing`)
}

const ofObject = (headers: WebhookHeaders, name: string): unknown =>
  Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]

function checkTime(timestamp: string, nowSeconds: number): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookNotVerified('TIMESTAMP_INVALID', 'webhook-timestamp: it is no number of seconds')
  }
  const age = nowSeconds - Number(timestamp)
  if (age > toleranceSeconds) {
    throw new WebhookNotVerified('TOO_OLD', `webhook-timestamp: it was signed ${age} seconds ago`)
  }
  if (age < -toleranceSeconds) {
    const ahead = `webhook-timestamp: it was signed ${-age} seconds ahead of the clock of this machine`
    throw new WebhookNotVerified('TOO_NEW', ahead)
  }
}

function joined(head: Uint8Array, rest: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + rest.length)
  whole.set(head)
  whole.set(rest, head.length)
  return whole
}

async function signatureOf(signed: Uint8Array<ArrayBuffer>, secret: Uint8Array<ArrayBuffer>): Promise<string> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', key, signed)
  return btoa(String.fromCharCode(...new Uint8Array(signature)))
}

/** Takes as long for a signature that is right in its first characters as for any other. */
function isSame(given: string, expected: string): boolean {
  if (given.length !== expected.length) return false
  let difference = 0
  for (let at = 0; at < expected.length; at += 1) difference |= given.charCodeAt(at) ^ expected.charCodeAt(at)
  return difference === 0
}

function eventOf(content: Uint8Array): Event {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content))
    if (isObject(event) && typeof event.id === 'string' && typeof event.type === 'string') return event as Event
  } catch {
    // Said below.
  }
  throw new WebhookNotVerified('NOT_AN_EVENT', 'body: it is signed, but no event of a gateway')
}
