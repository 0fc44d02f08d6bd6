import type { Act, Order, Tenant } from './history.ts'
import type { Asked, Batch, Log, Look, Replayed, Restore, Switched } from './log.ts'
import { isNoAnswer, type PartnerApi } from './partnerApi.ts'
import type { Fate } from './platform.ts'
import { bodyOf } from './requests.ts'
import { pausable } from './templates.ts'
import { receiverOf, tenants } from './tenants.ts'
import { Uploads } from './uploads.ts'
import type { World } from './world.ts'

/** How often a caller with a key asks. */
const patience = 6

const template = { type: 'template', templateName: pausable.name, templateLanguage: pausable.language }

/** Programs that call the partner API, and what they were told. */
export class Callers {
  readonly #world: World
  readonly #api: PartnerApi
  readonly uploads: Uploads
  readonly asked: Asked[] = []
  readonly looks: Look[] = []
  readonly batches: Batch[] = []
  cancelled: Log['cancelled'][number][] = []
  readonly replayed: Replayed[] = []
  readonly switched: Switched[] = []
  readonly failures: string[] = []
  /** What the platform does with what they send, by its text. */
  readonly fates = new Map<string, Fate>()
  /** Messages that a restore may have lost. */
  readonly #lost = new Set<string>()
  /** Those that wait for an answer. */
  underWay = 0

  constructor(world: World, api: PartnerApi) {
    this.#world = world
    this.#api = api
    this.uploads = new Uploads(world, api)
  }

  /** A caller: with a key of its own it asks again until it has an answer. */
  async send(order: Order): Promise<void> {
    const { tenant, key, to, inMs, apiKey, form } = order
    const text = key === null ? `o${this.asked.length}` : `t${tenant}k${apiKey}.${key}`
    if (!this.fates.has(text)) this.fates.set(text, order.fate)
    const asked: Asked = { order, text, told: [] }
    this.asked.push(asked)
    this.underWay += 1
    const mediaId = form === 'file' ? await this.uploads.keep(tenant, apiKey, text) : null
    const sendAt = inMs === null ? {} : { sendAt: new Date(this.#world.now() + inMs).toISOString() }
    const body = {
      ...{ phone: `+49301234${to}`, ...sendAt, ...bodyOf(form, { name: text, mediaId }) },
      ...(key !== null && { idempotencyKey: `key ${key}` }),
    }
    for (let tries = 0; tries < patience; tries += 1) {
      const askedAt = this.#world.steady()
      const answer = await this.#api.ask(tenants[tenant], apiKey, 'POST', '/messages/send', body)
      const data = answer?.json.data
      asked.told.push({
        ...{ at: this.#world.steady(), askedAt, status: answer?.status ?? null, code: answer?.json.error ?? null },
        message: data ? { id: data.id, status: data.status } : null,
        isReplay: data?.idempotentReplay === true,
      })
      if (!isNoAnswer(answer) || key === null) break
      await this.#world.wait(300 * (tries + 1))
    }
    this.underWay -= 1
  }

  async look(tenant: Tenant): Promise<void> {
    for (const messageId of this.#knownOf(tenant)) {
      const answer = await this.#api.ask(tenants[tenant], 1, 'GET', `/messages/${messageId}`)
      if (answer?.status === 200 && answer.json.data)
        this.looks.push({ at: this.#world.steady(), messageId, status: answer.json.data.status })
      else if (answer?.status === 404) this.failures.push(`${messageId} was answered, and is not found`)
      // The other one must not find it.
      const other = await this.#api.ask(tenants[tenant === 0 ? 1 : 0], 1, 'GET', `/messages/${messageId}`)
      if (other?.status === 200) this.failures.push(`${messageId} is shown to another workspace`)
    }
    this.failures.push(...(await this.uploads.look(tenant)))
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
    const answer = await this.#api.ask(tenants[one.order.tenant], 1, method, `/messages/${one.id}`, body)
    if (answer?.status === 200 && act.kind === 'cancel')
      this.cancelled.push({ messageId: one.id, at: this.#world.steady() })
  }

  /** With its key, a batch is asked for until there is an answer. */
  async batch({ tenant, apiKey, key, form, items }: Extract<Act, { kind: 'batch' }>): Promise<void> {
    const name = `b${tenant}k${apiKey}.${key}`
    // The same key asks for the same.
    const known = this.batches.find(batch => batch.name === name)
    const made = { name, tenant, apiKey, form, count: items.length, id: null, answeredAt: null, isRestored: false }
    const batch: Batch = known ?? made
    if (!known) {
      this.batches.push(batch)
      for (const [at, fate] of items.entries()) this.fates.set(`${name}i${at}`, fate)
    }
    const body = {
      idempotencyKey: `batch ${key}`,
      defaults: batch.form === 'text' ? { type: 'text' } : template,
      items: Array.from({ length: batch.count }, (_, at) => ({
        phone: `+49301299${at}`,
        ...(batch.form === 'text' ? { content: `${name}i${at}` } : { templateVariables: { 1: `${name}i${at}` } }),
      })),
    }
    this.underWay += 1
    for (let tries = 0; tries < patience; tries += 1) {
      const answer = await this.#api.ask(tenants[tenant], apiKey, 'POST', '/batches', body)
      const id = answer?.json.data?.id
      if (id !== undefined && batch.id !== null && batch.id !== id)
        this.failures.push(`${name} was answered as ${batch.id} and as ${id}`)
      batch.id = id ?? batch.id
      batch.answeredAt = this.#world.steady()
      if (!isNoAnswer(answer)) break
      await this.#world.wait(300 * (tries + 1))
    }
    this.underWay -= 1
  }

  /** All events of the workspace are to be delivered again. */
  async replay(tenant: Tenant): Promise<void> {
    const askedAt = this.#world.steady()
    const { webhookId } = tenants[tenant]
    const since = new Date(0).toISOString()
    const answer = await this.#api.ask(tenants[tenant], 1, 'POST', `/webhooks/${webhookId}/replay`, { since })
    if (answer?.status === 200) this.replayed.push({ tenant, askedAt, at: this.#world.steady() })
  }

  /** A workspace switches its endpoint on or off. */
  async switch(tenant: Tenant, isOn: boolean): Promise<void> {
    const { webhookId } = tenants[tenant]
    const answer = await this.#api.ask(tenants[tenant], 1, 'PUT', `/webhooks/${webhookId}`, {
      url: receiverOf(tenant),
      isOn,
    })
    if (answer?.status === 200) this.switched.push({ tenant, at: this.#world.steady(), isOn })
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
    this.uploads.restored(backedUpAt)
    this.cancelled = this.cancelled.filter(({ at }) => at < backedUpAt)
  }

  /** What a restore has paused is not resumed: its items would have to be compared first. */
  async steer(nth: number, how: string): Promise<void> {
    const made = this.batches.filter(({ id, isRestored }) => id !== null && !isRestored)
    const batch = made[nth % Math.max(1, made.length)]
    if (batch) await this.#api.ask(tenants[batch.tenant], 1, 'POST', `/batches/${batch.id}/${how}`)
  }
}
