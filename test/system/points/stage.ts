import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../../../src/base/crypto.ts'
import { dayMs } from '../../../src/base/durations.ts'
import { eventually } from '../../eventually.ts'
import { binary } from '../../executable.ts'
import { messagesCallback, postCallback } from '../../upstream.ts'
import { askForBatch, batchOrder, miscounted } from '../rig/batchCalls.ts'
import type { BatchOrder } from '../rig/batches.ts'
import type { Gateways } from '../rig/callers.ts'
import { newPicture } from '../rig/contents.ts'
import type { LineName } from '../rig/deployment.ts'
import { countOpen, countWaiting, readEvents, readLedger } from '../rig/ledger.ts'
import { type Order, promised } from '../rig/orders.ts'
import { account } from '../rig/platform.ts'
import { Random } from '../rig/random.ts'
import { Rig } from '../rig/rig.ts'
import { type Environment, environment, type Serving, serve } from '../rig/serving.ts'
import { compare, confused, lost, strayFiles, unheard } from '../rig/verdict.ts'
import { neverMs } from './strace.ts'

/** More than any run sends: the plan is not what is tried. */
const monthlyMessageLimit = 100_000
/** Nothing that decides is drawn. */
const seed = 1
/**
 * One message a second, or two: whatever comes right behind another one waits, also until its calls are counted. A
 * recipient takes 45 before one does.
 */
const rates = { paced: 1, held: 2 }
/** No event is refused but by a point: after a second failure, the next attempt comes minutes later. */
const refusedShare = Number.POSITIVE_INFINITY
/**
 * What a caller may be told while a call of the gateway fails, and that nothing was accepted: the last one while a file
 * cannot be uploaded to the platform. It repeats with its key.
 */
const outages = ['503 SERVICE_UNAVAILABLE', '500 INTERNAL_ERROR', '502 CHANNEL_GRAPH_ERROR']

/** How a command has ended. */
export interface Ended {
  /** 137: it was killed. */
  readonly code: number
  readonly says: string
}

export interface StageOptions {
  /** A database on a server in place of a file. */
  readonly databaseUrl?: string
  /** Further settings of its programs. */
  readonly env?: Environment
  /** Done after each kill, before the next gateway starts. */
  readonly killed?: () => Promise<unknown>
}

/** What the platform calls back with until it is answered 200. */
export interface Report {
  readonly body: string
  readonly inbound: string
}

/**
 * A gateway that is started again after each point, on one database that grows, with the callers and the platform that
 * know what it promised. The platform calls nothing back by itself, so that an act makes the calls that it is to make.
 */
export class Stage {
  readonly rig: Rig
  /** On a server it is a URL. */
  databasePath: string
  readonly dataDir: string
  readonly #killed: () => Promise<unknown>
  #env: Environment
  readonly #callbackPath: string
  #serving: Serving | null = null
  #url = ''
  /** Of the program that was started last. */
  pid = 0
  #restarting: Promise<void> | null = null
  #count = 0

  private constructor(rig: Rig, channelId: string, { env: settings = {}, killed = async () => {} }: StageOptions) {
    const { SECRET_KEY = '', DATA_DIR = '', ...env } = rig.deployment.env
    this.rig = rig
    this.#killed = killed
    this.databasePath = rig.deployment.database
    this.dataDir = DATA_DIR
    // One sender, so that each has its name; and a key file, as it is by itself.
    this.#env = { ...environment, ...env, DATA_DIR, SEND_WORKERS: '1', ...settings }
    writeFileSync(join(DATA_DIR, 'secret.key'), `${SECRET_KEY}\n`, { mode: 0o600 })
    this.#callbackPath = `/callbacks/channel/${channelId}`
  }

  static async make(options: StageOptions = {}) {
    const { databaseUrl } = options
    const on = databaseUrl === undefined ? {} : { databaseUrl }
    const rig = await Rig.make({ seed, monthlyMessageLimit, outages, rates, refusedShare, ...on })
    const { open, workspaces } = rig.deployment
    const store = await open()
    const [channel] = await store.read.channels(workspaces.unlimited)
    await store.close()
    if (channel === undefined) throw new Error('the workspace has no channel')
    return new Stage(rig, channel.id, options)
  }

  get serving(): Serving {
    if (this.#serving === null) throw new Error('no gateway runs')
    return this.#serving
  }

  get hasEnded(): boolean {
    return !existsSync(`/proc/${this.serving.pid}/fd/0`)
  }

  /** @returns whether it serves */
  async start(wrapper: readonly string[] = []): Promise<boolean> {
    this.#serving = serve({ env: this.#env, wrapper })
    this.pid = this.#serving.pid
    const url = await this.#serving.ready
    this.#url = url ?? ''
    return url !== null
  }

  /** Starts the next one, which must come up: one alone, however many callers notice at once that the former has ended. */
  restart(): Promise<void> {
    this.#restarting ??= this.#restart().finally(() => {
      this.#restarting = null
    })
    return this.#restarting
  }

  async #restart(): Promise<void> {
    await this.kill()
    if (!(await this.start())) throw new Error(`the gateway does not start: ${this.serving.stderr()}`)
  }

  async kill(): Promise<void> {
    await this.#serving?.end('SIGKILL')
    await this.#killed()
  }

  /** Ends it as a supervisor does. */
  async stop(): Promise<void> {
    if ((await this.serving.end('SIGTERM')) !== 0) throw new Error(`a stop failed: ${this.serving.stderr()}`)
  }

  /** From now on gateways run on the database that this one was moved to. */
  moveTo(database: string): void {
    this.#env = this.#on(database)
    this.databasePath = database
  }

  /** @returns the settings of a program on a database: the path of its file, or its URL */
  #on(database: string): Environment {
    const { DATABASE_URL, ...env } = this.#env
    return { ...env, [database.startsWith('postgres:') ? 'DATABASE_URL' : 'DATABASE_PATH']: database }
  }

  /** Runs a command to its end. @param on another database, or further settings */
  async run(args: readonly string[], wrapper: readonly string[] = [], on: string | Environment = {}): Promise<Ended> {
    const said = join(this.rig.deployment.folder, 'said')
    const stderr = openSync(said, 'w')
    const child = Bun.spawn([...wrapper, binary, ...args], {
      cwd: this.dataDir,
      env: typeof on === 'string' ? this.#on(on) : { ...this.#env, ...on },
      // Pipes would be sockets: a call to one of these is about the act alone.
      stdin: 'ignore',
      stdout: 'ignore',
      stderr,
    })
    this.pid = child.pid
    const code = await child.exited
    closeSync(stderr)
    return { code, says: readFileSync(said, 'utf8') }
  }

  /** A send of a caller, which repeats it with its key. */
  order(line: LineName, fields: Readonly<Record<string, unknown>> = {}, shows: string | null = null): Order {
    const { tag, phone } = this.#next()
    const { id: phoneNumberId, owner } = this.rig.deployment.lines[line]
    const said = 'type' in fields ? { caption: tag } : { type: 'text', content: tag }
    const body = { ...said, phone, ...fields, phoneNumberId, idempotencyKey: tag }
    const content = { fields: body, quotes: null, shows }
    return this.rig.book.add({ tag, owner, key: tag, body, content, isOrdinary: true, answers: [], cuts: 0 })
  }

  /** Sends of a caller as one thing, which it repeats with its key. */
  batch(size: number): BatchOrder {
    const said = Array.from({ length: size }, () => this.#next())
    return this.rig.book.addBatch(batchOrder(this.rig.deployment, 'open', `batch-${this.#count}`, said))
  }

  #next() {
    this.#count += 1
    return { tag: `point-${this.#count}`, phone: `+1555020${String(this.#count % 10_000).padStart(4, '0')}` }
  }

  /** Posts each once, whatever becomes of it. */
  attempt(...orders: readonly Order[]): Promise<void> {
    return this.rig.callers.repeat({ ...this.#gateways, isOver: () => true }, orders)
  }

  /** Posts each until it is answered, to the next gateway where this one has ended. */
  repeat(...orders: readonly Order[]): Promise<void> {
    return this.rig.callers.repeat(this.#gateways, orders)
  }

  get #gateways(): Gateways {
    return {
      address: () => this.#url,
      mayCut: () => true,
      isOver: () => false,
      failed: async () => {
        if (this.hasEnded) await this.restart()
      },
    }
  }

  /** Asks for a batch once. @returns whether it was answered for */
  askFor(batch: BatchOrder): Promise<boolean> {
    const { deployment, book } = this.rig
    return askForBatch({ ...this.#gateways, failed: async () => {} }, deployment, book, batch)
  }

  /** Asks for a batch until it is answered. */
  insistOn(batch: BatchOrder): Promise<void> {
    return eventually(async () => {
      if (this.hasEnded) await this.restart()
      if (!(await this.askFor(batch))) throw new Error(`a batch is not taken: ${this.serving.stderr()}`)
    }, neverMs)
  }

  /** @returns what a batch says of its items that is not so */
  async miscounted(batch: BatchOrder): Promise<string[]> {
    return miscounted(this.#gateways, this.rig.deployment, batch, await readLedger(this.databasePath))
  }

  /** The time of what was scheduled comes now, for nobody waits the minute that a caller has to plan ahead. */
  async comeDue(order: Order): Promise<void> {
    const store = await this.rig.deployment.open()
    const at = Date.now()
    await store.write.rescheduleMessage({ messageId: promised(order) ?? '', dueAt: at, keyExpiresAt: at + dayMs, at })
    await store.close()
  }

  /** A user nobody knows writes, and has got what the order has sent. */
  report(order: Order): Report {
    this.#count += 1
    const phone = `1555030${String(this.#count).padStart(4, '0')}`
    const inbound = `wamid.inbound${this.#count}`
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const wamid = this.rig.deployment.platform.arrivals().find(({ tag }) => tag === order.tag)?.wamid
    const value = {
      contacts: [{ profile: { name: 'Ada' }, wa_id: phone }],
      messages: [{ from: phone, id: inbound, timestamp, type: 'text', text: { body: 'Hello' } }],
      statuses: [{ id: wamid, status: 'delivered', timestamp, recipient_id: String(order.body.phone).slice(1) }],
    }
    return { body: JSON.stringify(messagesCallback(value)), inbound }
  }

  /** @returns whether it was taken: what is answered 200 comes no more */
  async callBack({ body, inbound }: Report): Promise<boolean> {
    const answer = await postCallback(this.#url + this.#callbackPath, body, account.appSecret).catch(() => null)
    if (answer?.status !== 200) return false
    this.rig.book.written.push({ id: inbound, line: 'open', phone: '' })
    return true
  }

  /** The platform repeats what was not taken. */
  callBackAgain(report: Report): Promise<void> {
    return eventually(async () => {
      if (this.hasEnded) await this.restart()
      if (!(await this.callBack(report))) throw new Error(`a callback is not taken: ${this.serving.stderr()}`)
    }, neverMs)
  }

  picture(): Uint8Array<ArrayBuffer> {
    this.#count += 1
    return newPicture(new Random(this.#count))
  }

  /** Uploads a file. @returns its id; null when it was not answered for */
  async upload(bytes: Uint8Array<ArrayBuffer>): Promise<string | null> {
    const form = new FormData()
    form.append('file', new Blob([bytes]), 'picture.png')
    const init = { method: 'POST', headers: { ...this.rig.deployment.keys.unlimited }, body: form }
    const answer = await fetch(`${this.#url}/api/v1/public/media`, init).catch(() => null)
    if (answer?.status !== 201) return null
    const { data } = (await answer.json()) as { data: { id: string } }
    this.rig.book.files.push({ id: data.id, owner: 'unlimited', bytes })
    return data.id
  }

  /** A send that shows a file of its own. */
  async orderWithFile(): Promise<Order> {
    const bytes = this.picture()
    const id = await eventually(async () => {
      if (this.hasEnded) await this.restart()
      const kept = await this.upload(bytes)
      if (kept === null) throw new Error('the file is not kept')
      return kept
    }, neverMs)
    return this.order('open', { type: 'image', mediaId: id }, sha256(bytes))
  }

  /** Resolves once none of these waits any more, or the gateway has ended. */
  sent(orders: readonly Order[]): Promise<void> {
    return eventually(async () => {
      if (this.hasEnded) return
      const ids = orders.flatMap(order => promised(order) ?? [])
      const waiting = await countWaiting(this.databasePath, ids)
      if (waiting > 0) throw new Error(`${waiting} messages wait still: ${this.serving.stderr()}`)
    }, neverMs)
  }

  /** Resolves once no batch that was made has anything to do any more, nor a message, or the gateway has ended. */
  ran(): Promise<void> {
    return eventually(async () => {
      if (this.hasEnded) return
      const [messages = 0, batches = 0] = await countOpen(this.databasePath)
      if (messages + batches === 0) return
      throw new Error(`${batches} batches run still, and ${messages} messages wait: ${this.serving.stderr()}`)
    }, neverMs)
  }

  /** Resolves once the endpoint has taken each event, or the gateway has ended. */
  delivered(): Promise<void> {
    return eventually(async () => {
      if (this.hasEnded) return
      const missing = this.rig.deployment.receiver.missing(await readEvents(this.databasePath))
      if (missing > 0) throw new Error(`${missing} events are to be delivered still`)
    }, neverMs)
  }

  /** @returns what is lost of all that was asked for until now; to be asked once nothing is under way */
  async lost(): Promise<string[]> {
    return [...lost(await this.#logs())]
  }

  /** @returns each promise that is broken, of all that was asked for until now */
  async verdict(): Promise<string[]> {
    if (existsSync(this.databasePath)) this.rig.checkFile(this.databasePath)
    const logs = await this.#logs()
    return [...this.rig.violations.splice(0), ...compare(logs), ...unheard(logs)]
  }

  /** @returns the same of what takes longer: files, and events at their endpoint */
  async lastVerdict(): Promise<string[]> {
    const { deployment, callers } = this.rig
    // Whatever is under way still has events to come.
    await this.sent(this.rig.book.all)
    await this.ran()
    await this.delivered()
    await callers.lookAtFiles(this.#gateways)
    const logs = await this.#logs()
    return [
      ...(await this.verdict()),
      ...lost(logs),
      ...(await confused(logs)),
      ...strayFiles(deployment.keptFiles(), logs),
      ...deployment.receiver.violations(await readEvents(this.databasePath)),
    ]
  }

  async #logs() {
    const { deployment, book } = this.rig
    // Read before the ledger: whatever has arrived must be on disk.
    const arrivals = [...deployment.platform.arrivals()]
    const ledger = await readLedger(this.databasePath)
    return { deployment, book, arrivals, ledger, startedAt: this.serving.startedAt }
  }

  async close(): Promise<void> {
    await this.kill()
    await this.rig.deployment.close()
  }
}
