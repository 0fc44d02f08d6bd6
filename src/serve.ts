import { join } from 'node:path'
import type { Store } from '../db/contract/store.ts'
import { clockOf, makeFolder } from '../db/database.ts'
import { openStartingDatabase, throwIfStopped } from '../db/start.ts'
import manifest from '../package.json' with { type: 'json' }
import { buildApp } from './app.ts'
import { Backups } from './backup/backups.ts'
import { createAddressGuard } from './base/addressGuard.ts'
import { type Clock, systemClock } from './base/clock.ts'
import { Credentials } from './base/credentials.ts'
import { DatabaseClock } from './base/databaseClock.ts'
import { rateWindowMs } from './base/rateLimits.ts'
import { BatchRunner } from './batches/runner.ts'
import type { Config } from './config/config.ts'
import { weaknessesOf } from './config/weaknesses.ts'
import { ensureOwner } from './console/setup/owner.ts'
import type { Data, Delivering, Equipped, Monitored, Sending } from './gatewayParts.ts'
import { channelSettings, createChannelClient } from './graph/client.ts'
import { createFindSandbox, exampleFilesOf } from './graph/sandbox.ts'
import { KeyUse } from './http/keyUse.ts'
import { Limiter, type RateLimiter } from './http/limiter.ts'
import { checkPort, startListener } from './http/listener.ts'
import { startMetricsListener } from './http/metrics.ts'
import { createReadiness, ownParts } from './http/readiness.ts'
import { SharedLimiter } from './http/sharedLimiter.ts'
import { UnderWay } from './http/underWay.ts'
import { ClockWatch } from './jobs/clockWatch.ts'
import { PromiseWatch } from './jobs/promiseWatch.ts'
import { type Jobs, startJobs } from './jobs/schedule.ts'
import { FileKeeper } from './media/incoming/keeper.ts'
import { MediaLibrary } from './media/outgoing/library.ts'
import { openStorage, removePartial } from './media/storage.ts'
import { createExposition } from './monitoring/exposition.ts'
import { createTracer } from './monitoring/tracer.ts'
import { Passwords } from './operations/passwords.ts'
import { readSecretKey, unlockVault } from './operations/secretKey.ts'
import { checkSendBody } from './operations/sends/sendBody.ts'
import { Waiting } from './partner/waiting.ts'
import { Announcements } from './reading/announcements.ts'
import { ChangeFeed } from './reading/feed.ts'
import { observed } from './reading/observed.ts'
import { KeptRequests } from './requests/kept.ts'
import { AnswersOfKeys } from './sending/answersOfKeys.ts'
import { Attempts, fewMax } from './sending/attempts.ts'
import { Explainer } from './sending/explanation.ts'
import { Outbox } from './sending/outbox.ts'
import { Recovery } from './sending/recover.ts'
import { Releaser } from './sending/releaser.ts'
import { Senders } from './sending/senders.ts'
import { measureLag } from './telemetry/lag.ts'
import type { Logger } from './telemetry/log.ts'
import { Metrics } from './telemetry/metrics.ts'
import { TemplateRefresher } from './templates/refresh.ts'
import { TemplateCache } from './templates/shape.ts'
import { createTransport } from './transport/transport.ts'
import { createWebhookAddresses } from './webhooks/address.ts'
import { WebhookDeliverer } from './webhooks/deliverer.ts'
import { webhookBody } from './webhooks/eventView.ts'
import { Notifier } from './webhooks/notifier.ts'
import { Replays } from './webhooks/replays.ts'
import { OpenedWebhooks } from './webhooks/secrets.ts'

const { version } = manifest

/** Where files are kept that users send, and that are to be sent. */
const storageOf = ({ dataDir, media }: Config) => ({ folder: join(dataDir, 'media'), bucket: media.bucket })

export interface Gateway {
  /** Where it listens, `http://127.0.0.1:8080`. */
  readonly url: string
  /** Where its metrics are; null: nowhere. */
  readonly metricsUrl: string | null
  readonly store: Store
  readonly credentials: Credentials
  readonly jobs: Pick<Jobs, 'trigger' | 'stop'>
  readonly answersOfKeys: Pick<AnswersOfKeys, 'save'>
  /** Takes no new work, finishes the open work, closes the database. */
  stop(): Promise<void>
}

interface GatewayOptions {
  readonly config: Config
  readonly log: Logger
  /** One that a test moves. */
  readonly clock?: Clock
  /** Those of a test, which are hashed fast. */
  readonly passwords?: Passwords
  /** Of a test that needs sender threads for each attempt: 0. */
  readonly ownAttemptsMax?: number
  /** Ends the start, and from then on no message leaves; once it is ready, `stop` does. */
  readonly stopping?: AbortSignal
  /** Told what a long start does, at least every five seconds. */
  readonly onProgress?: (status: string) => void
  /** The gateway cannot go on. Open requests get no answer. */
  readonly onFatal: (why: string) => void
}

/**
 * The composition root: config → store → workers → HTTP → jobs. Each step takes what the steps before have opened, so
 * that none can come too early, and all of it is closed in reverse order.
 * @throws StoppedBeforeReady: the process is to end. It may still hold the database, whose migration is undone then
 * @throws Error with a sentence for the operator when it cannot start
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { config, log, stopping = new AbortController().signal } = options
  const closing = new AbortController()
  // Closes everything in reverse order, at the end of the gateway or after a failed start.
  await using opened = new AsyncDisposableStack()
  await checkPort(config)
  const data = await openData(opened, { ...options, stopping }, () => closing.signal.aborted)
  const sending = await openSending(opened, data, options.ownAttemptsMax ?? fewMax)
  const { outbox, store, credentials, answersOfKeys } = sending
  throwIfStopped(stopping)
  const sendNoMore = () => outbox.stop()
  stopping.addEventListener('abort', sendNoMore, { once: true })
  await resume(opened, sending)
  const equipped = await openUpkeep(opened, openWebhooks(opened, sending))
  const monitored = await openMonitoring(opened, equipped)
  const submission = submissionOf(monitored)
  const app = createApp({ ...monitored, ...submission }, () => url)
  throwIfStopped(stopping)
  const { url, metricsUrl } = await listen(opened, monitored, app)
  const jobs = startWork(opened, { ...monitored, ...submission })
  const { channelApiUrl: upstream, dataDir, databaseUrl } = config
  const ready = { version, url, metricsUrl: metricsUrl ?? undefined, upstream, dataDir, database: databaseUrl?.place }
  log.info(ready, 'the gateway is ready')

  stopping.removeEventListener('abort', sendNoMore)
  const running = opened.move()
  async function stop() {
    if (closing.signal.aborted) return
    closing.abort()
    // First: from here on nothing is accepted, and callers whose message waits in a queue are answered.
    outbox.stop()
    await running.disposeAsync()
    log.info('the gateway has stopped')
  }
  return { url, metricsUrl, store, credentials, jobs, answersOfKeys, stop }
}

async function openData(
  opened: AsyncDisposableStack,
  options: GatewayOptions & { readonly stopping: AbortSignal },
  isStopping: () => boolean,
): Promise<Data> {
  const { config, log, onFatal, clock = clockOf(config), passwords = new Passwords(), stopping, onProgress } = options
  // A server keeps the database, and the key file makes its folder when it is made.
  if (config.databaseUrl === null) makeFolder(config.dataDir, 'DATA_DIR')
  const database = await openStartingDatabase({ config, clock, log, onFatal, stopping, onProgress })
  opened.defer(() => database.close())
  const announcements = new Announcements(database.store.shared)
  const feed = new ChangeFeed(systemClock, announcements)
  const waiting = new Waiting(systemClock, announcements)
  const answersOfKeys = new AnswersOfKeys({ store: observed(database.store, announcements), clock, log })
  opened.defer(() => answersOfKeys.stop())
  const { store } = answersOfKeys
  const metrics = new Metrics()
  const promiseWatch = new PromiseWatch({ store, clock, log, metrics })
  opened.defer(() => promiseWatch.stop())
  const vault = await unlockVault(store, config)
  await ensureOwner(config.owner, { store, clock, log })
  for (const weakness of weaknessesOf(config, readSecretKey(config))) log.warn(weakness)
  return {
    ...{
      config,
      log,
      clock,
      passwords,
      isStopping,
      store,
      answersOfKeys,
      announcements,
      feed,
      waiting,
      vault,
      metrics,
    },
    database: database.file,
    credentials: new Credentials(vault),
  }
}

async function openSending(opened: AsyncDisposableStack, data: Data, fewMax: number): Promise<Sending> {
  const { config, log, clock, store, credentials, metrics } = data
  const transport = createTransport(clock)
  const client = createChannelClient(transport, channelSettings(config))
  const templateRefresher = new TemplateRefresher({ store, client, credentials, clock, log })
  opened.defer(() => {
    const stopped = templateRefresher.stop()
    // Ends the listing that is being read: a hundred pages may be left, and the next start reads it again.
    transport.close()
    return stopped
  })
  const senders = await Senders.open({
    count: config.sendWorkers,
    options: {
      ...channelSettings(config),
      mediaAllowedNetworks: config.mediaAllowedNetworks,
      storage: storageOf(config),
    },
    clock,
    watch: systemClock,
    log,
  })
  opened.defer(() => senders.stop())
  const { tracesUrl: url, tracesHeaders: headers } = config
  const tracer = url === null ? null : await createTracer({ url, headers, version, clock, log })
  // After the last message has its end.
  opened.defer(() => tracer?.stop())
  const accessToken = async (channelId: string) => {
    const channel = await store.read.channel(channelId)
    if (!channel) throw new Error('a line without its channel')
    return credentials.open(channel, 'accessToken')
  }
  const explainer = new Explainer({ store, templateRefresher, clock })
  // Apart from that of the listings, which a stop cuts off.
  const ownTransport = createTransport(systemClock)
  opened.defer(() => ownTransport.close())
  const ownClient = createChannelClient(ownTransport, channelSettings(config))
  // On PostgreSQL the main thread asks the server itself, and with two crossings fewer a send costs as much.
  const ownMax = store.shared ? 0 : fewMax
  const openCount = (): number => outbox.size
  const sender = new Attempts({ senders, client: ownClient, openCount, fewMax: ownMax, clock })
  const outbox = new Outbox({
    ...{ store, sender, templateRefresher, explainer, accessToken, clock, log, metrics },
    random: Math.random,
    queueMax: config.sendQueueMax,
  })
  opened.defer(() => {
    outbox.stop()
    return outbox.finished()
  })
  return { ...data, transport, client, templateRefresher, senders, tracer, accessToken, outbox }
}

/** Takes up what an earlier process has left, and from then on what other instances leave. */
async function resume(opened: AsyncDisposableStack, sending: Sending): Promise<void> {
  const recovery = new Recovery(sending)
  opened.defer(() => recovery.stop())
  const recovered = await recovery.run()
  recovery.keepRunning()
  if (recovered.unknown > 0 || recovered.resumed > 0) sending.log.warn(recovered, 'resumed earlier messages')
}

/** It stops before the outbox: what is told of the last messages, the next start delivers. */
function openWebhooks(opened: AsyncDisposableStack, sending: Sending): Delivering {
  const { config, log, clock, store, announcements, metrics, vault } = sending
  const notifier = new Notifier({
    options: { networks: config.webhookAllowedNetworks, version },
    ...{ clock, watch: systemClock, log },
  })
  opened.defer(() => notifier.stop())
  const own = { senders: [sending.senders], clockAheadMs: clockAheadOf(clock) }
  const bodyOf: Delivering['bodyOf'] = (webhook, event) =>
    webhookBody({ read: store.read, hasGraphApi: config.hasGraphApi }, webhook, event)
  const deliverer = new WebhookDeliverer({
    ...{ store, shared: store.shared, announcements, clock, log, metrics },
    isReady: () => Object.values(ownParts(own)).every(word => word === 'ok'),
    opened: new OpenedWebhooks(vault),
    attempt: request => notifier.attempt(request),
    bodyOf,
    watch: systemClock,
    random: Math.random,
  })
  opened.defer(() => deliverer.stop())
  deliverer.start()
  return { ...sending, notifier, bodyOf }
}

async function openUpkeep(opened: AsyncDisposableStack, delivering: Delivering): Promise<Equipped> {
  const { config, log, clock, store, credentials, metrics } = delivering
  const limiter = await openLimiter(opened, delivering)
  const keyUse = new KeyUse({ write: store.write, clock, log })
  opened.defer(() => keyUse.save())
  const keptRequests = new KeptRequests({ write: store.write, clock, log })
  opened.defer(() => keptRequests.stop())
  const backups = await Backups.open({ store, clock, log, databasePath: config.databasePath, config: config.backup })
  opened.defer(() => backups.stop())
  const storage = storageOf(config)
  const partial = removePartial(storage.folder)
  if (partial > 0) log.info({ files: partial }, 'removed files of users that were half written')
  const files = new FileKeeper({
    ...{ store, credentials, clock, watch: systemClock, log, metrics },
    options: { ...channelSettings(config), storage },
    storageBytesMax: config.media.storageBytesMax,
  })
  opened.defer(() => files.stop())
  return { ...delivering, limiter, keyUse, keptRequests, backups, storage, files }
}

async function openLimiter(opened: AsyncDisposableStack, { store, clock, log }: Data): Promise<RateLimiter> {
  if (store.shared) return new SharedLimiter({ shared: store.shared, clock })
  const windows = await store.read.rateWindows(clock.now() - rateWindowMs)
  const own = new Limiter({ write: store.write, clock, log }, windows)
  opened.defer(() => own.save())
  return own
}

const clockAheadOf = (clock: Clock) => () => (clock instanceof DatabaseClock ? clock.aheadMs : null)

async function openMonitoring(opened: AsyncDisposableStack, equipped: Equipped): Promise<Monitored> {
  const { config, clock, store, feed, metrics, senders, notifier, outbox, backups, files, isStopping } = equipped
  const clockAheadMs = clockAheadOf(clock)
  const checkReadiness = createReadiness({
    ...{ file: equipped.database, store, senders: [senders], clockAheadMs },
    clock: systemClock,
  })
  const loop = config.metricsPort !== null || config.metricsToken !== null ? measureLag(systemClock) : null
  opened.defer(() => loop?.stop())
  const exposition =
    loop &&
    (await createExposition({
      ...{ metrics, store, feed, senders, notifier, outbox, backups, media: files, clockAheadMs },
      ...{ checkReadiness, version, clock, isStopping, lag: loop.lag },
      queueMax: config.sendQueueMax,
      databasePath: equipped.database?.path ?? null,
    }))
  return { ...equipped, checkReadiness, exposition, replays: new Replays(systemClock) }
}

/** Receivers that are asked for `hub.challenge` at once: one that hangs holds a connection for 15 seconds. */
const verificationsMax = { workspace: 10, all: 50 } as const

/** What a send needs besides: it is the same for those that are sent at once, and later. */
function submissionOf({ config, store, senders, clock, log }: Monitored) {
  const { idempotencyTtlMs, sendWaitMs, scheduleLateMs } = config
  return {
    ...{ templates: new TemplateCache(), idempotencyTtlMs, sendWaitMs, scheduleLateMs },
    media: new MediaLibrary({ store, upload: senders.uploadMedia, clock, log }),
  }
}
type Submitting = Monitored & ReturnType<typeof submissionOf>

/** @param ownUrl where it listens; asked once it does */
function createApp(
  { notifier, bodyOf, replays, storage, senders, exposition, ...parts }: Submitting,
  ownUrl: () => string,
) {
  const { config, clock, vault } = parts
  return buildApp({
    ...parts,
    webhooks: {
      ...{ vault, addresses: createWebhookAddresses(config.webhookAllowedNetworks) },
      ...{ attempts: notifier, replays, bodyOf },
      verifications: new UnderWay(verificationsMax, 'Too many receivers are being asked whether they are one.'),
    },
    examples: {
      guard: createAddressGuard(config.mediaAllowedNetworks),
      exampleFiles: exampleFilesOf(config.channelApiUrl),
    },
    fileStorage: openStorage(storage, clock),
    findSandbox: createFindSandbox(parts.transport, config.channelApiUrl),
    ownUrl,
    version,
    exposition: config.metricsPort === null ? exposition : null,
  })
}

/** Opens the sockets. From here on there are requests. */
async function listen(opened: AsyncDisposableStack, parts: Monitored, app: Parameters<typeof startListener>[0]) {
  const { config, log, exposition, feed, waiting, replays } = parts
  const listener = await startListener(app, config, log)
  opened.defer(() => listener.stop())
  // Before the listener stops: it waits for requests that are under way, and these have no end.
  opened.defer(() => feed.close())
  opened.defer(() => waiting.close())
  opened.defer(() => replays.stop())
  const { url } = listener
  const { metricsPort: port, metricsToken: token } = config
  if (!exposition || port === null) return { url, metricsUrl: exposition && `${url}/metrics` }
  const metricsListener = startMetricsListener({ port, metrics: exposition, token, log })
  opened.defer(() => metricsListener.stop())
  return { url, metricsUrl: metricsListener.url }
}

/** Starts what a gateway does by itself. */
function startWork(opened: AsyncDisposableStack, parts: Submitting): Jobs {
  const { config, log, backups, files } = parts
  const { folder, bucket } = parts.storage
  if (config.databaseUrl && !bucket)
    log.info({ folder }, 'files of users are kept here alone: several instances need MEDIA_BUCKET')
  // Beside the work: there may be many.
  void files.sweep()
  const releaser = new Releaser({ ...parts, readBody: checkSendBody })
  opened.defer(() => releaser.stop())
  releaser.start()
  const batches = new BatchRunner({ ...parts, watch: systemClock, messageRetentionMs: config.messageRetentionMs })
  opened.defer(() => batches.stop())
  const jobs = startJobs({ ...parts, batches })
  opened.defer(() => jobs.stop())
  const clockWatch = new ClockWatch(parts, systemClock)
  opened.defer(() => clockWatch.stop())
  // At once: an operator who has just set a folder that cannot be written sees it now.
  void backups.run()
  return jobs
}
