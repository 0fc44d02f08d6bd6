import { createHmac } from 'node:crypto'
import type { VerbAnswer } from '../../src/threads/protocol.ts'
import type { WebhookRequest } from '../../src/webhooks/attempt.ts'
import { HistoryDatabase } from './database.ts'
import { SimulatedGateway } from './gateway.ts'
import type { Act, History, Order, Tenant } from './history.ts'
import { type Callback, type Fate, Platform } from './platform.ts'
import { seeding, type TenantNames, tenants, vault } from './tenants.ts'
import { World } from './world.ts'

/** What a caller was told, or that it was told nothing. */
export interface Told {
  readonly at: number
  readonly askedAt: number
  /** Null: no answer came. */
  readonly status: number | null
  readonly code: string | null
  readonly message: { readonly id: string; readonly status: string } | null
  readonly isReplay: boolean
}

/** One order, and each answer to it. */
export interface Asked {
  readonly order: Order
  readonly text: string
  readonly told: Told[]
}

/** What was told of a message by its id, in order. */
export interface Look {
  readonly at: number
  readonly messageId: string
  readonly status: string
}

/** An attempt to deliver an event. */
export interface Delivered {
  readonly at: number
  readonly url: string
  readonly id: string
  readonly body: string
  /** The receiver has it: it has answered, or its answer was lost. */
  readonly hasWorked: boolean
}

/** A key that was revoked: from that commit on it changes nothing. */
export interface Revoked {
  readonly tenant: Tenant
  readonly at: number
  /** Its messages by then. */
  readonly messageIds: ReadonlySet<string>
}

/** All that was seen from outside. */
export interface Log {
  readonly asked: readonly Asked[]
  readonly looks: readonly Look[]
  readonly platform: Platform
  readonly delivered: readonly Delivered[]
  readonly revoked: readonly Revoked[]
  readonly cancelled: readonly { readonly messageId: string; readonly at: number }[]
  /** What was acknowledged of the platform's callbacks. */
  readonly acknowledged: readonly (Callback & { readonly acknowledgedAt: number })[]
  /** Restarts that nothing told of beforehand. */
  readonly crashes: number
  readonly stops: number
  readonly senderDeaths: number
  readonly errors: readonly string[]
  /** Requests that were answered as failures of ours. */
  readonly failures: readonly string[]
  /** What never came to an end. */
  readonly unfinished: readonly string[]
  readonly simulatedMs: number
}

const patience = 6
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
const door = 'http://localhost/api/v1/public'

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
  readonly #fates = new Map<string, Fate>()
  readonly #has: ConstructorParameters<typeof SimulatedGateway>[0]['has']
  #gateway: SimulatedGateway | null = null
  #commitMs = 1
  #isCalm = false
  #callsUnderWay = 0
  #isStarting = false
  #attempts = [0, 0]
  readonly #asked: Asked[] = []
  readonly #looks: Look[] = []
  readonly #delivered: Delivered[] = []
  readonly #revoked: Revoked[] = []
  readonly #cancelled: { messageId: string; at: number }[] = []
  readonly #acknowledged: Log['acknowledged'][number][] = []
  readonly #errors: string[] = []
  readonly #failures: string[] = []
  #callbacksLeft = 0
  #crashes = 0
  #stops = 0
  #senderDeaths = 0

  constructor(history: History, database: HistoryDatabase, isFresh: boolean) {
    this.#history = history
    this.#database = database
    this.#isFresh = isFresh
    this.world = new World(history.seed)
    this.#has = {
      receivers: history.receivers.some(receiver => receiver !== null),
      scheduled: history.acts.some(({ act }) => act.kind === 'send' && act.order.inMs !== null),
      batches: false,
    }
    this.#platform = new Platform(
      this.world,
      text => this.#fates.get(text) ?? { replies: [], reports: [] },
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
      ...{ asked: this.#asked, looks: this.#looks, platform: this.#platform, delivered: this.#delivered },
      ...{ revoked: this.#revoked, cancelled: this.#cancelled, acknowledged: this.#acknowledged },
      ...{ crashes: this.#crashes, stops: this.#stops, senderDeaths: this.#senderDeaths },
      ...{ errors: this.#errors, failures: this.#failures },
      unfinished: this.#unfinished(),
      simulatedMs: this.world.steady(),
    }
  }

  end(): void {
    this.#gateway?.crash()
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
    if (this.#callsUnderWay > 0) found.push(`${this.#callsUnderWay} callers wait`)
    if (this.#callbacksLeft > 0) found.push(`${this.#callbacksLeft} callbacks are not taken`)
    if (found.length > 0) return found
    const waiting = this.#database.rows<{ status: string }>(
      "SELECT status FROM messages WHERE status IN ('QUEUED', 'SCHEDULED')",
    )
    if (waiting.some(({ status }) => status === 'QUEUED')) return [`${waiting.length} messages wait on the disk`]
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

  #act(act: Act): void {
    if (this.#isCalm) return
    switch (act.kind) {
      case 'send':
        return void this.#send(act.order)
      case 'crash':
        if (!this.#gateway?.isAlive) return
        this.#crashes += 1
        this.#gateway.crash()
        this.#startLater(act.downMs)
        return
      case 'stop': {
        const gateway = this.#gateway
        if (!gateway?.isAlive || gateway.isStopping) return
        this.#stops += 1
        return void gateway.stop().then(() => {
          if (this.#gateway === gateway && !this.#isStarting) this.#startLater(act.downMs)
        })
      }
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
        return void this.#change(act)
      case 'look':
        return void this.#look(act.tenant)
    }
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
    this.#callsUnderWay += 1
    const response = (await this.#gateway?.ask(request)) ?? null
    this.#callsUnderWay -= 1
    if (response === null) return null
    const json = JSON.parse(await response.text()) as Answer
    if (response.status === 500) this.#failures.push(`${method} ${path}: ${JSON.stringify(json)}`)
    return { status: response.status, json }
  }

  #wait(ms: number): Promise<void> {
    return new Promise(resolve => this.world.later(ms, resolve))
  }

  /** A caller: with a key of its own it asks again until it has an answer. */
  async #send(order: Order): Promise<void> {
    const { tenant, key, to, inMs, apiKey } = order
    const text = key === null ? `o${this.#asked.length}` : `t${tenant}k${apiKey}.${key}`
    if (!this.#fates.has(text)) this.#fates.set(text, order.fate)
    const asked: Asked = { order, text, told: [] }
    this.#asked.push(asked)
    const body = {
      ...{ type: 'text', content: text, phone: `+49301234${to}` },
      ...(key !== null && { idempotencyKey: `key ${key}` }),
      ...(inMs !== null && { sendAt: new Date(this.world.now() + inMs).toISOString() }),
    }
    this.#callsUnderWay += 1
    for (let tries = 0; tries < patience; tries += 1) {
      const askedAt = this.world.steady()
      const answer = await this.#ask(tenants[tenant], apiKey, 'POST', '/messages/send', body)
      const data = answer?.json.data
      asked.told.push({
        ...{ at: this.world.steady(), askedAt, status: answer?.status ?? null, code: answer?.json.error ?? null },
        message: data ? { id: data.id, status: data.status } : null,
        isReplay: data?.idempotentReplay === true,
      })
      const isAnswered = answer !== null && ![429, 500, 503].includes(answer.status)
      if (isAnswered || key === null) break
      await this.#wait(300 * (tries + 1))
    }
    this.#callsUnderWay -= 1
  }

  async #look(tenant: Tenant): Promise<void> {
    for (const messageId of this.#knownOf(tenant)) {
      const answer = await this.#ask(tenants[tenant], 1, 'GET', `/messages/${messageId}`)
      if (answer?.status === 200 && answer.json.data)
        this.#looks.push({ at: this.world.steady(), messageId, status: answer.json.data.status })
      else if (answer?.status === 404) this.#failures.push(`${messageId} was answered, and is not found`)
      // The other one must not find it.
      const other = await this.#ask(tenants[tenant === 0 ? 1 : 0], 1, 'GET', `/messages/${messageId}`)
      if (other?.status === 200) this.#failures.push(`${messageId} is shown to another workspace`)
    }
  }

  #knownOf(tenant: Tenant): ReadonlySet<string> {
    const told = this.#asked.filter(({ order }) => order.tenant === tenant).flatMap(({ told }) => told)
    return new Set(told.flatMap(({ message }) => (message ? [message.id] : [])))
  }

  async #change(act: Extract<Act, { kind: 'cancel' | 'move' }>): Promise<void> {
    const scheduled = this.#asked.flatMap(({ order, told }) =>
      told.flatMap(({ message }) => (message?.status === 'SCHEDULED' ? [{ order, id: message.id }] : [])),
    )
    const one = scheduled[act.nth % Math.max(1, scheduled.length)]
    if (!one) return
    const body = act.kind === 'move' ? { sendAt: new Date(this.world.now() + act.inMs).toISOString() } : undefined
    const method = act.kind === 'move' ? 'PATCH' : 'DELETE'
    const answer = await this.#ask(tenants[one.order.tenant], 1, method, `/messages/${one.id}`, body)
    if (answer?.status === 200 && act.kind === 'cancel')
      this.#cancelled.push({ messageId: one.id, at: this.world.steady() })
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

  /** The platform repeats a callback until it is taken. */
  async #callBack(callback: Callback): Promise<void> {
    const at = tenants.findIndex(({ phoneId }) => phoneId === callback.phoneId)
    const names = tenants[at as Tenant]
    const { messageId, wamid, status, timestamp, isNamed, phoneId } = callback
    const errors = status === 'failed' ? [{ code: 131026, title: 'undeliverable' }] : undefined
    const body = JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: names.accountId,
          changes: [
            {
              field: 'messages',
              value: {
                messaging_product: 'whatsapp',
                metadata: { display_phone_number: `1555078388${at}`, phone_number_id: phoneId },
                statuses: [
                  {
                    ...{ id: wamid, status, timestamp: String(timestamp), recipient_id: '49301234' },
                    ...(isNamed && { biz_opaque_callback_data: messageId }),
                    ...(errors && { errors }),
                  },
                ],
              },
            },
          ],
        },
      ],
    })
    const signature = `sha256=${createHmac('sha256', names.appSecret).update(body).digest('hex')}`
    this.#callbacksLeft += 1
    for (let tries = 0; ; tries += 1) {
      const request = new Request(`http://localhost/callbacks/channel/${names.channelId}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-hub-signature-256': signature,
          'content-length': String(body.length),
        },
        body,
      })
      const response = (await this.#gateway?.ask(request)) ?? null
      if (response?.status === 500) this.#failures.push(`a callback: ${await response.text()}`)
      if (response?.status === 200) break
      await this.#wait(200 * (tries + 1))
    }
    this.#callbacksLeft -= 1
    this.#acknowledged.push({ ...callback, acknowledgedAt: this.world.steady() })
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

/** What callers read of an answer. */
interface Answer {
  readonly error?: string
  readonly data?: { readonly id: string; readonly status: string; readonly idempotentReplay?: boolean }
}
