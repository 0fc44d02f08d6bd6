import type { Store } from '../../db/contract/store.ts'
import { gatewayBusyMs } from '../../db/sqlite/busy.ts'
import { createAddressGuard } from '../../src/base/addressGuard.ts'
import type { Clock } from '../../src/base/clock.ts'
import { Credentials } from '../../src/base/credentials.ts'
import type { Vault } from '../../src/base/crypto.ts'
import { hourMs } from '../../src/base/durations.ts'
import { BatchRunner } from '../../src/batches/runner.ts'
import { createChannelClient } from '../../src/graph/client.ts'
import { createFetcher } from '../../src/media/incoming/fetcher.ts'
import { FileKeeper } from '../../src/media/incoming/keeper.ts'
import { MediaLibrary } from '../../src/media/outgoing/library.ts'
import { createMediaUploader } from '../../src/media/outgoing/upload.ts'
import { makeFilesFolder, removePartial } from '../../src/media/storage.ts'
import { takeUpErasures } from '../../src/operations/erasure.ts'
import { checkSendBody } from '../../src/operations/sends/sendBody.ts'
import { Waiting } from '../../src/partner/waiting.ts'
import { Announcements } from '../../src/reading/announcements.ts'
import { observed } from '../../src/reading/observed.ts'
import { Attempts, fewMax } from '../../src/sending/attempts.ts'
import { Explainer } from '../../src/sending/explanation.ts'
import { Outbox } from '../../src/sending/outbox.ts'
import { Recovery } from '../../src/sending/recover.ts'
import { Releaser } from '../../src/sending/releaser.ts'
import { createSender } from '../../src/sending/sender.ts'
import { Senders } from '../../src/sending/senders.ts'
import type { Logger } from '../../src/telemetry/log.ts'
import { Metrics } from '../../src/telemetry/metrics.ts'
import { TemplateRefresher } from '../../src/templates/refresh.ts'
import { TemplateCache } from '../../src/templates/shape.ts'
import type { VerbCall } from '../../src/threads/protocol.ts'
import { type Outgoing, type Served, serveEach } from '../../src/threads/worker.ts'
import type { WebhookAnswer, WebhookRequest } from '../../src/webhooks/attempt.ts'
import { WebhookDeliverer } from '../../src/webhooks/deliverer.ts'
import { webhookBody } from '../../src/webhooks/eventView.ts'
import { OpenedWebhooks } from '../../src/webhooks/secrets.ts'
import type { HistoryDatabase } from './database.ts'
import type { Door } from './door.ts'
import { filesIn, receiverOf } from './files.ts'
import type { Platform } from './platform.ts'
import { openDoor } from './routes.ts'
import { openHistoryStore } from './store.ts'
import { SimulatedThread } from './thread.ts'
import type { World } from './world.ts'

export const settings = { apiUrl: 'https://platform.invalid', apiVersion: 'v25.0', timeoutMs: 30_000 }
export const idempotencyTtlMs = 24 * hourMs
export const scheduleLateMs = hourMs
/** As the setting has it. */
const sendWaitMs = 15_000
const queueMax = 1_000
/** Two, so that one may be there while the other is replaced. */
const senderCount = 2
/** How often batches are looked for; a job does it in a gateway. */
const batchLookMs = 1_000
/** How often erasures are looked for that somebody has left. */
const eraseLookMs = 5_000
/** How often files are looked for that are to be fetched or removed; a job does it in a gateway. */
const fileLookMs = 1_000
/** More than all that a history has. */
const storageBytesMax = 10_000_000

type Later = (delayMs: number, fire: () => void) => void
const threadNames = ['writer', 'sender', 'files'] as const

export interface Surroundings {
  readonly world: World
  readonly database: HistoryDatabase
  readonly platform: Platform
  readonly vault: Vault
  /** Makes one attempt to deliver an event. It is asked by a process, which may end before the answer. */
  readonly receive: (request: WebhookRequest) => { readonly afterMs: number; readonly answer: WebhookAnswer }
  /** How long the next commit takes. */
  readonly commitMs: () => number
  /** Told before it begins: its threads are made by it. */
  readonly announce: (gateway: SimulatedGateway) => void
  /** Something that must never be logged. */
  readonly onError: (words: string) => void
  /** What looks once a second for what a history has none of is left out: most of its time would go there. */
  readonly has: Readonly<Record<'receivers' | 'scheduled' | 'batches' | 'erasures' | 'files', boolean>>
  /** Nothing of an earlier writer is used again: slower, and as a new process is. */
  readonly isFresh: boolean
}

/**
 * One gateway process over the real database, from its start to its stop or its crash: its parts are those of
 * `src/serve.ts`, put together in the same order. What is left out has nothing to do with messages: the console,
 * backups, limits of addresses.
 *
 * On SQLite one process at a time has the file, by its lock: so processes follow one another, and commands write beside
 * them. What several at once share is PostgreSQL's, and proved by `test/system/cluster/`.
 */
export class SimulatedGateway {
  readonly #around: Surroundings
  #isAlive = true
  #isReady = false
  #isStopping = false
  #door: Door | null = null
  #outbox: Outbox | null = null
  #store: Store | null = null
  readonly #threads: SimulatedThread[] = []
  /** Requests without an answer. */
  #underWay = 0
  /** Settles when it is ready, or has failed to start. */
  readonly started: Promise<void>
  readonly #gone = Promise.withResolvers<null>()

  constructor(around: Surroundings) {
    this.#around = around
    around.announce(this)
    this.started = this.#start()
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  get isStopping(): boolean {
    return this.#isStopping
  }

  get isReady(): boolean {
    return this.#isAlive && this.#isReady
  }

  /** Messages without an end, in this process. */
  get open(): number {
    return this.#outbox?.size ?? 0
  }

  get store(): Store | null {
    return this.#isAlive ? this.#store : null
  }

  /** @returns null when there is no answer: it is not there, or it went meanwhile */
  async ask(request: Request): Promise<Response | null> {
    if (!this.isReady || this.#door === null || this.#isStopping) return null
    this.#underWay += 1
    const answer = await Promise.race([this.#door.handle(request), this.#gone.promise])
    this.#underWay -= 1
    return answer
  }

  /** Everything of it is gone at once. */
  crash(): void {
    if (!this.#isAlive) return
    this.#isAlive = false
    this.#around.world.forgetTurns()
    this.#gone.resolve(null)
  }

  /** One of the threads that send dies. */
  loseSender(): void {
    this.#threads.find(thread => thread.name === 'sender' && !thread.isOver)?.terminate()
  }

  async #start(): Promise<void> {
    const { world, database, platform, vault, isFresh, has } = this.#around
    const isAlive = () => this.#isAlive
    const clock = world.clockOf(isAlive)
    const log = this.#log()
    const writes = database.writer(isFresh)
    this.spawn = url => {
      const name = threadNames.find(one => url.endsWith(`/${one}.ts`)) ?? 'sender'
      const serve = {
        writer: (outgoing: Outgoing, later: Later) => this.#writer(writes, outgoing, later),
        sender: (outgoing: Outgoing, later: Later) => this.#sender(outgoing, later),
        files: (outgoing: Outgoing, later: Later) => this.#fetcher(outgoing, later),
      }[name]
      const thread = new SimulatedThread(name, world, isAlive, serve)
      this.#threads.push(thread)
      return thread
    }
    const opened = await openHistoryStore({ database, clock, log, onWriterLost: () => this.crash() })
    const announcements = new Announcements(null)
    const store = observed(opened, announcements)
    this.#store = store
    const waiting = new Waiting(clock, announcements)
    const credentials = new Credentials(vault)
    const metrics = new Metrics()
    const client = createChannelClient(platform.transport(clock), settings)
    const templateRefresher = new TemplateRefresher({ store, client, credentials, clock, log })
    const storage = { folder: database.filesFolder, bucket: null }
    const senders = await Senders.open({
      count: senderCount,
      options: { ...settings, mediaAllowedNetworks: [], storage },
      ...{ clock, watch: clock, log },
    })
    const accessToken = async (channelId: string) => {
      const channel = await store.read.channel(channelId)
      if (!channel) throw new Error('a line without its channel')
      return credentials.open(channel, 'accessToken')
    }
    const explainer = new Explainer({ store, templateRefresher, clock })
    const random = world.random
    const sender = new Attempts({ senders, client, openCount: () => outbox.size, fewMax, clock })
    const sends = { store, sender, templateRefresher, explainer, accessToken, clock, log, metrics }
    const outbox: Outbox = new Outbox({ ...sends, random, queueMax })
    this.#outbox = outbox
    if (this.#isStopping) outbox.stop()
    const recovery = new Recovery({ store, outbox, accessToken, clock, log, metrics })
    await recovery.run()
    recovery.keepRunning()
    const deliverer = new WebhookDeliverer({
      ...{ store, shared: null, announcements, clock, log, metrics, random, watch: clock },
      isReady: () => true,
      opened: new OpenedWebhooks(vault),
      attempt: request => {
        const { afterMs, answer } = this.#around.receive(request)
        return new Promise(resolve => clock.setTimer(afterMs, () => resolve(answer)))
      },
      bodyOf: (webhook, event) => webhookBody({ read: store.read, hasGraphApi: false }, webhook, event),
    })
    if (has.receivers) deliverer.start()
    if (has.files) {
      makeFilesFolder(storage.folder)
      removePartial(storage.folder)
    }
    const files = new FileKeeper({
      ...{ store, credentials, clock, watch: clock, log, metrics, storageBytesMax },
      options: { ...settings, storage },
    })
    const submission = {
      ...{ store, credentials, outbox, clock, templateRefresher, idempotencyTtlMs, sendWaitMs, scheduleLateMs, log },
      tracer: null,
      templates: new TemplateCache(),
      media: new MediaLibrary({ store, upload: senders.uploadMedia, clock, log }),
    }
    const fileStorage = filesIn(storage.folder)
    const receiveFile = receiverOf({ files, fileStorage, clock, world })
    const { door, endReplays, save } = await openDoor({
      ...{ ...submission, client, waiting, metrics, fileStorage, receiveFile },
    })
    this.#door = door
    const releaser = new Releaser({ ...submission, readBody: checkSendBody })
    if (has.scheduled) releaser.start()
    const batches = new BatchRunner({ ...submission, watch: clock, messageRetentionMs: null })
    let isLooking = true
    const again = (everyMs: number, look: () => Promise<unknown>) =>
      clock.setTimer(everyMs, () => {
        const next = () => isLooking && again(everyMs, look)
        if (isLooking) look().then(next, next)
      })
    if (has.batches) again(batchLookMs, () => batches.look())
    if (has.erasures) again(eraseLookMs, () => takeUpErasures(store))
    if (has.files) again(fileLookMs, () => files.run())
    this.#isReady = true
    this.#onStop = async () => {
      isLooking = false
      await batches.stop()
      await releaser.stop()
      endReplays()
      waiting.close()
      while (this.#underWay > 0) await new Promise<void>(resolve => clock.setTimer(50, resolve))
      await save()
      await files.stop()
      await deliverer.stop()
      await recovery.stop()
      await outbox.finished()
      await senders.stop()
      await templateRefresher.stop()
      await opened.close()
    }
    if (this.#isStopping) void this.#finish()
  }

  /** Makes a thread, in place of `Worker`. */
  spawn: (url: string) => SimulatedThread = () => {
    throw new Error('no thread is needed yet')
  }

  #onStop: (() => Promise<void>) | null = null
  readonly #stopped = Promise.withResolvers<void>()

  /** Asks it to stop, also while it starts. @returns settles once it has */
  stop(): Promise<void> {
    if (!this.#isStopping) {
      this.#isStopping = true
      this.#outbox?.stop()
      void this.#finish()
    }
    return Promise.race([this.#stopped.promise, this.#gone.promise.then(() => {})])
  }

  async #finish(): Promise<void> {
    if (this.#onStop === null) return
    await this.#onStop()
    this.#isAlive = false
    this.#around.world.forgetTurns()
    this.#stopped.resolve()
  }

  /** As `workers/writer.ts`. */
  #writer(writes: ReturnType<HistoryDatabase['writer']>, { replyAtOnce }: Outgoing, later: Later): Served {
    const { world, database, commitMs } = this.#around
    let inbox: VerbCall[] = []
    const commit = async (until: number) => {
      // SQLite waits for whoever holds the lock, and the thread with it.
      if (database.isHeld && world.steady() < until) return later(1, () => void commit(until))
      const batch = inbox
      inbox = []
      if (batch.length > 0) replyAtOnce(await writes.commit(batch))
    }
    return {
      verbs: writes.verbs,
      take(calls) {
        if (inbox.length === 0) {
          const ms = commitMs()
          later(ms, () => void commit(world.steady() + gatewayBusyMs))
        }
        inbox.push(...calls)
      },
      stop: () => commit(0),
    }
  }

  /** As `workers/sender.ts`. */
  #sender(outgoing: Outgoing, later: Later): Served {
    const { platform, database } = this.#around
    const clock = this.#threadClock(later)
    const transport = platform.transport(clock)
    const client = createChannelClient(transport, settings)
    const guard = createAddressGuard([])
    const upload = createMediaUploader({ client, guard, storage: filesIn(database.filesFolder), clock })
    return createSender({ client, upload, transport, outgoing })
  }

  /** As `workers/files.ts`. */
  #fetcher(outgoing: Outgoing, later: Later): Served {
    const { platform, database } = this.#around
    const { filesFolder: folder } = database
    const clock = this.#threadClock(later)
    const client = createChannelClient(platform.transport(clock), settings)
    const options = { ...settings, storage: { folder, bucket: null } }
    const { download } = platform.files
    return serveEach(createFetcher({ client, download, storage: filesIn(folder), options, clock }), outgoing)
  }

  /** What a thread waits for ends with it. */
  #threadClock(later: Later): Clock {
    return {
      ...this.#around.world.clockOf(() => true),
      setTimer(ms, fire) {
        let isWanted = true
        later(ms, () => isWanted && fire())
        return () => {
          isWanted = false
        }
      },
    }
  }

  #log(): Logger {
    const { onError } = this.#around
    const nothing = () => {}
    return {
      isLevelEnabled: () => false,
      ...{ trace: nothing, debug: nothing, info: nothing, warn: nothing, fatal: nothing },
      error: (entry: unknown, words?: string) => onError(`${words}: ${Bun.inspect(entry)}`),
    } as unknown as Logger
  }
}
