import { graphTokenOf } from '../../src/base/graphToken.ts'
import type { SimulatedGateway } from './gateway.ts'
import type { Act, KeyOfTenant, Tenant } from './history.ts'
import type { GraphAsked } from './log.ts'
import type { Fate } from './platform.ts'
import { person, tenants } from './tenants.ts'
import type { World } from './world.ts'

/** How often a client with a key asks. */
const patience = 6

/** What a client writes about: its text, and a message of a user. */
interface About {
  readonly body: string
  readonly read: string
}

/*
 * Sends as clients of the platform were seen to write them, with values of our own: each is one way to say the same.
 */
const forms = {
  withAll: ({ body }: About) => ({
    ...{ messaging_product: 'whatsapp', recipient_type: 'individual', to: person, type: 'text' },
    text: { body, preview_url: false },
  }),
  withoutType: ({ body }: About) => ({ messaging_product: 'whatsapp', to: `+${person}`, text: { body } }),
  withNulls: ({ body }: About) => ({
    ...{ messaging_product: 'whatsapp', to: person, type: 'text', text: { body }, context: null },
  }),
  withWordsOfItsOwn: ({ body }: About) => ({
    ...{ type: 'text', to: person, text: { body }, messaging_product: 'whatsapp', biz_opaque_callback_data: 'order 7' },
  }),
  withAnAnswer: ({ body, read }: About) => ({
    ...{ messaging_product: 'whatsapp', to: person, type: 'text', text: { body }, context: { message_id: read } },
  }),
  /** A message of a user is marked as read: no send. */
  mark: ({ read }: About) => ({ messaging_product: 'whatsapp', status: 'read', message_id: read }),
} as const satisfies Readonly<Record<string, (about: About) => object>>

export type GraphForm = keyof typeof forms
// The keys of a literal.
export const graphForms = Object.keys(forms) as GraphForm[]

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
  async call({ tenant, apiKey, key, form, fate, cutAt }: Extract<Act, { kind: 'graph' }>): Promise<void> {
    const text = key === null ? `g${this.asked.length}` : `g${tenant}k${apiKey}.${form}.${key}`
    if (!this.#fates.has(text)) this.#fates.set(text, fate)
    const asked: GraphAsked = { tenant, apiKey, key, text, isSend: form !== 'mark', told: [] }
    this.asked.push(asked)
    const whole = JSON.stringify(forms[form]({ body: text, read: `wamid.of-user.${tenant}.0` }))
    // Two ways of saying the same are two requests: a key is of one.
    const name = key === null ? null : `${form} ${key}`
    this.underWay += 1
    if (cutAt !== null) {
      const cut = await this.#ask(tenant, apiKey, name, whole.slice(0, Math.floor((whole.length * cutAt) / 100)))
      if (cut && ![400, 401, 429, 503].includes(cut.status))
        this.failures.push(`${text}: a call that was cut is answered ${cut.status}`)
    }
    for (let tries = 0; tries < patience; tries += 1) {
      const askedAt = this.#world.steady()
      const answer = await this.#ask(tenant, apiKey, name, whole)
      asked.told.push({ at: this.#world.steady(), askedAt, status: answer?.status ?? null, id: answer?.id ?? null })
      if ((answer !== null && ![429, 500, 503].includes(answer.status)) || name === null) break
      await this.#world.wait(300 * (tries + 1))
    }
    this.underWay -= 1
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
    const json = JSON.parse(await response.text()) as { messages?: readonly { readonly id: string }[] }
    if (response.status === 500) this.failures.push(`/graph: ${JSON.stringify(json)}`)
    return { status: response.status, id: json.messages?.[0]?.id ?? null }
  }
}
