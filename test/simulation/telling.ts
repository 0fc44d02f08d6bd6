import { inboundBody, signedCallback, statusBody, templateBody, tenantOf } from './callbacks.ts'
import type { SimulatedGateway } from './gateway.ts'
import type { Act, Tenant } from './history.ts'
import type { Log, Wrote } from './log.ts'
import type { Callback, Platform } from './platform.ts'
import { recordedBody } from './recorded.ts'
import { tenants } from './tenants.ts'
import type { World } from './world.ts'

/** What the platform tells: callbacks, each until it is taken. */
export class Telling {
  readonly #world: World
  readonly #platform: () => Platform
  readonly #gateway: () => SimulatedGateway | null
  readonly wrote: Wrote[] = []
  readonly acknowledged: Log['acknowledged'][number][] = []
  readonly failures: string[] = []
  /** The file of each message, by the platform's id of it. */
  readonly #written = new Map<string, string | null>()
  /** Callbacks that are not taken yet. */
  left = 0

  constructor(world: World, platform: () => Platform, gateway: () => SimulatedGateway | null) {
    this.#world = world
    this.#platform = platform
    this.#gateway = gateway
  }

  async report(callback: Callback): Promise<void> {
    await this.#deliver(tenantOf(callback), statusBody(callback))
    this.acknowledged.push({ ...callback, acknowledgedAt: this.#world.steady() })
  }

  /** A user writes, and the platform says so, perhaps twice. */
  async write({ tenant, nth, copies, fetches }: Extract<Act, { kind: 'write' }>): Promise<void> {
    const wamid = `wamid.of-user.${tenant}.${nth}`
    // What a user has written stays what it is, however often it is told.
    if (!this.#written.has(wamid)) this.#written.set(wamid, fetches && `7000${tenant}${nth}`)
    const fileId = this.#written.get(wamid) ?? null
    if (fileId !== null) this.#platform().files.note(fileId, wamid, fetches ?? [])
    const body = inboundBody(tenant, wamid, Math.floor(this.#world.now() / 1_000), fileId)
    for (let copy = 0; copy < copies; copy += 1) {
      void this.#deliver(tenant, body).then(() => this.wrote.push({ tenant, wamid, at: this.#world.steady() }))
      await this.#world.wait(this.#world.upTo(200))
    }
  }

  /** The platform changes what it says of a template, and tells it once or twice, late or never. */
  async changeTemplate(act: Extract<Act, { kind: 'template' }>): Promise<void> {
    const { tenant, event, tellMs, copies } = act
    const change = this.#platform().templates.change(act)
    const timestamp = Math.floor(this.#world.now() / 1_000)
    if (tellMs === null) return
    for (let copy = 0; copy < copies; copy += 1) {
      await this.#world.wait(tellMs)
      void this.#deliver(tenant, templateBody(tenant, event, timestamp)).then(() => {
        if (change) change.acknowledgedAt ??= this.#world.steady()
      })
    }
  }

  /** A recorded callback, about what has left by then. One that is cut is not taken, and comes again whole. */
  async record({ tenant, nth, parts, copies, cutAt }: Extract<Act, { kind: 'recorded' }>): Promise<void> {
    const own = this.#lastOf(tenant)
    const timestamp = Math.floor(this.#world.now() / 1_000)
    const other = this.#lastOf(tenant === 0 ? 1 : 0)
    const { body, statuses } = recordedBody(parts, { tenant, nth, timestamp, own, other })
    if (cutAt !== null) {
      const request = signedCallback(tenant, body.slice(0, Math.floor((body.length * cutAt) / 100)))
      const response = (await this.#gateway()?.ask(request)) ?? null
      if (response && ![400, 503].includes(response.status))
        this.failures.push(`a callback that was cut is answered ${response.status}: ${await response.text()}`)
    }
    for (let copy = 0; copy < copies; copy += 1) {
      void this.#deliver(tenant, body).then(() => {
        const at = { acknowledgedAt: this.#world.steady(), timestamp, isNamed: true, phoneId: tenants[tenant].phoneId }
        if (own) for (const status of statuses) this.acknowledged.push({ ...own, ...at, status })
      })
      await this.#world.wait(this.#world.upTo(200))
    }
  }

  /** @returns what the platform took last of a workspace; null: nothing, or it was declined and is tried again */
  #lastOf(whose: Tenant) {
    const { messageId, wamid, isDeclined } =
      this.#platform().arrivals.findLast(
        ({ phoneId, wamid }) => wamid !== null && phoneId === tenants[whose].phoneId,
      ) ?? {}
    return messageId && wamid && !isDeclined ? { messageId, wamid } : null
  }

  /** The platform repeats a callback until it is taken. */
  async #deliver(tenant: Tenant, body: string): Promise<void> {
    this.left += 1
    for (let tries = 0; ; tries += 1) {
      const response = (await this.#gateway()?.ask(signedCallback(tenant, body))) ?? null
      if (response?.status === 500) this.failures.push(`a callback: ${await response.text()}`)
      if (response?.status === 200) break
      await this.#world.wait(200 * (tries + 1))
    }
    this.left -= 1
  }
}
