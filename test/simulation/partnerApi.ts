import type { SimulatedGateway } from './gateway.ts'
import type { KeyOfTenant } from './history.ts'
import type { TenantNames } from './tenants.ts'

const door = 'http://localhost/api/v1/public'

/** What callers read of an answer. */
export interface Answer {
  readonly error?: string
  readonly data?: { readonly id: string; readonly status: string; readonly idempotentReplay?: boolean }
}

export interface Content {
  readonly type: string
  readonly text: string
}

/** The way of programs to the gateway that runs. */
export class PartnerApi {
  readonly #gateway: () => SimulatedGateway | null
  /** Requests that were answered as failures of ours. */
  readonly failures: string[] = []
  /** Calls without an answer. */
  underWay = 0

  /** @param gateway the one that runs; null: none does */
  constructor(gateway: () => SimulatedGateway | null) {
    this.#gateway = gateway
  }

  /** @returns null when no answer came */
  async ask(
    { keys }: TenantNames,
    nth: KeyOfTenant,
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; json: Answer } | null> {
    const content = body === undefined ? undefined : { type: 'application/json', text: JSON.stringify(body) }
    const answer = await this.fetch({ keys }, nth, method, path, content)
    return answer && { status: answer.status, json: JSON.parse(answer.text) as Answer }
  }

  /** As `ask`, of any content. */
  async fetch(
    { keys }: Pick<TenantNames, 'keys'>,
    nth: KeyOfTenant,
    method: string,
    path: string,
    content?: Content,
  ): Promise<{ status: number; text: string } | null> {
    const { apiKey, apiSecret } = keys[nth]
    const request = new Request(door + path, {
      method,
      headers: {
        ...{ apikey: apiKey, apisecret: apiSecret },
        ...(content && { 'content-type': content.type, 'content-length': String(Buffer.byteLength(content.text)) }),
      },
      ...(content && { body: content.text }),
    })
    this.underWay += 1
    const response = (await this.#gateway()?.ask(request)) ?? null
    this.underWay -= 1
    if (response === null) return null
    const text = await response.text()
    if (response.status === 500) this.failures.push(`${method} ${path}: ${text}`)
    return { status: response.status, text }
  }
}

/** @returns whether a caller with patience asks again */
export const isNoAnswer = (answer: { readonly status: number } | null): boolean =>
  answer === null || [429, 500, 503].includes(answer.status)
