import { webhookHeaders } from '../crypto/webhookSignature.ts'
import type { Cidr } from '../network.ts'
import { type Clock, type EpochMs, systemClock } from '../time/clock.ts'
import { createTransport, type Transport } from '../transport/transport.ts'
import { createWebhookAddresses, type WebhookAddresses } from './address.ts'

/** One event, to be delivered to one endpoint. */
export interface WebhookRequest {
  readonly url: string
  /** The caller's own. */
  readonly headers: Readonly<Record<string, string>>
  /** Those that sign, newest first. */
  readonly secrets: readonly string[]
  /** Of the event. */
  readonly id: string
  /** JSON. */
  readonly body: string
  /** When the attempt is made. */
  readonly at: EpochMs
}

/** What became of it. It worked when the status is 2xx. */
export interface WebhookAnswer {
  readonly durationMs: number
  /** Null: no answer, see `error`. */
  readonly status: number | null
  /** For people. */
  readonly error: string | null
  /** The beginning of the answer's body, as text. */
  readonly answer: string | null
  readonly retryAfter: string | null
}

/** Makes attempts, and keeps connections between them. */
export interface Attempts {
  attempt(request: WebhookRequest): Promise<WebhookAnswer>
  /** Attempts that are under way end as failures. */
  close(): void
}

export interface AttemptOptions {
  /** `WEBHOOK_ALLOWED_NETWORKS`. */
  readonly networks: readonly Cidr[]
  /** Of the program, for `User-Agent`. */
  readonly version: string
}

/** Standard Webhooks advises 15 to 30 s. A receiver that takes longer should put its work into a queue. */
const timeoutMs = 15_000
/** Read of an answer. The connection is closed when there is more. */
const answerBytesMax = 65_536
/** Kept of an answer, or of why there was none: enough for what went wrong. */
const answerCharsMax = 1_000

/** @returns whether an attempt has delivered its event */
export const hasWorked = (status: number | null): boolean => status !== null && status >= 200 && status < 300

/**
 * Attempts through the address guard: in the notifier thread, and where there is no gateway, in a command.
 * @param parts of a test: another clock for the time limit, another guard
 */
export function createAttempts(
  { networks, version }: AttemptOptions,
  parts: { readonly clock?: Clock; readonly addresses?: WebhookAddresses; readonly ca?: string } = {},
): Attempts {
  const { clock = systemClock, addresses = createWebhookAddresses(networks), ca } = parts
  const transport = createTransport(clock, { lookupFor: addresses.lookupFor, ...(ca !== undefined && { ca }) })
  return {
    async attempt(request) {
      const startedAt = clock.steady()
      const end = await post(request, { transport, addresses, version })
      return { ...end, durationMs: Math.round(clock.steady() - startedAt) }
    },
    close: () => transport.close(),
  }
}

type End = Omit<WebhookAnswer, 'durationMs'>

async function post(
  { url, headers, secrets, id, body, at }: WebhookRequest,
  parts: { readonly transport: Transport; readonly addresses: WebhookAddresses; readonly version: string },
): Promise<End> {
  // An address is never looked up, so it is judged here; a name at the connection.
  const problem = parts.addresses.problemOf(url)
  if (problem !== null) return failed(problem)
  const seconds = Math.floor(at / 1_000)
  const exchange = await parts.transport.exchange({
    method: 'POST',
    url,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'user-agent': `Waypost/${parts.version}`,
      'accept-encoding': 'identity',
      ...webhookHeaders(secrets, { id, seconds, body }),
    },
    body,
    timeoutMs,
    answerBytesMax,
  })
  switch (exchange.kind) {
    case 'notSent':
    case 'lost':
      return failed(exchange.why)
    case 'answered':
      return {
        status: exchange.status,
        error: null,
        answer: exchange.body.slice(0, answerCharsMax),
        retryAfter: exchange.headers['retry-after'] ?? null,
      }
  }
}

/** @param why may be long: it repeats the names of a certificate, which the receiver chooses */
const failed = (why: string): End => ({
  ...{ status: null, error: why.slice(0, answerCharsMax) },
  ...{ answer: null, retryAfter: null },
})
