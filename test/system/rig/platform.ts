import { type RunningSandbox, startSandbox } from '../../../src/sandbox/server.ts'
import { type Sent, sentOf } from './contents.ts'

/** What the stand-in did with one request: it says so or not, and the message went out or not. */
export interface Arrival extends Sent {
  /** By the stand-in's clock. */
  readonly at: number
  /** The upstream's id of the line. */
  readonly line: string
  readonly messageId: string
  readonly outcome: 'accepted' | 'refused' | 'lost' | 'dropped'
  readonly code: number | undefined
  /** The upstream's id of what went out. */
  readonly wamid: string | undefined
}

export const account = {
  accountId: '100001',
  accessToken: 'access-token',
  appSecret: 'app-secret',
  verifyToken: 'verify-token',
}

export const templateName = 'crash_notice'
export const templateComponents = [
  { type: 'BODY', text: 'Please note: {{1}}.', example: { body_text: [['this']] } },
] as const

interface Target {
  next: (() => string) | null
}

/** Host of the callback addresses: the stand-in's fetch puts the running gateway in its place. */
const placeholder = 'http://gateway.invalid'

/** The upstream of a crash run. It outlives every gateway, and its journal is the truth about what went out. */
export class Platform {
  readonly url: string
  readonly #sandbox: RunningSandbox
  readonly #target: Target
  readonly #arrivals: Arrival[] = []
  #seq = 0

  private constructor(sandbox: RunningSandbox, target: Target) {
    this.#sandbox = sandbox
    this.#target = target
    this.url = sandbox.url
  }

  static async start(lines: readonly { upstreamPhoneId: string; number: string }[]): Promise<Platform> {
    const target: Target = { next: null }
    const toGateway = (input: string | URL | Request, init?: RequestInit) => {
      const address = input instanceof Request ? input.url : String(input)
      if (target.next === null) return Promise.reject(new Error('the gateway is down'))
      return fetch(address.replace(placeholder, target.next()), init)
    }
    const sandbox = await startSandbox({
      accountId: account.accountId,
      accessToken: account.accessToken,
      appSecret: account.appSecret,
      lines,
      // A stand-in asks it for nothing but requests.
      fetch: toGateway as typeof fetch,
      // Counts as subscribed; each line has an address of its own.
      callbackUrl: placeholder,
      deliveredAfterMs: 150,
      readAfterMs: 300,
    })
    // On a busy machine a start takes seconds, and the next kill may come before a callback is taken: minutes of
    // repeats.
    sandbox.control.configure({ callbacks: { retryGapsMs: [100, 200, 400, ...Array(196).fill(800)] } })
    sandbox.control.putTemplate({ name: templateName, language: 'en_US', components: [...templateComponents] })
    return new Platform(sandbox, target)
  }

  /** Makes every nth answer of a line slow, so that a kill finds messages of every age in flight. */
  slowDown(upstreamPhoneId: string, every: number, afterMs: number): void {
    this.#sandbox.control.addFault({ line: upstreamPhoneId, every, afterMs, answer: 'accept' })
  }

  /** Where a gateway is now, for each callback; null while there is none. */
  point(next: Target['next']): void {
    this.#target.next = next
  }

  /** The callbacks of a line go to this path of the gateway, which must be running. */
  async subscribe(upstreamPhoneId: string, path: string): Promise<void> {
    const answer = await fetch(`${this.url}/v25.0/${upstreamPhoneId}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        webhook_configuration: { override_callback_uri: placeholder + path, verify_token: account.verifyToken },
      }),
    })
    if (!answer.ok) throw new Error(`the stand-in took no callback address: ${await answer.text()}`)
  }

  /** Every request that has reached it, oldest first. */
  arrivals(): readonly Arrival[] {
    for (const { seq, at, line, opaque = '', body, outcome, code, wamid } of this.#sandbox.control.requests({
      afterSeq: this.#seq,
    })) {
      this.#seq = seq
      this.#arrivals.push({ at, line, messageId: opaque, ...sentOf(body), outcome, code, wamid })
    }
    return this.#arrivals
  }

  /** Opaque data that went out more than once, by the stand-in's own count. */
  doubles(): string[] {
    return this.#sandbox.control.doubles().map(({ opaque }) => opaque)
  }

  /** How many callbacks the gateway has not taken yet. */
  pendingCallbacks(): number {
    const { statuses, waiting, unanswered, repeats } = this.#sandbox.control.pending()
    return statuses + waiting + unanswered + repeats
  }

  /** A user writes. What the gateway does not take now, it is offered again. @returns the upstream's id */
  async write(upstreamPhoneId: string, from: string): Promise<string> {
    const written = await this.#sandbox.control.inbound({ kind: 'text', line: upstreamPhoneId, from, text: 'Hello' })
    if (written?.wamid === undefined) throw new Error('the stand-in sends no message of a user')
    return written.wamid
  }

  /** @returns SHA-256 of an uploaded file, as the platform tells it */
  async hashOf(mediaId: string): Promise<string> {
    const headers = { authorization: `Bearer ${account.accessToken}` }
    const answer = await fetch(`${this.url}/v25.0/${mediaId}`, { headers })
    return ((await answer.json()) as { sha256: string }).sha256
  }

  stop(): Promise<void> {
    return this.#sandbox.stop()
  }
}
