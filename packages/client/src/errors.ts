import type { Message } from './types.ts'

/** The gateway answered with a refusal; `code` is its stable error code. */
export class GatewayRefusal extends Error {
  override readonly name = 'GatewayRefusal'
  readonly status: number
  readonly code: string
  readonly details: unknown
  /** Names the request in the gateway's log. */
  readonly requestId: string | null
  /** How long to wait before another try; null when the gateway does not say. */
  readonly retryAfterMs: number | null
  /** The key that a send was made with; null for the other calls. */
  readonly idempotencyKey: string | null

  constructor(refusal: {
    status: number
    code: string
    message: string
    details: unknown
    requestId: string | null
    retryAfterMs: number | null
    idempotencyKey: string | null
  }) {
    super(refusal.message)
    this.status = refusal.status
    this.code = refusal.code
    this.details = refusal.details
    this.requestId = refusal.requestId
    this.retryAfterMs = refusal.retryAfterMs
    this.idempotencyKey = refusal.idempotencyKey
  }
}

/**
 * No whole answer of the gateway came: it could not be reached, took too long, or what came was cut, garbled or from
 * something in front of it. A send may have been accepted anyway: call again with the same `idempotencyKey` to find out
 * without sending twice.
 */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  /** The key that a send was made with; null for the other calls. */
  readonly idempotencyKey: string | null

  constructor(message: string, idempotencyKey: string | null, cause?: unknown) {
    super(message, { cause })
    this.idempotencyKey = idempotencyKey
  }
}

/** `waitFor` met a message that failed; `failed.failureReason` says why. A late delivery can still correct it. */
export class MessageFailed extends Error {
  override readonly name = 'MessageFailed'
  readonly failed: Message

  constructor(failed: Message) {
    const why = `failed: ${failed.failureReason ?? 'no reason was given'}`
    super(`The message ${failed.id} ${failed.status === 'CANCELLED' ? 'was cancelled' : why}`)
    this.failed = failed
  }
}

/** A wait ran out of time; `last` is a message that it still waited for, as it stood. It may still be delivered. */
export class WaitTimeout extends Error {
  override readonly name = 'WaitTimeout'
  readonly last: Message

  constructor(last: Message, timeoutMs: number) {
    super(`The message ${last.id} is ${last.status} after ${timeoutMs} ms`)
    this.last = last
  }
}

/** What is wrong with a request that no endpoint of the gateway has made for you, or not now. */
export type WebhookProblem =
  | 'HEADER_MISSING'
  | 'TIMESTAMP_INVALID'
  | 'TOO_OLD'
  | 'TOO_NEW'
  | 'NO_SIGNATURE_MATCHES'
  | 'NOT_AN_EVENT'

/** A request is not to be trusted: answer it with 400, and do nothing of what it says. */
export class WebhookNotVerified extends Error {
  override readonly name = 'WebhookNotVerified'
  readonly code: WebhookProblem

  constructor(code: WebhookProblem, message: string) {
    super(message)
    this.code = code
  }
}
