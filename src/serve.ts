import { join } from 'node:path'
import type { Store } from '../db/contract/store.ts'
import { clockOf, makeFolder } from '../db/database.ts'
import { openStartingDatabase, throwIfStopped } from '../db/start.ts'
import manifest from '../package.json' with { type: 'json' }
import { buildApp } from './app.ts'
import { Backups } from './backup/backups.ts'
import { type Clock, systemClock } from './base/clock.ts'
import { Credentials } from './base/credentials.ts'
import { DatabaseClock } from './base/databaseClock.ts'
import { rateWindowMs } from './base/rateLimits.ts'
import type { Config } from './config/config.ts'
import { weaknessesOf } from './config/weaknesses.ts'
import { Passwords } from './console/access/passwords.ts'
import { ensureOwner } from './console/setup/owner.ts'
import { channelSettings, createChannelClient } from './graph/client.ts'
import { createFindSandbox } from './graph/sandbox.ts'
import { KeyUse } from './http/keyUse.ts'
import { Limiter } from './http/limiter.ts'
import { startListener } from './http/listener.ts'
import { startMetricsListener } from './http/metrics.ts'
import { createReadiness } from './http/readiness.ts'
import { SharedLimiter } from './http/sharedLimiter.ts'
import { type Jobs, startJobs } from './jobs/schedule.ts'
import { FileKeeper } from './media/incoming/keeper.ts'
import { openStorage, removeOrphans } from './media/incoming/storage.ts'
import { MediaLibrary } from './media/outgoing/library.ts'
import { createExposition } from './monitoring/exposition.ts'
import { createTracer } from './monitoring/tracer.ts'
import { readSecretKey, unlockVault } from './operations/secretKey.ts'
import { eventBody } from './partner/eventView.ts'
import { Waiting } from './partner/waiting.ts'
import { Announcements } from './reading/announcements.ts'
import { ChangeFeed } from './reading/feed.ts'
import { observed } from './reading/observed.ts'
import { KeptRequests } from './requests/kept.ts'
import { Outbox } from './sending/outbox.ts'
import { Recovery } from './sending/recover.ts'
import { Senders } from './sending/senders.ts'
import { measureLag } from './telemetry/lag.ts'
import type { Logger } from './telemetry/log.ts'
import { Metrics } from './telemetry/metrics.ts'
import { TemplateRefresher } from './templates/refresh.ts'
import { TemplateCache } from './templates/shape.ts'
import { createTransport } from './transport/transport.ts'
import { createWebhookAddresses } from './webhooks/address.ts'
import { WebhookDeliverer } from './webhooks/deliverer.ts'
import { Notifier } from './webhooks/notifier.ts'
import { Replays } from './webhooks/replays.ts'
import { OpenedWebhooks } from './webhooks/secrets.ts'

const { version } = manifest

export interface Gateway {
  /** Where it listens, `http://127.0.0.1:8080`. */
  readonly url: string
  /** Where its metrics are; null: nowhere. */
  readonly metricsUrl: string | null
  readonly store: Store
  readonly credentials: Credentials
  readonly jobs: Pick<Jobs, 'trigger' | 'stop'>
  /** Takes no new work, finishes the open work, closes the database. */
  stop(): Promise<void>
}

/**
 * The composition root: config → store → workers → HTTP → jobs.
 * @param options `clock`: one that a test moves. `passwords`: those of a test, which are hashed fast. `stopping`: ends
 *   the start, and from then on no message leaves; once it is ready, `stop` does. `onProgress`: told what a long start
 *   does, at least every five seconds. `onFatal`: the gateway cannot go on. Open requests get no answer
 * @throws StoppedBeforeReady: the process is to end. It may still hold the database, whose migration is undone then
 * @throws Error with a sentence for the operator when it cannot start
 */
export async function startGateway(options: {
  config: Config
  log: Logger
  clock?: Clock
  passwords?: Passwords
  stopping?: AbortSignal
  onProgress?: (status: string) => void
  onFatal: (why: string) => void
}): Promise<Gateway> {
  const { config, log, onFatal, clock = clockOf(config), passwords = new Passwords() } = options
  const { stopping = new AbortController().signal, onProgress } = options
  const clockAheadMs = () => (clock instanceof DatabaseClock ? clock.aheadMs : null)
  // Closes everything in reverse order, at the end of the gateway or after a failed start.
  await using opened = new AsyncDisposableStack()
  // A server keeps the database, and the key file makes its folder when it is made.
  if (config.databaseUrl === null) makeFolder(config.dataDir, 'DATA_DIR')
  const database = await openStartingDatabase({ config, clock, log, onFatal, stopping, onProgress })
  opened.defer(() => database.close())
  const announcements = new Announcements(database.store.shared)
  const feed = new ChangeFeed(systemClock, announcements)
  const waiting = new Waiting(systemClock, announcements)
  const store = observed(database.store, announcements)
  const vault = await unlockVault(store, config)
  const credentials = new Credentials(vault)
  await ensureOwner(config.owner, { store, clock, log })
  for (const weakness of weaknessesOf(config, readSecretKey(config))) log.warn(weakness)
  const metrics = new Metrics()
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
    options: { ...channelSettings(config), mediaAllowedNetworks: config.mediaAllowedNetworks },
    clock,
    watch: systemClock,
    log,
  })
  opened.defer(() => senders.stop())
  const accessToken = async (channelId: string) => {
    const channel = await store.read.channel(channelId)
    if (!channel) throw new Error('a line without its channel')
    return credentials.open(channel, 'accessToken')
  }
  const tracer =
    config.tracesUrl === null
      ? null
      : await createTracer({ url: config.tracesUrl, headers: config.tracesHeaders, version, clock, log })
  // After the last message has its end.
  opened.defer(() => tracer?.stop())
  const outbox = new Outbox({
    store,
    sender: senders,
    templateRefresher,
    accessToken,
    clock,
    random: Math.random,
    log,
    metrics,
    queueMax: config.sendQueueMax,
  })
  opened.defer(() => {
    outbox.stop()
    return outbox.finished()
  })
  const recovery = new Recovery({ store, outbox, accessToken, clock, log, metrics })
  opened.defer(() => recovery.stop())
  throwIfStopped(stopping)
  const sendNoMore = () => outbox.stop()
  stopping.addEventListener('abort', sendNoMore, { once: true })
  const recovered = await recovery.run()
  recovery.keepRunning()
  if (recovered.unknown > 0 || recovered.resumed > 0) log.warn(recovered, 'resumed earlier messages')

  const notifier = new Notifier({
    options: { networks: config.webhookAllowedNetworks, version },
    ...{ clock, watch: systemClock, log },
  })
  opened.defer(() => notifier.stop())
  const webhooks = new WebhookDeliverer({
    ...{ store, shared: store.shared, announcements, clock, log, metrics },
    opened: new OpenedWebhooks(vault),
    attempt: request => notifier.attempt(request),
    bodyOf: eventBody,
    watch: systemClock,
    random: Math.random,
  })
  opened.defer(() => webhooks.stop())
  webhooks.start()

  const limiter = store.shared ? new SharedLimiter({ shared: store.shared, clock }) : await openLimiter()
  async function openLimiter() {
    const windows = await store.read.rateWindows(clock.now() - rateWindowMs)
    const own = new Limiter({ write: store.write, clock, log }, windows)
    opened.defer(() => own.save())
    return own
  }
  const keyUse = new KeyUse({ write: store.write, clock, log })
  opened.defer(() => keyUse.save())
  const keptRequests = new KeptRequests({ write: store.write, clock, log })
  opened.defer(() => keptRequests.stop())
  let isStopping = false
  const checkReadiness = createReadiness({
    file: database.file,
    store,
    senders: [senders],
    clock: systemClock,
    clockAheadMs,
  })
  const backups = await Backups.open({ store, clock, log, databasePath: config.databasePath, config: config.backup })
  opened.defer(() => backups.stop())
  const storageSettings = { folder: join(config.dataDir, 'media'), bucket: config.media.bucket }
  const files = new FileKeeper({
    ...{ store, credentials, clock, log, metrics },
    options: { ...channelSettings(config), storage: storageSettings },
    storageBytesMax: config.media.storageBytesMax,
  })
  opened.defer(() => files.stop())
  const { metricsPort, metricsToken } = config
  const loop = metricsPort !== null || metricsToken !== null ? measureLag(systemClock) : null
  opened.defer(() => loop?.stop())
  const databasePath = database.file?.path ?? null
  const queueMax = config.sendQueueMax
  const gauged = { senders, notifier, outbox, queueMax, databasePath, backups, media: files, clockAheadMs }
  const watched = { metrics, store, feed, ...gauged, checkReadiness, version, clock }
  const exposition = loop && (await createExposition({ ...watched, lag: loop.lag, isStopping: () => isStopping }))
  const replays = new Replays(systemClock)
  const app = buildApp({
    store,
    feed,
    passwords,
    waiting,
    outbox,
    client,
    credentials,
    vault,
    webhooks: { vault, addresses: createWebhookAddresses(config.webhookAllowedNetworks), attempts: notifier, replays },
    fileStorage: openStorage(storageSettings, clock),
    files,
    findSandbox: createFindSandbox(transport, config.channelApiUrl),
    backups,
    ownUrl: () => listener.url,
    templates: new TemplateCache(),
    media: new MediaLibrary({ store, upload: senders.uploadMedia, clock, log }),
    clock,
    log,
    limiter,
    keyUse,
    keptRequests,
    templateRefresher,
    config,
    idempotencyTtlMs: config.idempotencyTtlMs,
    sendWaitMs: config.sendWaitMs,
    version,
    checkReadiness,
    metrics,
    tracer,
    exposition: metricsPort === null ? exposition : null,
    isStopping: () => isStopping,
  })
  throwIfStopped(stopping)
  const listener = await startListener(app, config, log)
  opened.defer(() => listener.stop())
  // Before the listener stops: it waits for requests that are under way, and these have no end.
  opened.defer(() => feed.close())
  opened.defer(() => waiting.close())
  opened.defer(() => replays.stop())
  const { url } = listener
  const metricsListener =
    exposition && metricsPort !== null
      ? startMetricsListener({ port: metricsPort, metrics: exposition, token: metricsToken, log })
      : null
  if (metricsListener) opened.defer(() => metricsListener.stop())
  if (config.databaseUrl && !storageSettings.bucket) {
    log.info(
      { folder: storageSettings.folder },
      'files of users are kept here alone: several instances need MEDIA_BUCKET',
    )
  }
  // Beside the work: there may be many.
  const swept = removeOrphans(storageSettings.folder, store.read).then(
    orphans => void (orphans > 0 && log.info({ files: orphans }, 'removed files of users that no message has')),
    (error: unknown) => log.warn({ err: error }, 'files of users that no message has could not be removed'),
  )
  opened.defer(() => swept)
  const jobs = startJobs({ store, templateRefresher, backups, files, clock, log, config })
  opened.defer(() => jobs.stop())
  // At once: an operator who has just set a folder that cannot be written sees it now.
  void backups.run()
  const upstream = config.channelApiUrl
  const place = config.databaseUrl?.place
  const metricsUrl = metricsListener?.url ?? (exposition && `${url}/metrics`)
  log.info(
    { version, url, metricsUrl: metricsUrl ?? undefined, upstream, dataDir: config.dataDir, database: place },
    'the gateway is ready',
  )

  stopping.removeEventListener('abort', sendNoMore)
  const running = opened.move()
  async function stop() {
    if (isStopping) return
    isStopping = true
    // First: from here on nothing is accepted, and callers whose message waits in a queue are answered.
    outbox.stop()
    await running.disposeAsync()
    log.info('the gateway has stopped')
  }
  return { url, metricsUrl, store, credentials, jobs, stop }
}
