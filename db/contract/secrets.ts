import type { EpochMs } from '../../src/base/clock.ts'
import type { ChannelSecret } from '../../src/base/credentials.ts'
import type { Channel, SealedChannel } from './records.ts'
import type { SealedTotp } from './secondFactor.ts'
import type { SealedWebhook } from './webhooks.ts'

/** The verbs of what is sealed. */
export interface SecretWrites {
  /** Replaces one sealed secret. @returns null when there is no such channel. */
  replaceSecret(change: {
    channelId: string
    secret: ChannelSecret
    sealed: string
    at: EpochMs
  }): Promise<Channel | null>
  /**
   * Replaces the secrets of all these channels at once, under another key. The authenticator apps of users and the
   * secrets of webhooks are given up: nothing opens them any more.
   * @param check the property that shows whether a key is the right one
   */
  replaceSecrets(change: {
    check: { name: string; value: string }
    channels: readonly SealedChannel[]
    at: EpochMs
  }): Promise<void>
  /**
   * Replaces the secrets of all channels, users and webhooks at once by the same ones, sealed with another key.
   * @returns false, with nothing changed, when a secret or the key has changed since it was read
   */
  rotateSecrets(change: {
    formerCheck: string
    former: readonly SealedChannel[]
    formerTotps: readonly SealedTotp[]
    formerWebhooks: readonly SealedWebhook[]
    check: { name: string; value: string }
    channels: readonly SealedChannel[]
    totps: readonly SealedTotp[]
    webhooks: readonly SealedWebhook[]
    at: EpochMs
  }): Promise<boolean>
}
