import type { SimulatedGateway } from './gateway.ts'
import type { Act, Order, Tenant } from './history.ts'
import type { Asked, Batch, Log, Look, Replayed, Restore } from './log.ts'
import type { Fate } from './platform.ts'
import { type TenantNames, tenants } from './tenants.ts'
import type { World } from './world.ts'

/** How often a caller with a key asks. */
const patience = 6
const door = 'http://localhost/api/v1/public'

/** Programs that call the partner API, and what they were told. */
export class Callers {
  readonly #world: World
  readonly #gateway: () => SimulatedGateway | null
  readonly asked: Asked[] = []
  readonly looks: Look[] = []
  readonly batches: Batch[] = []
  cancelled: Log['cancelled'][number][] = []
  readonly replayed: Replayed[] = []
  readonly failures: string[] = []
  /** What the platform does with what they send, by its text. */
  readonly fates = new Map<string, Fate>()
  /** Messages that a restore may have lost. */
  readonly #lost = new Set<string>()
  /** Calls without an answer. */
  underWay = 0

  /** @param gateway the one that runs; null: none does */
  constructor(world: World, gateway: () => SimulatedGateway | null) {
    this.#world = world
    this.#gateway = gateway
  }

  /** @returns null when no answer came */
  async #ask(
    { keys }: TenantNames,
    nth: 0 | 1,
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; json: Answer } | null> {
    const key = keys[nth]
    const text = body === undefined ? undefined : JSON.stringify(body)
    const request = new Request(door + path, {
      method,
      headers: {
        ...{ apikey: key.apiKey, apisecret: key.apiSecret },
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(text)),
        }),
      },
      ...(text !== undefined && { body: text }),
    })
    this.underWay += 1
    const response = (await this.#gateway()?.ask(request)) ?? null
    this.underWay -= 1
    if (response === null) return null
    const json = JSON.parse(await response.text()) as Answer
    if (response.status === 500) this.failures.push(`${method} ${path}: ${JSON.stringify(json)}`)
    return { status: response.status, json }
  }

  /** A caller: with a key of its own it asks again until it has an answer. */
  async send(order: Order): Promise<void> {
    const { tenant, key, to, inMs, apiKey } = order
    const text = key === null ? `o${this.asked.length}` : `t${tenant}k${apiKey}.${key}`
    if (!this.fates.has(text)) this.fates.set(text, order.fate)
    const asked: Asked = { order, text, told: [] }
    this.asked.push(asked)
    const body = {
      ...{ type: 'text', content: text, phone: `+49301234${to}` },
      ...(key !== null && { idempotencyKey: `key ${key}` }),
      ...(inMs !== null && { sendAt: new Date(this.#world.now() + inMs).toISOString() }),
    }
    this.underWay += 1
    for (let tries = 0; tries < patience; tries += 1) {
      const askedAt = this.#world.steady()
      const answer = await this.#ask(tenants[tenant], apiKey, 'POST', '/messages/send', body)
      const data = answer?.json.data
      asked.told.push({
        ...{ at: this.#world.steady(), askedAt, status: answer?.status ?? null, code: answer?.json.error ?? null },
        message: data ? { id: data.id, status: data.status } : null,
        isReplay: data?.idempotentReplay === true,
      })
      const isAnswered = answer !== null && ![429, 500, 503].includes(answer.status)
      if (isAnswered || key === null) break
      await this.#world.wait(300 * (tries + 1))
    }
    this.underWay -= 1
  }

  async look(tenant: Tenant): Promise<void> {
    for (const messageId of this.#knownOf(tenant)) {
      const answer = await this.#ask(tenants[tenant], 1, 'GET', `/messages/${messageId}`)
      if (answer?.status === 200 && answer.json.data)
        this.looks.push({ at: this.#world.steady(), messageId, status: answer.json.data.status })
      else if (answer?.status === 404) this.failures.push(`${messageId} was answered, and is not found`)
      // The other one must not find it.
      const other = await this.#ask(tenants[tenant === 0 ? 1 : 0], 1, 'GET', `/messages/${messageId}`)
      if (other?.status === 200) this.failures.push(`${messageId} is shown to another workspace`)
    }
  }

  #knownOf(tenant: Tenant): ReadonlySet<string> {
    const told = this.asked.filter(({ order }) => order.tenant === tenant).flatMap(({ told }) => told)
    return new Set(told.flatMap(({ message }) => (message && !this.#lost.has(message.id) ? [message.id] : [])))
  }

  async change(act: Extract<Act, { kind: 'cancel' | 'move' }>): Promise<void> {
    const scheduled = this.asked.flatMap(({ order, told }) =>
      told.flatMap(({ message }) => (message?.status === 'SCHEDULED' ? [{ order, id: message.id }] : [])),
    )
    const one = scheduled[act.nth % Math.max(1, scheduled.length)]
    if (!one) return
    const body = act.kind === 'move' ? { sendAt: new Date(this.#world.now() + act.inMs).toISOString() } : undefined
    const method = act.kind === 'move' ? 'PATCH' : 'DELETE'
    const answer = await this.#ask(tenants[one.order.tenant], 1, method, `/messages/${one.id}`, body)
    if (answer?.status === 200 && act.kind === 'cancel')
      this.cancelled.push({ messageId: one.id, at: this.#world.steady() })
  }

  /** With its key, a batch is asked for until there is an answer. */
  async batch({ tenant, apiKey, key, items }: Extract<Act, { kind: 'batch' }>): Promise<void> {
    const name = `b${tenant}k${apiKey}.${key}`
    // The same key asks for the same.
    const known = this.batches.find(batch => batch.name === name)
    const batch = known ?? { name, tenant, apiKey, count: items.length, id: null, answeredAt: null, isRestored: false }
    if (!known) {
      this.batches.push(batch)
      for (const [at, fate] of items.entries()) this.fates.set(`${name}i${at}`, fate)
    }
    const body = {
      ...{ idempotencyKey: `batch ${key}`, defaults: { type: 'text' } },
      items: Array.from({ length: batch.count }, (_, at) => ({ phone: `+49301299${at}`, content: `${name}i${at}` })),
    }
    this.underWay += 1
    for (let tries = 0; tries < patience; tries += 1) {
      const answer = await this.#ask(tenants[tenant], apiKey, 'POST', '/batches', body)
      const id = answer?.json.data?.id
      if (id !== undefined && batch.id !== null && batch.id !== id)
        this.failures.push(`${name} was answered as ${batch.id} and as ${id}`)
      batch.id = id ?? batch.id
      batch.answeredAt = this.#world.steady()
      if (answer !== null && ![429, 500, 503].includes(answer.status)) break
      await this.#world.wait(300 * (tries + 1))
    }
    this.underWay -= 1
  }

  /** All events of the workspace are to be delivered again. */
  async replay(tenant: Tenant): Promise<void> {
    const askedAt = this.#world.steady()
    const { webhookId } = tenants[tenant]
    const since = new Date(0).toISOString()
    const answer = await this.#ask(tenants[tenant], 1, 'POST', `/webhooks/${webhookId}/replay`, { since })
    if (answer?.status === 200) this.replayed.push({ tenant, askedAt, at: this.#world.steady() })
  }

  /** The database is from a backup. What was answered since is not in it. */
  restored({ backedUpAt, at }: Restore): void {
    for (const { told } of this.asked)
      for (const { at: toldAt, message } of told)
        if (message && toldAt >= backedUpAt && toldAt <= at) this.#lost.add(message.id)
    for (const batch of this.batches) {
      if ((batch.answeredAt ?? 0) >= backedUpAt) batch.id = null
      batch.isRestored = true
    }
    this.cancelled = this.cancelled.filter(({ at }) => at < backedUpAt)
  }

  /** What a restore has paused is not resumed: its items would have to be compared first. */
  async steer(nth: number, how: string): Promise<void> {
    const made = this.batches.filter(({ id, isRestored }) => id !== null && !isRestored)
    const batch = made[nth % Math.max(1, made.length)]
    if (batch) await this.#ask(tenants[batch.tenant], 1, 'POST', `/batches/${batch.id}/${how}`)
  }
}

/** What callers read of an answer. */
interface Answer {
  readonly error?: string
  readonly data?: { readonly id: string; readonly status: string; readonly idempotentReplay?: boolean }
}
