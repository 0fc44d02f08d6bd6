import { callGateway, isObject, type Surroundings } from './transport.ts'
import type { Message, SendBody, Template } from './types.ts'
import { type WaitedStatus, type WaitOptions, waitForStatus } from './wait.ts'

export interface ClientOptions {
  /** Where the gateway is: `https://gateway.example.com`, with a path below it if need be. */
  readonly url: string
  readonly apiKey: string
  readonly apiSecret: string
  /** Of one attempt with its whole answer. Default: 30 seconds; the gateway answers a send within 10. */
  readonly timeoutMs?: number
  /** Attempts of one call, the first included. Default: 4. */
  readonly attemptsMax?: number
  /** For tests, and for a fetch that goes through a proxy. */
  readonly surroundings?: Partial<Surroundings>
}

export interface SendOptions {
  readonly signal?: AbortSignal
}

export interface TemplateFilter {
  readonly name?: string
  readonly language?: string
  readonly signal?: AbortSignal
}

const timeoutMsDefault = 30_000
const attemptsMaxDefault = 4

/**
 * Talks to a Waypost gateway. Calls that get no whole answer, or a temporary refusal, are repeated: that never sends twice,
 * because each send bears an idempotency key. Keep the secret on a server: this client is not for web pages.
 */
export class WaypostClient {
  readonly #base: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #rules: { readonly timeoutMs: number; readonly attemptsMax: number }
  readonly #surroundings: Surroundings

  /** @throws TypeError for what can be no address of a gateway, or no key */
  constructor({ url, apiKey, apiSecret, timeoutMs, attemptsMax, surroundings }: ClientOptions) {
    this.#base = `${address(url)}/api/v1/public`
    this.#headers = { apiKey: credential('apiKey', apiKey), apiSecret: credential('apiSecret', apiSecret) }
    this.#rules = { timeoutMs: timeoutMs ?? timeoutMsDefault, attemptsMax: attemptsMax ?? attemptsMaxDefault }
    this.#surroundings = { ...realSurroundings, ...surroundings }
  }

  /**
   * Sends a message. Without an `idempotencyKey` it gets a new one; give your own (an order's number, say) when the same
   * send may be asked for again by another process or after a restart.
   * @returns the message; `idempotentReplay` is true when it had been sent before. `UNKNOWN` means that the upstream's
   *   answer was lost: do not send it again, its status settles later
   * @throws GatewayRefusal, NoAnswer
   */
  async send(body: SendBody, { signal }: SendOptions = {}): Promise<Message> {
    const idempotencyKey = body.idempotencyKey ?? crypto.randomUUID()
    const headers = { ...this.#headers, 'content-type': 'application/json' }
    const url = `${this.#base}/messages/send`
    const text = JSON.stringify({ ...body, idempotencyKey })
    const call = { method: 'POST' as const, url, headers, body: text, idempotencyKey, isValid: isMessage, signal }
    return callGateway(call, this.#rules, this.#surroundings)
  }

  /** @returns the message as it stands now. @throws GatewayRefusal (`NOT_FOUND`), NoAnswer */
  async status(messageId: string, { signal }: SendOptions = {}): Promise<Message> {
    return this.#get(`/messages/${encodeURIComponent(messageId)}`, isMessage, signal)
  }

  /** @returns every approved template, or those of a name and language. @throws GatewayRefusal, NoAnswer */
  async templates({ name, language, signal }: TemplateFilter = {}): Promise<readonly Template[]> {
    const query = new URLSearchParams({
      ...(name !== undefined && { name }),
      ...(language !== undefined && { language }),
    })
    return (await this.#get(`/templates?${query}`, isListing, signal)).templates
  }

  /**
   * Waits until a message has the status, or a later one: `READ` fulfils `DELIVERED`, and every status `QUEUED`.
   * @throws TypeError for a status that cannot be waited for
   * @throws MessageFailed, WaitTimeout, GatewayRefusal, NoAnswer
   */
  waitFor(messageId: string, status: WaitedStatus, options: WaitOptions = {}): Promise<Message> {
    const { signal } = options
    const look = () => this.status(messageId, signal ? { signal } : {})
    return waitForStatus(look, status, options, this.#surroundings)
  }

  #get<Data>(path: string, isValid: (data: unknown) => data is Data, signal: AbortSignal | undefined): Promise<Data> {
    const call = { method: 'GET' as const, url: this.#base + path, headers: this.#headers, body: null, isValid, signal }
    return callGateway({ ...call, idempotencyKey: null }, this.#rules, this.#surroundings)
  }
}

const isMessage = (data: unknown): data is Message =>
  isObject(data) && typeof data.id === 'string' && typeof data.status === 'string'

const isListing = (data: unknown): data is { templates: readonly Template[] } =>
  isObject(data) && Array.isArray(data.templates)

/** http or https, a host, perhaps a port and a path; nothing that must be encoded. */
const addressPattern = /^https?:\/\/([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?(\/[!-~]*)?$/i

/** The problem is described, not shown: an address may have a password in it. */
function address(url: string): string {
  const trimmed = `${url}`.replace(/\/+$/, '')
  if (addressPattern.test(trimmed) && !/[?#]|\/api\/v1\/public$/.test(trimmed) && URL.canParse(trimmed)) return trimmed
  throw new TypeError(
    'url: pass the address of the gateway, as in "https://gateway.example.com": http or https, a host, perhaps a port ' +
      'and a path; no user, password, query or fragment, and without /api/v1/public',
  )
}

/** A header cannot hold anything else, and the error of a header would show the secret. */
function credential(name: string, value: string): string {
  if (/^[!-~]+$/.test(`${value ?? ''}`)) return value
  throw new TypeError(`${name}: pass it as it was shown when it was made, without spaces or line ends`)
}

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
