import type { Store } from '../../db/contract/store.ts'
import type { Backups } from '../backup/backups.ts'
import type { Clock } from '../base/clock.ts'
import type { Credentials } from '../base/credentials.ts'
import type { Vault } from '../base/crypto.ts'
import type { Config } from '../config/config.ts'
import type { GivenSettings } from '../config/settings.ts'
import type { ExaminedConfig } from '../doctor/running.ts'
import type { ChannelClient } from '../graph/client.ts'
import type { FindSandbox } from '../graph/sandbox.ts'
import type { Peers } from '../http/peer.ts'
import type { FileKeeper } from '../media/incoming/keeper.ts'
import type { FetchParts } from '../media/outgoing/fetch.ts'
import type { FileStorage } from '../media/storage.ts'
import type { FileReceiver } from '../operations/fileReceiver.ts'
import type { Passwords } from '../operations/passwords.ts'
import type { WebhookParts } from '../operations/webhooks.ts'
import type { ChangeFeed } from '../reading/feed.ts'
import { ReadPermits } from '../reading/permits.ts'
import type { Turns } from '../reading/turns.ts'
import type { SubmissionParts } from '../sending/submission.ts'
import type { Logger } from '../telemetry/log.ts'
import type { TemplateRefresher } from '../templates/refresh.ts'
import type { ExampleParts } from '../webhooks/example.ts'
import type { Replays } from '../webhooks/replays.ts'
import type { RequestParts } from '../webhooks/request.ts'
import { AccessTokens } from './access/accessTokens.ts'
import { SignInAttempts } from './access/attempts.ts'
import { ChangeLimit } from './access/changes.ts'
import { SecondFactor } from './access/secondFactor.ts'
import { SignIns } from './access/signIns.ts'
import { createOpenBodies } from './guard.ts'

/** What the gateway gives the console. */
export interface ConsoleSettings {
  readonly vault: Vault
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
  readonly peers: Peers
  /** The address that browsers use, if it is set. */
  readonly publicUrl: string | null
  /** Where the gateway listens; known once it does. */
  readonly ownUrl: () => string
  /** The upstream's API, and the tokens for it. */
  readonly client: ChannelClient
  readonly credentials: Credentials
  readonly templateRefresher: Pick<TemplateRefresher, 'request' | 'renew'>
  /** What sends go through. */
  readonly sending: SubmissionParts
  readonly findSandbox: FindSandbox
  /** Those of the gateway. */
  readonly backups: Pick<Backups, 'status' | 'due'>
  /** What making endpoints, testing them and delivering again needs. */
  readonly webhooks: WebhookParts & ExampleParts & Pick<RequestParts, 'bodyOf'> & { readonly replays: Replays }
  readonly settings: GivenSettings
  /** What changes, for pages that follow it. */
  readonly feed: ChangeFeed
  /** Where the files of users are. */
  readonly fileStorage: FileStorage
  /** What the examples of templates are fetched with. */
  readonly examples: Pick<FetchParts, 'guard' | 'exampleFiles'>
  /** Keeps a file that somebody wants to send. */
  readonly receiveFile: FileReceiver
  readonly passwords: Passwords
  readonly turns: Turns
  /** What owners see of the gateway. */
  readonly config: ExaminedConfig & Pick<Config, 'hasGraphApi' | 'messageRetentionMs' | 'ownerWorkspacesMax'>
  readonly version: string
  readonly files: Pick<FileKeeper, 'storedBytes' | 'storageBytesMax'>
}

/** What the internal routes are made of. A route takes the parts that it needs. */
export type ConsoleParts = ReturnType<typeof consoleParts>

/** All keys come from the vault: `secrets rotate` changes them, and browsers then only refresh their access token. */
export function consoleParts({ vault, ...settings }: ConsoleSettings) {
  const { store, clock } = settings
  return {
    ...settings,
    tokens: new AccessTokens(vault.deriveKey('access tokens'), clock),
    signIns: new SignIns({ store, clock, vault }),
    attempts: new SignInAttempts(clock),
    changes: new ChangeLimit(clock),
    openBodies: createOpenBodies(clock),
    searches: new ReadPermits(),
    exports: new ReadPermits(),
    secondFactor: new SecondFactor({ vault, clock }),
    /** Signs the cookies of known browsers. */
    deviceKey: vault.deriveKey('device cookies'),
  }
}
