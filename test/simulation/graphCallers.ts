import { graphTokenOf } from '../../src/base/graphToken.ts'
import type { SimulatedGateway } from './gateway.ts'
import { graphForms } from './graphForms.ts'
import type { Act, KeyOfTenant, Tenant } from './history.ts'
import type { GraphAsked } from './log.ts'
import { isNoAnswer } from './partnerApi.ts'
import type { Fate } from './platform.ts'
import { tenants } from './tenants.ts'
import type { World } from './world.ts'

/** How often a client with a key asks. */
const patience = 6

/** Clients of the platform that were told another address, and what they were told. */
export class GraphCallers {
  readonly #world: World
  readonly #gateway: () => SimulatedGateway | null
  readonly #fates: Map<string, Fate>
  readonly asked: GraphAsked[] = []
  readonly failures: string[] = []
  underWay = 0

  /** @param fates what the platform does with a text, to which each send adds its own */
  constructor(world: World, gateway: () => SimulatedGateway | null, fates: Map<string, Fate>) {
    this.#world = world
    this.#gateway = gateway
    this.#fates = fates
  }

  /** One that has a key asks until it is answered. One whose body was cut asks once more, whole. */
  async call({ tenant, apiKey, key, form, fate, againMs, cutAt }: Extract<Act, { kind: 'graph' }>): Promise<void> {
    const text = key === null ? `g${this.asked.length}` : `g${tenant}k${apiKey}.${form}.${key}`
    if (!this.#fates.has(text)) this.#fates.set(text, fate)
    const isSend = !('isMark' in graphForms[form])
    const asked: GraphAsked = { tenant, apiKey, key, text, form, isSend, told: [] }
    this.asked.push(asked)
    const whole = JSON.stringify(graphForms[form].body({ body: text, read: `wamid.of-user.${tenant}.0` }))
    // Two ways of saying the same are two requests: a key is of one.
    const name = key === null ? null : `${form} ${key}`
    this.underWay += 1
    if (cutAt !== null) {
      const cut = await this.#ask(tenant, apiKey, name, whole.slice(0, Math.floor((whole.length * cutAt) / 100)))
      if (cut && ![400, 401, 429, 503].includes(cut.status))
        this.failures.push(`${text}: a call that was cut is answered ${cut.status}`)
    }
    for (let left = name !== null && againMs !== null ? 2 : 1; left > 0; left -= 1) {
      await this.#untilAnswered(asked, name, whole)
      if (left > 1) await this.#world.wait(againMs ?? 0)
    }
    this.underWay -= 1
  }

  async #untilAnswered(asked: GraphAsked, name: string | null, body: string): Promise<void> {
    for (let tries = 0; tries < patience; tries += 1) {
      const askedAt = this.#world.steady()
      const answer = await this.#ask(asked.tenant, asked.apiKey, name, body)
      const { status = null, id = null, code = null } = answer ?? {}
      asked.told.push({ at: this.#world.steady(), askedAt, status, id, code })
      if (!isNoAnswer(answer) || name === null) break
      await this.#world.wait(300 * (tries + 1))
    }
  }

  async #ask(tenant: Tenant, nth: KeyOfTenant, key: string | null, body: string) {
    const { keys, phoneId } = tenants[tenant]
    const { apiKey, apiSecret } = keys[nth]
    const request = new Request(`http://localhost/graph/v23.0/${phoneId}/messages`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${graphTokenOf(apiKey, apiSecret)}`, 'content-type': 'application/json' },
        'content-length': String(Buffer.byteLength(body)),
        ...(key !== null && { 'idempotency-key': key }),
      },
      body,
    })
    const response = (await this.#gateway()?.ask(request)) ?? null
    if (response === null) return null
    const json = JSON.parse(await response.text()) as {
      readonly messages?: readonly { readonly id: string }[]
      readonly error?: { readonly code: number }
    }
    if (response.status === 500) this.failures.push(`/graph: ${JSON.stringify(json)}`)
    return { status: response.status, id: json.messages?.[0]?.id ?? null, code: json.error?.code ?? null }
  }
}
