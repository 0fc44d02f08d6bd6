import { GatewayRefusal, NoAnswer } from './errors.ts'
import type { ErrorBody } from './types.ts'

/** Time, randomness and network, so that tests need none of the real ones. */
export interface Surroundings {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Rejects with the signal's reason when it is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** From 0 (included) to 1. */
  readonly random: () => number
  /** Milliseconds that never go back. */
  readonly now: () => number
}

export interface Call {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** What a send is deduplicated by: named in an error, so that the caller can go on with it. */
  readonly idempotencyKey: string | null
  readonly signal: AbortSignal | undefined
}

export interface RetryRules {
  /** Of one attempt. The gateway answers a send within 10 seconds by default. */
  readonly timeoutMs: number
  readonly attemptsMax: number
}

/** First wait between attempts; it doubles, and each is drawn from half of it to all of it. */
const waitMsMin = 500
/** A gateway that asks for a longer pause is not waited for: the caller knows better what to do meanwhile. */
const waitMsMax = 30_000

/** Statuses that a repeat may mend. All calls are safe to repeat: reads change nothing, and sends bear a key. */
const temporary = new Set([429, 500, 502, 503, 504])

/**
 * Makes the call, and repeats it while that is safe and may help.
 * @returns the `data` of the answer
 * @throws GatewayRefusal when the gateway refuses it for good
 * @throws NoAnswer when no attempt was answered by the gateway
 * @throws the signal's reason when it is aborted
 */
export async function callGateway(call: Call, rules: RetryRules, surroundings: Surroundings): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptOnce(call, rules.timeoutMs, surroundings)
    if (outcome.kind === 'answered') return outcome.data
    const { problem } = outcome
    const waitMs = Math.max(outcome.retryAfterMs ?? 0, backoffMs(attempt, surroundings.random))
    if (!outcome.isTemporary || attempt >= rules.attemptsMax || waitMs > waitMsMax) throw problem
    await surroundings.sleep(waitMs, call.signal)
  }
}

type Outcome =
  | { readonly kind: 'answered'; readonly data: unknown }
  | {
      readonly kind: 'failed'
      readonly isTemporary: boolean
      readonly retryAfterMs: number | null
      readonly problem: GatewayRefusal | NoAnswer
    }

async function attemptOnce(call: Call, timeoutMs: number, { fetch }: Surroundings): Promise<Outcome> {
  const { method, url, headers, body, idempotencyKey, signal } = call
  const timeout = AbortSignal.timeout(timeoutMs)
  let response: Response
  let text: string
  try {
    response = await fetch(url, {
      method,
      headers,
      body,
      // An address that redirects is not the gateway, and must not get the key.
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    text = await response.text()
  } catch (cause) {
    signal?.throwIfAborted()
    const why = timeout.aborted ? `did not answer within ${timeoutMs} ms` : 'could not be reached'
    return failed(new NoAnswer(`The gateway ${why}.`, idempotencyKey, cause), true, null)
  }
  const answer = parsed(text)
  if (response.ok && isSuccess(answer)) return { kind: 'answered', data: answer.data }
  const retryAfterMs = retryAfterOf(response.headers)
  if (!isError(answer)) {
    const problem = new NoAnswer(`Something in front of the gateway answered ${response.status}.`, idempotencyKey)
    return failed(problem, response.ok || temporary.has(response.status), retryAfterMs)
  }
  const { error: code, message, details } = answer
  const requestId = response.headers.get('x-request-id')
  const problem = new GatewayRefusal({ status: response.status, code, message, details, requestId, retryAfterMs })
  // The upstream's own refusal is final here: whether to send once more is the caller's decision.
  return failed(problem, temporary.has(response.status) && code !== 'CHANNEL_GRAPH_ERROR', retryAfterMs)
}

const failed = (problem: GatewayRefusal | NoAnswer, isTemporary: boolean, retryAfterMs: number | null): Outcome => ({
  kind: 'failed',
  isTemporary,
  retryAfterMs,
  problem,
})

function backoffMs(attempt: number, random: () => number): number {
  const longest = Math.min(waitMsMin * 2 ** (attempt - 1), waitMsMax)
  return longest * (0.5 + random() / 2)
}

/** The gateway writes whole seconds. */
function retryAfterOf(headers: Headers): number | null {
  const seconds = headers.get('retry-after')
  return seconds !== null && /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1_000 : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isSuccess = (answer: unknown): answer is { success: true; data: unknown } =>
  isObject(answer) && answer.success === true && 'data' in answer

const isError = (answer: unknown): answer is ErrorBody =>
  isObject(answer) && typeof answer.error === 'string' && typeof answer.message === 'string'
