import type { Vault } from './crypto.ts'

/** The secrets of a channel, stored and opened. */
export const channelSecrets = ['accessToken', 'appSecret', 'verifyToken'] as const
export type ChannelSecret = (typeof channelSecrets)[number]

interface Sealed {
  readonly id: string
  readonly sealedAccessToken: string
  readonly sealedAppSecret: string
  readonly sealedVerifyToken: string
}

/** Far more than any deployment needs: three secrets for each channel. */
const openedMax = 3_000

interface Opened {
  readonly channelId: string
  readonly secret: ChannelSecret
  readonly text: string
}

/** Opens the secrets of channels and keeps them open: every send and callback needs one. */
export class Credentials {
  readonly #vault: Vault
  /** By their sealed form. */
  readonly #opened = new Map<string, Opened>()

  constructor(vault: Vault) {
    this.#vault = vault
  }

  /** @throws UnsealError when the key is not the one it was sealed with */
  open(channel: Sealed, secret: ChannelSecret): string {
    const sealed = sealedOf(channel, secret)
    const known = this.#opened.get(sealed)
    // A secret opens only for its own channel and field.
    if (known?.channelId === channel.id && known.secret === secret) return known.text
    const text = this.#vault.open(sealed, purpose(channel.id, secret))
    if (this.#opened.size >= openedMax) this.#opened.clear()
    this.#opened.set(sealed, { channelId: channel.id, secret, text })
    return text
  }

  /** @returns the three secrets of a channel as they are stored. */
  seal(channelId: string, secrets: Readonly<Record<ChannelSecret, string>>): Omit<Sealed, 'id'> {
    const seal = (secret: ChannelSecret) => this.sealOne(channelId, secret, secrets[secret])
    return {
      sealedAccessToken: seal('accessToken'),
      sealedAppSecret: seal('appSecret'),
      sealedVerifyToken: seal('verifyToken'),
    }
  }

  /** @returns one secret of a channel as it is stored. */
  sealOne(channelId: string, secret: ChannelSecret, text: string): string {
    return this.#vault.seal(text, purpose(channelId, secret))
  }
}

/** What the secret of a user's authenticator app is sealed for: it opens for no other user. */
export const totpPurpose = (userId: string): string => `${userId}/totp`

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
