import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { openStore } from '../db/sqlite/store.ts'
import type { Store } from '../db/store.ts'
import { type ChannelSettings, createChannelClient } from './channel/client.ts'
import { Credentials } from './channel/credentials.ts'
import type { SenderFact, SenderOptions, SenderVerbs } from './channel/sender.ts'
import { createTransport } from './channel/transport.ts'
import { type Clock, systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { buildApp } from './http/app.ts'
import { Limiter, rateWindowMs } from './http/limiter.ts'
import { startJobs } from './jobs/schedule.ts'
import type { Logger } from './log.ts'
import { Dispatcher } from './messages/dispatch.ts'
import { MediaLibrary } from './messages/media.ts'
import { recover } from './messages/recover.ts'
import { spread } from './messages/senders.ts'
import { Mailbox } from './queue/mailbox.ts'
import { openVault, readSecretKey } from './secretKey.ts'
import { TemplateCache } from './templates/cache.ts'
import { TemplateRefresher } from './templates/refresh.ts'

export interface Gateway {
  /** Where it listens, `http://127.0.0.1:8080`. */
  readonly url: string
  readonly store: Store
  readonly credentials: Credentials
  /** Stops taking work, finishes what is under way, closes the database. */
  stop(): Promise<void>
}

/**
 * The composition root: config → store → workers → HTTP → jobs.
 * @param onFatal the gateway cannot go on; nothing that was not answered is claimed
 * @throws Error with a sentence for the operator when it cannot start
 */
export async function startGateway(options: {
  config: Config
  log: Logger
  clock?: Clock
  onFatal: (why: string) => void
}): Promise<Gateway> {
  const { config, log, onFatal, clock = systemClock } = options
  mkdirSync(config.dataDir, { recursive: true })
  mkdirSync(dirname(config.databasePath), { recursive: true })
  const store = await openStore({
    path: config.databasePath,
    clock,
    log,
    onWriterLost: () => onFatal('the writer thread ended: nothing can be stored any more'),
  })
  const credentials = new Credentials(await openVault(store, readSecretKey(config)))
  const senders = await openSenders(config, clock, log, fact => dispatcher.onFact(fact))
  const senderFor = spread(
    senders.map(sender => ({
      sendMessage: sender.verb('sendMessage'),
      proceed: sender.verb('proceed'),
      uploadMedia: sender.verb('uploadMedia'),
    })),
  )
  const dispatcher = new Dispatcher({
    store,
    senderFor,
    clock,
    log,
    queueMax: config.sendQueueMax,
  })
  const recovered = await recover({ store, dispatcher, credentials, clock })
  if (recovered.unknown > 0 || recovered.resumed > 0) log.warn(recovered, 'took up where the last run ended')

  const limiter = new Limiter(
    { write: store.write, clock, log },
    await store.read.rateWindows(clock.now() - rateWindowMs),
  )
  const transport = createTransport(clock)
  const client = createChannelClient(transport, channelSettings(config))
  const templateRefresher = new TemplateRefresher({ store, client, credentials, clock, log })
  let isStopping = false
  const app = buildApp({
    store,
    dispatcher,
    credentials,
    templates: new TemplateCache(),
    media: new MediaLibrary({ store, senderFor, clock }),
    clock,
    log,
    limiter,
    templateRefresher,
    config,
    idempotencyTtlMs: config.idempotencyTtlMs,
    sendWaitMs: config.sendWaitMs,
    isStopping: () => isStopping,
  })
  app.listen({ hostname: config.host, port: config.port })
  const jobs = startJobs({ store, templateRefresher, clock, log, config })
  const url = `http://${app.server?.hostname}:${app.server?.port}`
  log.info({ url, dataDir: config.dataDir }, 'the gateway is ready')

  async function stop() {
    if (isStopping) return
    isStopping = true
    dispatcher.stop()
    jobs.stop()
    // Requests in flight get their answer; the messages they wait for are finished by their senders.
    await app.stop()
    await templateRefresher.stop()
    transport.close()
    await limiter.save()
    await Promise.all(senders.map(sender => sender.stop()))
    await store.close()
    log.info('the gateway has stopped')
  }
  return { url, store, credentials, stop }
}

/** Threads that send. A dead one is replaced: what it had handed over is unknown, the rest goes on. */
function openSenders(config: Config, clock: Clock, log: Logger, onFact: (fact: SenderFact) => void) {
  const options: SenderOptions = {
    ...channelSettings(config),
    mediaAllowedNetworks: config.mediaAllowedNetworks,
  }
  return Promise.all(
    Array.from({ length: config.sendWorkers }, () =>
      Mailbox.open<SenderVerbs>({
        worker: 'sender',
        options,
        clock,
        log,
        // Only createSender tells facts, and only of this type.
        onFact: fact => onFact(fact as SenderFact),
        onCrash: 'respawn',
      }),
    ),
  )
}

const channelSettings = (config: Config): ChannelSettings => ({
  apiUrl: config.channelApiUrl,
  apiVersion: config.channelApiVersion,
  timeoutMs: config.channelTimeoutMs,
})
