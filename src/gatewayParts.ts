import type { Store } from '../db/contract/store.ts'
import type { DatabaseFile } from '../db/database.ts'
import type { Backups } from './backup/backups.ts'
import type { Clock } from './base/clock.ts'
import type { Credentials } from './base/credentials.ts'
import type { Vault } from './base/crypto.ts'
import type { Config } from './config/config.ts'
import type { ChannelClient } from './graph/client.ts'
import type { KeyUse } from './http/keyUse.ts'
import type { RateLimiter } from './http/limiter.ts'
import type { Readiness } from './http/operation.ts'
import type { FileKeeper } from './media/incoming/keeper.ts'
import type { StorageSettings } from './media/storage.ts'
import type { Exposition } from './monitoring/exposition.ts'
import type { Passwords } from './operations/passwords.ts'
import type { Waiting } from './partner/waiting.ts'
import type { Announcements } from './reading/announcements.ts'
import type { ChangeFeed } from './reading/feed.ts'
import type { KeptRequests } from './requests/kept.ts'
import type { AnswersOfKeys } from './sending/answersOfKeys.ts'
import type { Outbox } from './sending/outbox.ts'
import type { Senders } from './sending/senders.ts'
import type { Logger } from './telemetry/log.ts'
import type { Metrics } from './telemetry/metrics.ts'
import type { Tracer } from './telemetry/tracing.ts'
import type { TemplateRefresher } from './templates/refresh.ts'
import type { Transport } from './transport/transport.ts'
import type { Notifier } from './webhooks/notifier.ts'
import type { Replays } from './webhooks/replays.ts'
import type { RequestParts } from './webhooks/request.ts'

/*
 * What a gateway has opened. `serve.ts` opens it in this order, and each step hands on what the steps before it have.
 */

/** The database, who is told of its changes, and what opens the secrets in it. */
export interface Data {
  readonly config: Config
  readonly log: Logger
  /** The time that is stored and compared: of a shared database, that of its server. */
  readonly clock: Clock
  /** Hashes and checks the passwords of users. */
  readonly passwords: Passwords
  /** Whether the gateway takes no new work any more. */
  readonly isStopping: () => boolean
  /** The file of the database; null: it is on a server. */
  readonly database: DatabaseFile | null
  /** What is stored. What changes it is announced. */
  readonly store: Store
  readonly answersOfKeys: AnswersOfKeys
  /** Tells those in this process who watch what changes. */
  readonly announcements: Announcements
  /** Tells pages of the console what has changed. */
  readonly feed: ChangeFeed
  /** Calls of the API that wait until something changes. */
  readonly waiting: Waiting
  /** Seals and opens secrets with the key of this installation. */
  readonly vault: Vault
  /** The secrets of channels, opened by the vault. */
  readonly credentials: Credentials
  /** What is counted. */
  readonly metrics: Metrics
}

/** What calls the upstream, and sends. */
export interface Sending extends Data {
  /** Makes the HTTP requests of this thread; the sender threads have their own. */
  readonly transport: Transport
  /** The upstream's API, for all but sends. */
  readonly client: ChannelClient
  /** Reads the listings of templates, again and when asked. */
  readonly templateRefresher: TemplateRefresher
  /** The threads that send, and that upload what is sent. */
  readonly senders: Senders
  /** Traces sends; null: tracing is off. */
  readonly tracer: Tracer | null
  /** The token of a channel as it is now. */
  readonly accessToken: (channelId: string) => Promise<string>
  /** Messages from before their acceptance until their end. */
  readonly outbox: Outbox
}

/** What delivers events. */
export interface Delivering extends Sending {
  /** The thread that makes the attempts. */
  readonly notifier: Notifier
  /** What an event says to an endpoint, in the form that it asks for. */
  readonly bodyOf: RequestParts['bodyOf']
}

/** What requests are counted and kept with, the backups, and the files of users. */
export interface Equipped extends Delivering {
  /** Counts the requests of addresses and keys. */
  readonly limiter: RateLimiter
  /** Keeps when each API key was used last. */
  readonly keyUse: KeyUse
  /** Keeps the last calls of API keys, for the console. */
  readonly keptRequests: KeptRequests
  /** Those that are made by themselves. */
  readonly backups: Backups
  /** Where files are that users send, and that are to be sent. */
  readonly storage: StorageSettings
  /** Fetches the files of users, and removes what is due. */
  readonly files: FileKeeper
}

/** What says how it all is. */
export interface Monitored extends Equipped {
  /** Whether the gateway can take and store a send, by its parts. */
  readonly checkReadiness: () => Promise<Readiness>
  /** What Prometheus reads; null: nobody asks for it. */
  readonly exposition: Exposition | null
  /** Events that somebody has delivered again, under way. */
  readonly replays: Replays
}
