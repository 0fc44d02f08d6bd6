import type { Vault } from '../crypto.ts'

/** The secrets of a channel, as they are stored and as they are used. */
export const channelSecrets = ['accessToken', 'appSecret', 'verifyToken'] as const
export type ChannelSecret = (typeof channelSecrets)[number]

interface Sealed {
  readonly id: string
  readonly sealedAccessToken: string
  readonly sealedAppSecret: string
  readonly sealedVerifyToken: string
}

/** Far more than a deployment has channels: three secrets each. */
const openedMax = 3_000

/** Opens the secrets of channels, each once: a send and a callback need one every time. */
export class Credentials {
  readonly #vault: Vault
  readonly #opened = new Map<string, string>()

  constructor(vault: Vault) {
    this.#vault = vault
  }

  /** @throws UnsealError when the key is not the one it was sealed with */
  open(channel: Sealed, secret: ChannelSecret): string {
    const sealed = sealedOf(channel, secret)
    const use = purpose(channel.id, secret)
    // Under its use as well: what opens for one channel and field must not open for another.
    const key = `${use}/${sealed}`
    const known = this.#opened.get(key)
    if (known !== undefined) return known
    const opened = this.#vault.open(sealed, use)
    if (this.#opened.size >= openedMax) this.#opened.clear()
    this.#opened.set(key, opened)
    return opened
  }

  /** @returns the three secrets of a channel as they are stored. */
  seal(channelId: string, secrets: Readonly<Record<ChannelSecret, string>>): Omit<Sealed, 'id'> {
    const seal = (secret: ChannelSecret) => this.#vault.seal(secrets[secret], purpose(channelId, secret))
    return {
      sealedAccessToken: seal('accessToken'),
      sealedAppSecret: seal('appSecret'),
      sealedVerifyToken: seal('verifyToken'),
    }
  }
}

const purpose = (channelId: string, secret: ChannelSecret) => `${channelId}/${secret}`

function sealedOf(channel: Sealed, secret: ChannelSecret): string {
  switch (secret) {
    case 'accessToken':
      return channel.sealedAccessToken
    case 'appSecret':
      return channel.sealedAppSecret
    case 'verifyToken':
      return channel.sealedVerifyToken
  }
}
