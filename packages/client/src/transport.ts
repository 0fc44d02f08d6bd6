import { GatewayRefusal, NoAnswer } from './errors.ts'
import { type Hooks, tell } from './hooks.ts'

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

export const realSurroundings: Surroundings = {
  fetch: (url, init) => fetch(url, init),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason)
        return
      }
      const stop = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, ms)
      signal?.addEventListener('abort', stop, { once: true })
    }),
  random: Math.random,
  now: () => performance.now(),
}

export interface Call<Data> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below the base of the gateway. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | FormData | null
  /** What a send is deduplicated by: named in an error, so that the caller can go on with it. */
  readonly idempotencyKey: string | null
  /** @returns what the call asks for, of the answer of a success; null when that is not in it */
  readonly read: (answer: Readonly<Record<string, unknown>>) => Data | null
  /** Of a call whose success is no JSON: takes what comes as it comes. `end` ends it. */
  readonly open?: ((response: Response, end: AbortController) => Data) | undefined
  /** Of one attempt with its whole answer. */
  readonly timeoutMs: number
  readonly attemptsMax: number
  readonly signal: AbortSignal | undefined
}

/** What all calls of a client share. */
export interface Connection {
  /** The address of the gateway with `/api/v1/public`. */
  readonly base: string
  readonly hooks: Hooks
  readonly surroundings: Surroundings
}

/** First wait between attempts; it doubles, and each is drawn from half of it to all of it. */
const waitMsMin = 500
/** For a longer pause the client does not wait: the caller knows better what to do meanwhile. */
const waitMsMax = 30_000
/** A larger answer cannot be a gateway's: its longest are lists of templates. */
const answerBytesMax = 64 * 2 ** 20

/**
 * Whether a retry may help. All calls are safe to repeat: reads change nothing, sends have a key, and read marks,
 * times and cancellations stay.
 */
const mayPass = (status: number) => status === 408 || status === 429 || status >= 500

/**
 * Makes the call, and repeats it while that is safe and may help.
 * @returns what the call reads of the answer
 * @throws GatewayRefusal when the gateway refuses it for good
 * @throws NoAnswer when no attempt got a whole answer of the gateway
 * @throws the signal's reason when it is aborted
 */
export async function callGateway<Data>(call: Call<Data>, connection: Connection): Promise<Data> {
  const { hooks, surroundings } = connection
  const { method, path, idempotencyKey, signal } = call
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted()
    const seen = { method, path, attempt, idempotencyKey }
    const startedAt = surroundings.now()
    tell(hooks.beforeAttempt, seen)
    const outcome = await attemptOnce(call, connection)
    const waitMs = outcome.kind === 'failed' ? waitMsAfter(outcome, attempt, call.attemptsMax, surroundings) : null
    const { status, requestId } = outcome.response
    const problem = outcome.kind === 'answered' ? null : outcome.problem
    const durationMs = surroundings.now() - startedAt
    tell(hooks.afterAttempt, { ...seen, durationMs, status, requestId, problem, repeatInMs: waitMs })
    if (outcome.kind === 'answered') return outcome.data
    if (waitMs === null) throw outcome.problem
    await surroundings.sleep(waitMs, signal)
  }
}

/** @returns how long to wait for the next attempt; null when there is none */
function waitMsAfter(failure: Failed, attempt: number, attemptsMax: number, { random }: Surroundings): number | null {
  const waitMs = Math.max(failure.retryAfterMs ?? 0, backoffMs(attempt, random))
  return failure.isTemporary && attempt < attemptsMax && waitMs <= waitMsMax ? waitMs : null
}

/** What is known of an answer, whatever its body is. */
interface Arrived {
  readonly status: number | null
  readonly requestId: string | null
}
interface Failed {
  readonly kind: 'failed'
  readonly isTemporary: boolean
  readonly retryAfterMs: number | null
  readonly problem: GatewayRefusal | NoAnswer
  readonly response: Arrived
}
type Outcome<Data> =
  | { readonly kind: 'answered'; readonly data: Data; readonly response: Arrived }
  /** `problem` is the reason of the caller's abort. */
  | { readonly kind: 'aborted'; readonly problem: unknown; readonly response: Arrived }
  | Failed

const nothing: Arrived = { status: null, requestId: null }

async function attemptOnce<Data>(call: Call<Data>, { base, surroundings }: Connection): Promise<Outcome<Data>> {
  const { method, path, headers, body, idempotencyKey, read, open, timeoutMs, signal } = call
  // A hook may have aborted it just now.
  if (signal?.aborted) return { kind: 'aborted', problem: signal.reason, response: nothing }
  // No AbortSignal.timeout: Node 20 forgets it while a body is read, when memory is collected.
  const end = new AbortController()
  const stop = () => end.abort()
  const timer = setTimeout(stop, timeoutMs)
  signal?.addEventListener('abort', stop)
  let response: Response
  let text: string
  try {
    // An address that redirects is not the gateway, and must not get the key.
    const init = { method, headers, body, redirect: 'manual' as const, signal: end.signal }
    response = await surroundings.fetch(base + path, init)
    if (open && (response.status === 200 || response.status === 206)) {
      const arrived = { status: response.status, requestId: response.headers.get('x-request-id') }
      return { kind: 'answered', data: open(response, end), response: arrived }
    }
    text = await textOf(response, end.signal)
  } catch (cause) {
    const when = end.signal.aborted ? ` within ${timeoutMs} ms` : ''
    // The rest of the body is not needed any more.
    stop()
    if (signal?.aborted) return { kind: 'aborted', problem: signal.reason, response: nothing }
    const problem = new NoAnswer(`No whole answer of the gateway came${when}.`, idempotencyKey, cause)
    return { kind: 'failed', isTemporary: true, retryAfterMs: null, problem, response: nothing }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
  const { status, ok, headers: answered } = response
  const requestId = answered.get('x-request-id')
  const arrived = { status, requestId }
  const answer = parsed(text)
  const data = ok && answer.success === true ? read(answer) : null
  if (data !== null) return { kind: 'answered', data, response: arrived }
  const retryAfterMs = retryAfterOf(answered)
  const { error: code, message, details } = answer
  if (status < 400 || typeof code !== 'string' || typeof message !== 'string') {
    const problem = new NoAnswer(`What came with status ${status} is no answer of the gateway.`, idempotencyKey)
    return { kind: 'failed', isTemporary: ok || mayPass(status), retryAfterMs, problem, response: arrived }
  }
  const problem = new GatewayRefusal({ status, code, message, details, requestId, retryAfterMs, idempotencyKey })
  // The upstream's own refusal is final here: the caller decides whether to send again.
  const isTemporary = mayPass(status) && code !== 'CHANNEL_GRAPH_ERROR'
  return { kind: 'failed', isTemporary, retryAfterMs, problem, response: arrived }
}

/** @throws when the answer is cut, too large or no UTF-8, or when the end comes first */
async function textOf(response: Response, end: AbortSignal): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  // Cancelled by ourselves for the same reason: fetch may have forgotten the signal.
  end.addEventListener('abort', () => void reader.cancel().catch(() => {}))
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let length = 0
  for (;;) {
    end.throwIfAborted()
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > answerBytesMax) throw new Error(`The answer is larger than ${answerBytesMax} bytes.`)
    text += decoder.decode(value, { stream: true })
  }
  end.throwIfAborted()
  return text + decoder.decode()
}

function backoffMs(attempt: number, random: () => number): number {
  const longest = Math.min(waitMsMin * 2 ** (attempt - 1), waitMsMax)
  return longest * (0.5 + random() / 2)
}

/** The gateway writes whole seconds. */
function retryAfterOf(headers: Headers): number | null {
  const seconds = headers.get('retry-after')
  return seconds !== null && /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1_000 : null
}

/** @returns the object that a text is; an empty one for whatever else came */
function parsed(text: string): Record<string, unknown> {
  try {
    const answer: unknown = JSON.parse(text)
    return isObject(answer) ? answer : {}
  } catch {
    return {}
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
