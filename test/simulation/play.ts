import { onBroken } from '../../src/telemetry/promises.ts'
import type { VerbAnswer } from '../../src/threads/protocol.ts'
import type { WebhookRequest } from '../../src/webhooks/attempt.ts'
import { inboundBody, signedCallback, statusBody, tenantOf } from './callbacks.ts'
import { Callers } from './callers.ts'
import { HistoryDatabase } from './database.ts'
import { SimulatedGateway } from './gateway.ts'
import type { Act, History, Tenant } from './history.ts'
import type { Delivered, Log, Revoked, Wrote } from './log.ts'
import { type Callback, Platform } from './platform.ts'
import { recordedBody } from './recorded.ts'
import { seeding, tenants, vault } from './tenants.ts'
import { World } from './world.ts'

/** What is left is given that long once nothing troubles it any more. */
const calmMsMax = 240_000
/** What an endpoint is to get so much later is not waited for: the second attempt comes after minutes. */
const soonMs = 10_000
/** Whether it is over is looked for so often. */
const lookMs = 1_000
const scheduledOnly = 'only scheduled messages wait'
/** The time that a caller schedules by is at least so far ahead. */
const scheduleMsMin = 60_000
/** After a start that failed. */
const startAgainMs = 100

/** The parts of the machine that outlive a history. */
export class Rig {
  readonly database = new HistoryDatabase()
  close(): void {
    this.database.close()
  }
}

/**
 * Plays one history from its first act to the end of what follows from it, in the one thread that calls it.
 * @param isFresh each process has a writer of its own: slower, and as real processes are
 */
export function play(history: History, { database }: Rig, isFresh = false): Log {
  const { setImmediate: turn, Worker: worker } = globalThis
  const { randomUUIDv7 } = Bun
  const player = new Player(history, database, isFresh)
  globalThis.setImmediate = ((fire: () => void) => player.world.nextTurn(fire)) as unknown as typeof setImmediate
  globalThis.Worker = function spawn(url: string) {
    return player.spawn(url)
  } as unknown as typeof Worker
  Bun.randomUUIDv7 = (() => player.world.nextId()) as unknown as typeof Bun.randomUUIDv7
  try {
    return player.play()
  } finally {
    player.end()
    Object.assign(globalThis, { setImmediate: turn, Worker: worker })
    Bun.randomUUIDv7 = randomUUIDv7
  }
}

class Player {
  readonly world: World
  readonly #history: History
  readonly #database: HistoryDatabase
  readonly #isFresh: boolean
  readonly #platform: Platform
  readonly #callers: Callers
  readonly #has: ConstructorParameters<typeof SimulatedGateway>[0]['has']
  #gateway: SimulatedGateway | null = null
  #commitMs = 1
  #isCalm = false
  #isStarting = false
  #attempts = [0, 0]
  readonly #wrote: Wrote[] = []
  readonly #delivered: Delivered[] = []
  readonly #revoked: Revoked[] = []
  readonly #acknowledged: Log['acknowledged'][number][] = []
  readonly #errors: string[] = []
  readonly #failures: string[] = []
  readonly #ignore = onBroken(broken => this.#errors.push(`a promise is broken: ${Bun.inspect(broken)}`))
  #callbacksLeft = 0
  #crashes = 0
  #stops = 0
  #senderDeaths = 0

  constructor(history: History, database: HistoryDatabase, isFresh: boolean) {
    this.#history = history
    this.#database = database
    this.#isFresh = isFresh
    this.world = new World(history.seed)
    this.#callers = new Callers(this.world, () => this.#gateway)
    this.#has = {
      receivers: history.receivers.some(receiver => receiver !== null),
      scheduled: history.acts.some(({ act }) => act.kind === 'send' && act.order.inMs !== null),
      batches: history.acts.some(({ act }) => act.kind === 'batch'),
    }
    this.#platform = new Platform(
      this.world,
      text => this.#callers.fates.get(text) ?? { replies: [], reports: [] },
      callback => void this.#callBack(callback),
    )
  }

  spawn(url: string) {
    if (!this.#gateway) throw new Error('a thread without a gateway')
    return this.#gateway.spawn(url)
  }

  play(): Log {
    const { acts } = this.#history
    this.#database.clear()
    this.#command(seeding(this.#history))
    this.#start()
    for (const { atMs, act } of acts) this.world.later(atMs, () => this.#act(act))
    this.world.pass((acts.at(-1)?.atMs ?? 0) + 1)
    this.#calm()
    for (let passedMs = 0; passedMs < calmMsMax; passedMs += lookMs) {
      this.world.pass(lookMs)
      const unfinished = this.#unfinished()
      if (unfinished.length === 0) break
      // Until then nothing else happens.
      if (unfinished.length === 1 && unfinished[0] === scheduledOnly) this.world.setTime(scheduleMsMin)
    }
    return {
      ...{
        asked: this.#callers.asked,
        looks: this.#callers.looks,
        batches: this.#callers.batches,
        wrote: this.#wrote,
        platform: this.#platform,
        delivered: this.#delivered,
      },
      ...{ revoked: this.#revoked, cancelled: this.#callers.cancelled, acknowledged: this.#acknowledged },
      ...{ crashes: this.#crashes, stops: this.#stops, senderDeaths: this.#senderDeaths },
      ...{ errors: this.#errors, failures: [...this.#failures, ...this.#callers.failures] },
      unfinished: this.#unfinished(),
      simulatedMs: this.world.steady(),
    }
  }

  end(): void {
    this.#gateway?.crash()
    this.#ignore()
    this.#database.release()
  }

  /** From here on nothing goes wrong. */
  #calm(): void {
    this.#isCalm = true
    this.#platform.isCalm = true
    this.#commitMs = 1
    this.#database.release()
    this.#database.makeRoom()
    if (!this.#gateway?.isAlive && !this.#isStarting) this.#start()
  }

  #unfinished(): string[] {
    const gateway = this.#gateway
    const found: string[] = []
    if (!gateway?.isReady) found.push('no gateway is ready')
    else if (gateway.open > 0) found.push(`${gateway.open} messages have no end`)
    if (this.#callers.underWay > 0) found.push(`${this.#callers.underWay} callers wait`)
    if (this.#callbacksLeft > 0) found.push(`${this.#callbacksLeft} callbacks are not taken`)
    if (found.length > 0) return found
    const waiting = this.#database.rows<{ status: string }>(
      "SELECT status FROM messages WHERE status IN ('QUEUED', 'SCHEDULED')",
    )
    if (waiting.some(({ status }) => status === 'QUEUED')) return [`${waiting.length} messages wait on the disk`]
    const running = this.#database.rows<object>("SELECT id FROM batches WHERE state IN ('running', 'scheduled')")
    if (running.length > 0) return [`${running.length} batches run`]
    const behind = this.#database.rows<{ count: number }>(
      `SELECT count(*) AS count FROM webhook_endpoints w WHERE disabled_at IS NULL AND
        (position < coalesce((SELECT max(seq) FROM events e WHERE e.workspace_id = w.workspace_id), 0)
         OR EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = w.id AND d.next_at < ?))`,
      this.world.now() + soonMs,
    )[0]?.count
    if (behind) return [`${behind} endpoints have not got all events`]
    return waiting.length > 0 ? [scheduledOnly] : []
  }

  #start(): void {
    this.#isStarting = false
    if (this.#gateway?.isAlive) return
    const { world } = this
    const gateway = new SimulatedGateway({
      ...{ world, vault, database: this.#database, platform: this.#platform, isFresh: this.#isFresh },
      has: this.#has,
      receive: request => this.#receive(request),
      commitMs: () => (this.#commitMs > 1 ? world.upTo(this.#commitMs) : world.upTo(2)),
      onError: words => this.#errors.push(words),
      announce: started => {
        this.#gateway = started
      },
    })
    gateway.started.catch(error => {
      // A process that cannot start ends, and is started again. Once nothing goes wrong, it has to start.
      if (this.#isCalm) this.#errors.push(`it did not start: ${Bun.inspect(error)}`)
      this.#crashes += 1
      gateway.crash()
      if (this.#gateway === gateway) this.#startLater(startAgainMs)
    })
  }

  /** The next process. */
  #startLater(downMs: number): void {
    this.#isStarting = true
    this.world.later(downMs, () => this.#start())
  }

  /** It is gone, and stopped a moment after the next one has begun to start. */
  #startAndStop(afterMs: number): void {
    if (!this.#gateway?.isAlive) return
    this.#crashes += 1
    this.#gateway.crash()
    this.#start()
    this.world.later(afterMs, () => this.#stop(0))
  }

  #stop(downMs: number): void {
    const gateway = this.#gateway
    if (!gateway?.isAlive || gateway.isStopping) return
    this.#stops += 1
    void gateway.stop().then(() => {
      if (this.#gateway === gateway && !this.#isStarting) this.#startLater(downMs)
    })
  }

  #act(act: Act): void {
    if (this.#isCalm) return
    switch (act.kind) {
      case 'send':
        return void this.#callers.send(act.order)
      case 'crash':
        if (!this.#gateway?.isAlive) return
        this.#crashes += 1
        this.#gateway.crash()
        this.#startLater(act.downMs)
        return
      case 'stop':
        this.#stop(act.downMs)
        return
      case 'senderDies':
        this.#senderDeaths += 1
        this.#gateway?.loseSender()
        return
      case 'time':
        this.world.setTime(act.byMs)
        return
      case 'busy':
        if (this.#database.hold()) this.world.later(act.forMs, () => this.#database.release())
        return
      case 'fullDisk':
        this.#database.fill()
        this.world.later(act.forMs, () => this.#database.makeRoom())
        return
      case 'slowDisk':
        this.#commitMs = act.commitMs
        this.world.later(act.forMs, () => {
          this.#commitMs = 1
        })
        return
      case 'revoke':
        return void this.#revoke(act.tenant, act.by)
      case 'limit':
        return void this.#limit(act.tenant, act.limit)
      case 'cancel':
      case 'move':
        return void this.#callers.change(act)
      case 'batch':
        return void this.#callers.batch(act)
      case 'steer':
        return void this.#callers.steer(act.nth, act.how)
      case 'write':
        return void this.#write(act)
      case 'recorded':
        return void this.#record(act)
      case 'startAndStop':
        this.#startAndStop(act.afterMs)
        return
      case 'look':
        return void this.#callers.look(act.tenant)
    }
  }

  async #revoke(tenant: Tenant, by: 'command' | 'console'): Promise<void> {
    if (this.#revoked.some(one => one.tenant === tenant)) return
    const { keys } = tenants[tenant]
    const keyId = keys[0].apiKey
    const change = { keyId, at: this.world.now() }
    if (by === 'command') this.#command([{ verb: 'revokeKey', argument: change }])
    else {
      const revoked = await this.#gateway?.store?.write.revokeKey(change).catch(() => null)
      if (!revoked) return
    }
    const rows = this.#database.rows<{ id: string }>(
      'SELECT m.id FROM messages m JOIN api_keys k ON k.seq = m.api_key_seq WHERE k.id = ?',
      keyId,
    )
    this.#revoked.push({ tenant, at: this.world.steady(), messageIds: new Set(rows.map(({ id }) => id)) })
  }

  async #limit(tenant: Tenant, limit: number): Promise<void> {
    this.#command([{ verb: 'setMonthlyLimit', argument: { workspaceId: tenants[tenant].workspaceId, limit } }])
  }

  /** As a command does beside a gateway, in one commit. */
  #command(calls: readonly { readonly verb: string; readonly argument: unknown }[]): void {
    this.#database.release()
    let answers: readonly VerbAnswer[] = []
    this.#database.command.writes.commit(calls.map((call, id) => ({ id, ...call }))).then(done => {
      answers = done
    })
    this.world.settleMicrotasks()
    const failed = answers.find(answer => !answer.ok)
    if (answers.length !== calls.length || failed) throw new Error(`a command failed: ${JSON.stringify(failed)}`)
  }

  async #callBack(callback: Callback): Promise<void> {
    await this.#deliver(tenantOf(callback), statusBody(callback))
    this.#acknowledged.push({ ...callback, acknowledgedAt: this.world.steady() })
  }

  /** A user writes, and the platform says so, perhaps twice. */
  async #write({ tenant, nth, copies }: Extract<Act, { kind: 'write' }>): Promise<void> {
    const wamid = `wamid.of-user.${tenant}.${nth}`
    const body = inboundBody(tenant, wamid, Math.floor(this.world.now() / 1_000))
    for (let copy = 0; copy < copies; copy += 1) {
      void this.#deliver(tenant, body).then(() => this.#wrote.push({ tenant, wamid }))
      await this.world.wait(this.world.upTo(200))
    }
  }

  /** A recorded callback, about what has left by then. One that is cut is not taken, and comes again whole. */
  async #record({ tenant, nth, parts, copies, cutAt }: Extract<Act, { kind: 'recorded' }>): Promise<void> {
    const lastOf = (whose: Tenant) =>
      this.#platform.arrivals.findLast(({ phoneId, wamid }) => wamid !== null && phoneId === tenants[whose].phoneId)
    const named = (whose: Tenant) => {
      const { messageId, wamid, isDeclined } = lastOf(whose) ?? {}
      // What was declined is tried again, whatever is told of it.
      return messageId && wamid && !isDeclined ? { messageId, wamid } : null
    }
    const own = named(tenant)
    const timestamp = Math.floor(this.world.now() / 1_000)
    const other = named(tenant === 0 ? 1 : 0)
    const { body, statuses } = recordedBody(parts, { tenant, nth, timestamp, own, other })
    if (cutAt !== null) {
      const request = signedCallback(tenant, body.slice(0, Math.floor((body.length * cutAt) / 100)))
      const response = (await this.#gateway?.ask(request)) ?? null
      if (response && ![400, 503].includes(response.status))
        this.#failures.push(`a callback that was cut is answered ${response.status}: ${await response.text()}`)
    }
    for (let copy = 0; copy < copies; copy += 1) {
      void this.#deliver(tenant, body).then(() => {
        const at = { acknowledgedAt: this.world.steady(), timestamp, isNamed: true, phoneId: tenants[tenant].phoneId }
        if (own) for (const status of statuses) this.#acknowledged.push({ ...own, ...at, status })
      })
      await this.world.wait(this.world.upTo(200))
    }
  }

  /** The platform repeats a callback until it is taken. */
  async #deliver(tenant: Tenant, body: string): Promise<void> {
    this.#callbacksLeft += 1
    for (let tries = 0; ; tries += 1) {
      const response = (await this.#gateway?.ask(signedCallback(tenant, body))) ?? null
      if (response?.status === 500) this.#failures.push(`a callback: ${await response.text()}`)
      if (response?.status === 200) break
      await this.world.wait(200 * (tries + 1))
    }
    this.#callbacksLeft -= 1
  }

  #receive({ url, id, body }: WebhookRequest) {
    const at = Number(url.at(-1)) as Tenant
    const answers = this.#history.receivers[at]?.answers ?? []
    const nth = this.#attempts[at] ?? 0
    this.#attempts[at] = nth + 1
    const planned = this.#isCalm ? undefined : answers[nth % Math.max(1, answers.length)]
    const { status, afterMs } = planned ?? { status: 200, afterMs: 1 }
    this.#delivered.push({ at: this.world.steady(), url, id, body, hasWorked: status === 200 })
    const error = status === null ? 'no answer' : null
    return { afterMs, answer: { durationMs: afterMs, status, error, answer: null, retryAfter: null } }
  }
}
