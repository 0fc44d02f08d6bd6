import { GatewayRefusal, NoAnswer } from './errors.ts'

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

export interface Call<Data> {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** What a send is deduplicated by: named in an error, so that the caller can go on with it. */
  readonly idempotencyKey: string | null
  /** Whether the `data` of a success is what the call asks for. */
  readonly isValid: (data: unknown) => data is Data
  readonly signal: AbortSignal | undefined
}

export interface RetryRules {
  /** Of one attempt with its whole answer. The gateway answers a send within 10 seconds by default. */
  readonly timeoutMs: number
  readonly attemptsMax: number
}

/** First wait between attempts; it doubles, and each is drawn from half of it to all of it. */
const waitMsMin = 500
/** A gateway that asks for a longer pause is not waited for: the caller knows better what to do meanwhile. */
const waitMsMax = 30_000
/** A larger answer is none of a gateway: the longest are its lists of templates. */
const answerBytesMax = 64 * 2 ** 20

/** Whether a repeat may mend it. All calls are safe to repeat: reads change nothing, and sends bear a key. */
const mayPass = (status: number) => status === 408 || status === 429 || status >= 500

/**
 * Makes the call, and repeats it while that is safe and may help.
 * @returns the `data` of the answer
 * @throws GatewayRefusal when the gateway refuses it for good
 * @throws NoAnswer when no attempt got a whole answer of the gateway
 * @throws the signal's reason when it is aborted
 */
export async function callGateway<Data>(
  call: Call<Data>,
  rules: RetryRules,
  surroundings: Surroundings,
): Promise<Data> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptOnce(call, rules.timeoutMs, surroundings)
    if (outcome.kind === 'answered') return outcome.data
    const { problem } = outcome
    const waitMs = Math.max(outcome.retryAfterMs ?? 0, backoffMs(attempt, surroundings.random))
    if (!outcome.isTemporary || attempt >= rules.attemptsMax || waitMs > waitMsMax) throw problem
    await surroundings.sleep(waitMs, call.signal)
  }
}

interface Failed {
  readonly kind: 'failed'
  readonly isTemporary: boolean
  readonly retryAfterMs: number | null
  readonly problem: GatewayRefusal | NoAnswer
}
type Outcome<Data> = { readonly kind: 'answered'; readonly data: Data } | Failed

async function attemptOnce<Data>(call: Call<Data>, timeoutMs: number, { fetch }: Surroundings): Promise<Outcome<Data>> {
  const { method, url, headers, body, idempotencyKey, isValid, signal } = call
  signal?.throwIfAborted()
  // No AbortSignal.timeout: Node 20 forgets it while a body is read, when memory is collected.
  const end = new AbortController()
  const stop = () => end.abort()
  const timer = setTimeout(stop, timeoutMs)
  signal?.addEventListener('abort', stop)
  let response: Response
  let text: string
  try {
    // An address that redirects is not the gateway, and must not get the key.
    response = await fetch(url, { method, headers, body, redirect: 'manual', signal: end.signal })
    text = await textOf(response, end.signal)
  } catch (cause) {
    const when = end.signal.aborted ? ` within ${timeoutMs} ms` : ''
    // What has not been read is not wanted any more.
    stop()
    signal?.throwIfAborted()
    return failed(new NoAnswer(`No whole answer of the gateway came${when}.`, idempotencyKey, cause), true, null)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
  const { status, ok, headers: answered } = response
  const answer = parsed(text)
  if (ok && answer.success === true && isValid(answer.data)) return { kind: 'answered', data: answer.data }
  const retryAfterMs = retryAfterOf(answered)
  const { error: code, message, details } = answer
  if (status < 400 || typeof code !== 'string' || typeof message !== 'string') {
    const problem = new NoAnswer(`What came with status ${status} is no answer of the gateway.`, idempotencyKey)
    return failed(problem, ok || mayPass(status), retryAfterMs)
  }
  const requestId = answered.get('x-request-id')
  const problem = new GatewayRefusal({ status, code, message, details, requestId, retryAfterMs, idempotencyKey })
  // The upstream's own refusal is final here: whether to send once more is the caller's decision.
  return failed(problem, mayPass(status) && code !== 'CHANNEL_GRAPH_ERROR', retryAfterMs)
}

const failed = (problem: GatewayRefusal | NoAnswer, isTemporary: boolean, retryAfterMs: number | null): Failed => ({
  kind: 'failed',
  isTemporary,
  retryAfterMs,
  problem,
})

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
