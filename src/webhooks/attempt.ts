import { type Clock, type EpochMs, systemClock } from '../base/clock.ts'
import type { WebhookFormat } from '../base/eventTypes.ts'
import { asciiJson } from '../base/json.ts'
import type { Cidr } from '../base/network.ts'
import { platformHeaders, webhookHeaders } from '../base/webhookSignature.ts'
import { createTransport, type HttpAnswer, type HttpRequest, type Transport } from '../transport/transport.ts'
import { createWebhookAddresses, type WebhookAddresses } from './address.ts'

/** One event, to be delivered to one endpoint. */
export interface WebhookRequest {
  readonly url: string
  readonly format: WebhookFormat
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

/** Asks a receiver of the platform's format whether it is one. */
export interface Challenge extends Pick<WebhookRequest, 'url' | 'headers'> {
  /** Digits. The receiver answers it. */
  readonly challenge: string
  /** By which the receiver knows who asks. */
  readonly verifyToken: string
}

/** What became of it: see `hasWorked`. */
export interface WebhookAnswer {
  readonly durationMs: number
  /** Null: no answer, see `error`. */
  readonly status: number | null
  /** Why there was no whole answer, for people; null: there was one. */
  readonly error: string | null
  /** The beginning of the answer's body, as text. */
  readonly answer: string | null
  readonly retryAfter: string | null
}

/** Makes attempts, and keeps connections between them. */
export interface Attempts {
  attempt(request: WebhookRequest): Promise<WebhookAnswer>
  /** Asks once, as an attempt would: some receivers take a verify token a single time. */
  verify(challenge: Challenge): Promise<WebhookAnswer>
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
/**
 * Of an answer. What is beyond is not read, and the attempt has failed: the answer is not known. Receivers of all
 * workspaces share a thread, so an answer may not take much more of it than a short one does: 256 pieces take 0.2 ms.
 */
const answerMax = { bytes: 65_536, smallPieces: 256 } as const
/** Kept of an answer, or of why there was none: enough for what went wrong. */
const answerCharsMax = 1_000

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
  const timed = async (sent: Sent) => {
    const startedAt = clock.steady()
    const end = await exchanged(sent, { transport, addresses, version })
    return { ...end, durationMs: Math.round(clock.steady() - startedAt) }
  }
  return {
    attempt: request => timed(posted(request)),
    verify: challenge => timed(asked(challenge)),
    close: () => transport.close(),
  }
}

type End = Omit<WebhookAnswer, 'durationMs'>

type Sent = Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'> & {
  /** Without what is asked in its query. */
  readonly address: string
}

function posted({ url, headers, secrets, id, body: json, at, format }: WebhookRequest): Sent {
  const [newest = ''] = secrets
  const seconds = Math.floor(at / 1_000)
  const isOfPlatform = format === 'platform'
  // Some programs write what they have parsed as the platform does, and verify that.
  const body = isOfPlatform ? asciiJson(json) : json
  const signature = isOfPlatform ? platformHeaders(newest, body) : webhookHeaders(secrets, { id, seconds, body })
  return {
    ...{ method: 'POST', url, address: url, body },
    headers: { ...headers, 'content-type': 'application/json', ...signature },
  }
}

/** As the platform asks (docs/upstream.md#webhook-verification). */
function asked({ url, headers, challenge, verifyToken }: Challenge): Sent {
  const query = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.challenge': challenge,
    'hub.verify_token': verifyToken,
  })
  return { method: 'GET', url: `${url}${url.includes('?') ? '&' : '?'}${query}`, address: url, headers }
}

async function exchanged(
  { address, headers, ...request }: Sent,
  parts: { readonly transport: Transport; readonly addresses: WebhookAddresses; readonly version: string },
): Promise<End> {
  // An address is never looked up, so it is judged here; a name at the connection.
  const problem = parts.addresses.problemOf(address)
  if (problem !== null) return failed(problem)
  const exchange = await parts.transport.exchange({
    ...request,
    headers: {
      ...headers,
      'user-agent': `Waypost/${parts.version}`,
      'accept-encoding': 'identity',
    },
    timeoutMs,
    answerMax,
  })
  switch (exchange.kind) {
    case 'notSent':
      return failed(exchange.why)
    case 'lost':
      return { ...failed(exchange.why), ...(exchange.begun && kept(exchange.begun)) }
    case 'answered':
      return { ...kept(exchange), error: null }
  }
}

/** What is kept of an answer, or of the beginning of one. */
const kept = ({ status, headers, body }: HttpAnswer) => ({
  ...{ status, answer: body.slice(0, answerCharsMax), retryAfter: headers['retry-after'] ?? null },
})

/** @param why may be long: it repeats the names of a certificate, which the receiver chooses */
const failed = (why: string): End => ({
  ...{ status: null, error: why.slice(0, answerCharsMax) },
  ...{ answer: null, retryAfter: null },
})
