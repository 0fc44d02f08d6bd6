import { onBroken } from '../../src/telemetry/promises.ts'
import { Callers } from './callers.ts'
import { HistoryDatabase } from './database.ts'
import { SimulatedGateway } from './gateway.ts'
import { GraphCallers } from './graphCallers.ts'
import { type Act, type History, hangMs } from './history.ts'
import type { Log } from './log.ts'
import { Operator } from './operator.ts'
import { PartnerApi } from './partnerApi.ts'
import { Platform } from './platform.ts'
import { Receivers } from './receivers.ts'
import { Telling } from './telling.ts'
import { changesOf, seeding, vault } from './tenants.ts'
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
  readonly #api: PartnerApi
  readonly #callers: Callers
  readonly #graph: GraphCallers
  readonly #receivers: Receivers
  readonly #telling: Telling
  readonly #operator: Operator
  readonly #has: ConstructorParameters<typeof SimulatedGateway>[0]['has']
  #gateway: SimulatedGateway | null = null
  #commitMs = 1
  #isCalm = false
  #isStarting = false
  readonly #errors: string[] = []
  readonly #ignore = onBroken(broken => this.#errors.push(`a promise is broken: ${Bun.inspect(broken)}`))
  /** Endpoints that are switched on in a moment. */
  #toSwitchOn = 0
  #crashes = 0
  #stops = 0
  #senderDeaths = 0

  constructor(history: History, database: HistoryDatabase, isFresh: boolean) {
    this.#history = history
    this.#database = database
    this.#isFresh = isFresh
    this.world = new World(history.seed)
    const gateway = () => this.#gateway
    this.#api = new PartnerApi(gateway)
    this.#callers = new Callers(this.world, this.#api)
    this.#graph = new GraphCallers(this.world, gateway, this.#callers.fates)
    this.#receivers = new Receivers(this.world, history.receivers)
    this.#telling = new Telling(this.world, () => this.#platform, gateway)
    this.#operator = new Operator(this.world, database, gateway)
    this.#has = {
      receivers: history.receivers.some(receiver => receiver !== null),
      scheduled: history.acts.some(({ act }) => act.kind === 'send' && act.order.inMs !== null),
      erasures: history.acts.some(({ act }) => act.kind === 'erase'),
      batches: history.acts.some(({ act }) => act.kind === 'batch'),
      files: history.acts.some(
        ({ act }) =>
          (act.kind === 'send' && act.order.form === 'file') || (act.kind === 'write' && act.fetches !== null),
      ),
    }
    this.#platform = new Platform(
      this.world,
      text => this.#callers.fates.get(text) ?? { replies: [], uploads: [], reports: [] },
      callback => void this.#telling.report(callback),
    )
  }

  spawn(url: string) {
    if (!this.#gateway) throw new Error('a thread without a gateway')
    return this.#gateway.spawn(url)
  }

  play(): Log {
    const { acts } = this.#history
    this.#database.clear()
    const calls = seeding(this.#history)
    this.#database.begin(JSON.stringify(calls), () => this.#operator.command(calls), changesOf(this.#history))
    if (acts.some(({ act }) => act.kind === 'restore')) this.#operator.backUp()
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
        graph: this.#graph.asked,
        looks: this.#callers.looks,
        batches: this.#callers.batches,
        wrote: this.#telling.wrote,
        platform: this.#platform,
        delivered: this.#receivers.delivered,
      },
      ...{ revoked: this.#operator.revoked, restores: this.#operator.restores },
      ...{ erased: this.#operator.erased, replayed: this.#callers.replayed },
      ...{ cancelled: this.#callers.cancelled, acknowledged: this.#telling.acknowledged },
      ...{ switched: this.#callers.switched, uploaded: this.#callers.uploads.uploaded },
      ...{ templates: this.#platform.templates.changes, gone: this.#platform.files.gone },
      ...{ crashes: this.#crashes, stops: this.#stops, senderDeaths: this.#senderDeaths },
      ...{
        errors: this.#errors,
        failures: [this.#telling, this.#api, this.#callers, this.#graph].flatMap(({ failures }) => failures),
      },
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
    this.#platform.calm()
    this.#receivers.isCalm = true
    this.#commitMs = 1
    this.#database.release()
    this.#database.makeRoom()
    if (!this.#gateway?.isAlive && !this.#isStarting) this.#start()
    this.#switchOn()
  }

  /** In the end each endpoint is on again, once no receiver can refuse any more what it got before. */
  #switchOn(): void {
    for (const tenant of [0, 1] as const) {
      const isGone = this.#history.receivers[tenant]?.answers.some(({ status }) => status === 410)
      const isSwitched = this.#history.acts.some(({ act }) => act.kind === 'switch' && act.tenant === tenant)
      if (!isGone && !isSwitched) continue
      this.#toSwitchOn += 1
      this.world.later(hangMs + lookMs, () => {
        this.#operator.switchOn(tenant)
        this.#toSwitchOn -= 1
      })
    }
  }

  #unfinished(): string[] {
    const gateway = this.#gateway
    const found: string[] = []
    if (!gateway?.isReady) found.push('no gateway is ready')
    else if (gateway.open > 0) found.push(`${gateway.open} messages have no end`)
    const callers = this.#api.underWay + this.#callers.underWay + this.#graph.underWay
    if (callers > 0) found.push(`${callers} callers wait`)
    if (this.#telling.left > 0) found.push(`${this.#telling.left} callbacks are not taken`)
    if (this.#toSwitchOn > 0) found.push(`${this.#toSwitchOn} endpoints are to be switched on`)
    if (found.length > 0) return found
    const waiting = this.#database.rows<{ status: string }>(
      "SELECT status FROM messages WHERE status IN ('QUEUED', 'SCHEDULED')",
    )
    if (waiting.some(({ status }) => status === 'QUEUED')) return [`${waiting.length} messages wait on the disk`]
    const running = this.#database.rows<object>("SELECT id FROM batches WHERE state IN ('running', 'scheduled')")
    if (running.length > 0) return [`${running.length} batches run`]
    const soon = this.world.now() + soonMs
    const files = this.#has.files ? this.#database.rows('SELECT id FROM inbound_files WHERE due_at < ?', soon) : []
    if (files.length > 0) return [`${files.length} files are to be fetched or removed`]
    const erasures = this.#database.rows<object>('SELECT subject FROM erasures')
    if (erasures.length > 0) return [`${erasures.length} erasures are not done`]
    const behind = this.#database.rows<{ count: number }>(
      `SELECT count(*) AS count FROM webhook_endpoints w WHERE disabled_at IS NULL AND
        (position < coalesce((SELECT max(seq) FROM events e WHERE e.workspace_id = w.workspace_id), 0)
         OR EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = w.id AND d.next_at < ?))`,
      soon,
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
      receive: request => this.#receivers.receive(request),
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
    if (!this.#crash()) return
    this.#start()
    this.world.later(afterMs, () => this.#stop(0))
  }

  /** @returns whether there was one */
  #crash(): boolean {
    if (!this.#gateway?.isAlive) return false
    this.#crashes += 1
    this.#gateway.crash()
    return true
  }

  #restore(downMs: number): void {
    const { backedUpAt } = this.#operator
    if (backedUpAt === null) return
    this.#crash()
    this.#callers.restored(this.#operator.restore(backedUpAt))
    if (!this.#isStarting) this.#startLater(downMs)
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
      case 'graph':
        return void this.#graph.call(act)
      case 'crash':
        if (this.#crash()) this.#startLater(act.downMs)
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
        return void this.#operator.revoke(act.tenant, act.by)
      case 'limit':
        this.#operator.limit(act.tenant, act.limit)
        return
      case 'replay':
        return void this.#callers.replay(act.tenant)
      case 'erase':
        return void this.#operator.erase(act.tenant, act.by)
      case 'backup':
        this.#operator.backUp()
        return
      case 'restore':
        this.#restore(act.downMs)
        return
      case 'cancel':
      case 'move':
        return void this.#callers.change(act)
      case 'batch':
        return void this.#callers.batch(act)
      case 'steer':
        return void this.#callers.steer(act.nth, act.how)
      case 'write':
        return void this.#telling.write(act)
      case 'recorded':
        return void this.#telling.record(act)
      case 'startAndStop':
        this.#startAndStop(act.afterMs)
        return
      case 'template':
        return void this.#telling.changeTemplate(act)
      case 'switch':
        return void this.#callers.switch(act.tenant, act.isOn)
      case 'look':
        return void this.#callers.look(act.tenant)
    }
  }
}
