import { address, type Credentials, credentialHeaders, fromEnvironment } from './credentials.ts'
import type { Hooks } from './hooks.ts'
import { attemptLimit, timeLimit } from './limits.ts'
import { type Connection, callGateway, isObject, type Surroundings } from './transport.ts'
import type { Message, SendBody, Template } from './types.ts'
import { hasReached, isFinal, type WaitedStatus, type WaitOptions, waitMsDefault, watch } from './wait.ts'

export interface Settings extends Hooks {
  /** Of one attempt with its whole answer. Default: 30 seconds, at most 24 days; a gateway answers a send in 10. */
  readonly timeoutMs?: number | undefined
  /** Attempts of one call, the first included. Default: 4, at most 1,000. */
  readonly attemptsMax?: number | undefined
  /** For tests, and for a fetch that goes through a proxy. */
  readonly surroundings?: Partial<Surroundings> | undefined
}

export type ClientOptions = Settings &
  Credentials & {
    /** Where the gateway is: `https://gateway.example.com`, with a path below it if need be. */
    readonly url: string
  }

/** Options of one call. Omitted ones are those of the client; an invalid limit is refused with a TypeError. */
export interface CallOptions {
  /** Of one attempt: with `attemptsMax: 1`, of the whole call. */
  readonly timeoutMs?: number | undefined
  readonly attemptsMax?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface TemplateFilter extends CallOptions {
  readonly name?: string | undefined
  readonly language?: string | undefined
}

const timeoutMsDefault = 30_000
const attemptsMaxDefault = 4

/**
 * Talks to a Waypost gateway. Calls that get no whole answer, or a temporary refusal, are repeated: that never sends
 * twice, because each send has an idempotency key. Keep the secret on a server: a web page uses `withoutKey`.
 */
export class WaypostClient {
  readonly #connection: Connection
  readonly #headers: Readonly<Record<string, string>>
  readonly #limits: { readonly timeoutMs: number; readonly attemptsMax: number }

  /**
   * @throws TypeError for what can be no address of a gateway, no key, no time limit or no number of attempts, and for
   *   a secret in a web page
   */
  constructor(options: ClientOptions) {
    const { url, timeoutMs, attemptsMax, beforeAttempt, afterAttempt, surroundings } = options
    const base = `${address(url)}/api/v1/public`
    const hooks = { beforeAttempt, afterAttempt }
    this.#connection = { base, hooks, surroundings: { ...realSurroundings, ...surroundings } }
    this.#headers = credentialHeaders(options)
    this.#limits = {
      timeoutMs: timeLimit(timeoutMs ?? timeoutMsDefault),
      attemptsMax: attemptLimit(attemptsMax ?? attemptsMaxDefault),
    }
  }

  /**
   * Makes a client of the environment's `WAYPOST_URL`, `WAYPOST_API_KEY` and `WAYPOST_API_SECRET`.
   * @throws TypeError that names those which are missing, and as the constructor
   */
  static fromEnvironment(settings: Settings = {}): WaypostClient {
    return new WaypostClient({ ...settings, ...fromEnvironment() })
  }

  /**
   * Sends a message. Without an `idempotencyKey` it gets a new one; give your own (an order's number, say) when the
   * same send may be asked for again by another process or after a restart.
   * @returns the message; `idempotentReplay` is true when it had been sent before. `UNKNOWN` means that the upstream's
   *   answer was lost: do not send it again, its status settles later
   * @throws GatewayRefusal, NoAnswer
   */
  async send(body: SendBody, options: CallOptions = {}): Promise<Message> {
    const idempotencyKey = body.idempotencyKey ?? crypto.randomUUID()
    const headers = { ...this.#headers, 'content-type': 'application/json' }
    const request = { method: 'POST' as const, path: '/messages/send', headers, idempotencyKey }
    const text = JSON.stringify({ ...body, idempotencyKey })
    return callGateway({ ...request, body: text, isValid: isMessage, ...this.#for(options) }, this.#connection)
  }

  /** @returns the message as it stands now. @throws GatewayRefusal (`NOT_FOUND`), NoAnswer */
  async status(messageId: string, options: CallOptions = {}): Promise<Message> {
    return this.#get(`/messages/${encodeURIComponent(messageId)}`, isMessage, options)
  }

  /**
   * @returns every approved template, or those of a name and language; there are no pages. @throws GatewayRefusal,
   *   NoAnswer
   */
  async templates({ name, language, ...options }: TemplateFilter = {}): Promise<readonly Template[]> {
    const query = new URLSearchParams({
      ...(name !== undefined && { name }),
      ...(language !== undefined && { language }),
    })
    return (await this.#get(`/templates?${query}`, isListing, options)).templates
  }

  /**
   * Waits until a message has the status, or a later one: `READ` fulfils `DELIVERED`, and every status `QUEUED`.
   * @throws TypeError for a status that cannot be waited for
   * @throws MessageFailed, WaitTimeout, GatewayRefusal, NoAnswer
   */
  async waitFor(messageId: string, status: WaitedStatus, options: WaitOptions = {}): Promise<Message> {
    return only(this.#watch([messageId], hasReached(status), options))
  }

  /**
   * Waits until a message is `DELIVERED`, `READ` or `FAILED`.
   * @throws WaitTimeout, GatewayRefusal, NoAnswer
   */
  async waitUntilFinal(messageId: string, options: WaitOptions = {}): Promise<Message> {
    return only(this.#watch([messageId], isFinal, options))
  }

  /**
   * Waits for many messages, and yields each when it is `DELIVERED`, `READ` or `FAILED`. They are polled one after the
   * other, and each poll counts as a request.
   * @throws WaitTimeout, GatewayRefusal, NoAnswer
   */
  eachFinal(messageIds: Iterable<string>, options: WaitOptions = {}): AsyncGenerator<Message, void> {
    return this.#watch(messageIds, isFinal, options)
  }

  #watch(messageIds: Iterable<string>, isDone: (message: Message) => boolean, { timeoutMs, signal }: WaitOptions) {
    const look = (messageId: string) => this.status(messageId, { signal })
    const until = { timeoutMs: timeLimit(timeoutMs ?? waitMsDefault), signal }
    return watch(look, messageIds, isDone, until, this.#connection.surroundings)
  }

  #get<Data>(path: string, isValid: (data: unknown) => data is Data, options: CallOptions): Promise<Data> {
    const request = { method: 'GET' as const, path, headers: this.#headers, body: null, idempotencyKey: null }
    return callGateway({ ...request, isValid, ...this.#for(options) }, this.#connection)
  }

  #for({ timeoutMs, attemptsMax, signal }: CallOptions) {
    const ofAll = this.#limits
    return {
      timeoutMs: timeLimit(timeoutMs ?? ofAll.timeoutMs),
      attemptsMax: attemptLimit(attemptsMax ?? ofAll.attemptsMax),
      signal,
    }
  }
}

/** @returns the message that a watch of one message ends with */
async function only(watched: AsyncGenerator<Message, void>): Promise<Message> {
  for await (const message of watched) return message
  throw new Error('The wait for a message ended without it.')
}

const isMessage = (data: unknown): data is Message =>
  isObject(data) && typeof data.id === 'string' && typeof data.status === 'string'

const isListing = (data: unknown): data is { templates: readonly Template[] } =>
  isObject(data) && Array.isArray(data.templates)

const realSurroundings: Surroundings = {
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
