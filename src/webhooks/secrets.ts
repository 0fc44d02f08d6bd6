import type { SealedWebhook } from '../../db/contract/webhooks.ts'
import type { EpochMs } from '../base/clock.ts'
import type { Vault } from '../base/crypto.ts'
import { dayMs } from '../base/durations.ts'
import { newWebhookSecret } from '../base/webhookSignature.ts'

/*
 * What is sealed of an endpoint: the secrets that sign, and the caller's own headers.
 */

/** A secret that signs. The first of an endpoint is the newest. */
export interface WebhookSecret {
  /** `whsec_…` */
  readonly secret: string
  /** A replaced one signs until then, beside the newest; null: it is the newest. */
  readonly until: EpochMs | null
}

/** How long a replaced secret signs, unless somebody asks for another time. */
export const graceMsDefault = dayMs
export const graceMsMax = 7 * dayMs
/** Each signs every request; who rotates more often than this within the grace loses the oldest. */
const formerMax = 10

const secretsPurpose = (endpointId: string) => `${endpointId}/webhookSecrets`
const headersPurpose = (endpointId: string) => `${endpointId}/webhookHeaders`

/** @returns the secrets of a new endpoint, or of one that has lost them */
export const newSecrets = (): readonly [WebhookSecret] => [{ secret: newWebhookSecret(), until: null }]

/**
 * @param graceMs how long the former ones go on signing at most, each not longer than it would have before; 0: not at
 *   all
 * @returns the secrets after a rotation
 */
export function rotatedSecrets(
  former: readonly WebhookSecret[],
  { at, graceMs }: { readonly at: EpochMs; readonly graceMs: number },
): readonly [WebhookSecret, ...WebhookSecret[]] {
  const until = at + Math.min(graceMs, graceMsMax)
  const replaced = former.map(({ secret, until: end }) => ({ secret, until: Math.min(end ?? until, until) }))
  return [...newSecrets(), ...replaced.filter(({ until }) => until > at).slice(0, formerMax)]
}

/** @returns the secrets that sign at this moment, newest first */
export const signingSecrets = (secrets: readonly WebhookSecret[], at: EpochMs): readonly string[] =>
  secrets.filter(({ until }) => until === null || until > at).map(({ secret }) => secret)

export const sealSecrets = (vault: Vault, endpointId: string, secrets: readonly WebhookSecret[]): string =>
  vault.seal(JSON.stringify(secrets), secretsPurpose(endpointId))

/** @returns none when they are lost. @throws UnsealError when the key is not the one that they were sealed with */
export const openSecrets = (vault: Vault, { id, sealedSecrets }: SealedWebhook): readonly WebhookSecret[] =>
  sealedSecrets === null ? [] : JSON.parse(vault.open(sealedSecrets, secretsPurpose(id)))

/** Far more than are delivered to at once. */
const openedMax = 1_000

/** Opens what is sealed of endpoints, and keeps it open: each attempt needs it. */
export class OpenedWebhooks {
  readonly #vault: Vault
  /** By their sealed form, each with the purpose that it opens for. */
  readonly #opened = new Map<string, { readonly purpose: string; readonly value: unknown }>()

  constructor(vault: Vault) {
    this.#vault = vault
  }

  /** As `openSecrets`. */
  secrets(webhook: SealedWebhook): readonly WebhookSecret[] {
    const open = () => openSecrets(this.#vault, webhook)
    return this.#open(webhook.sealedSecrets, secretsPurpose(webhook.id), open)
  }

  /** As `openHeaders`. */
  headers(webhook: SealedWebhook): Readonly<Record<string, string>> {
    const open = () => openHeaders(this.#vault, webhook)
    return this.#open(webhook.sealedHeaders, headersPurpose(webhook.id), open)
  }

  #open<Value>(sealed: string | null, purpose: string, open: () => Value): Value {
    if (sealed === null) return open()
    const known = this.#opened.get(sealed)
    // One purpose has one type of value.
    if (known?.purpose === purpose) return known.value as Value
    const value = open()
    if (this.#opened.size >= openedMax) this.#opened.clear()
    this.#opened.set(sealed, { purpose, value })
    return value
  }
}

/** @returns null when there are none */
export const sealHeaders = (
  vault: Vault,
  endpointId: string,
  headers: Readonly<Record<string, string>>,
): string | null =>
  Object.keys(headers).length === 0 ? null : vault.seal(JSON.stringify(headers), headersPurpose(endpointId))

/** @throws UnsealError when the key is not the one that they were sealed with */
export const openHeaders = (vault: Vault, { id, sealedHeaders }: SealedWebhook): Readonly<Record<string, string>> =>
  sealedHeaders === null ? {} : JSON.parse(vault.open(sealedHeaders, headersPurpose(id)))

/** @returns the same, sealed with another key. @throws UnsealError */
export function resealed(former: Vault, vault: Vault, webhook: SealedWebhook): SealedWebhook {
  const again = (sealed: string | null, purpose: string) => sealed && vault.seal(former.open(sealed, purpose), purpose)
  const { id, sealedSecrets, sealedHeaders } = webhook
  return {
    id,
    sealedSecrets: again(sealedSecrets, secretsPurpose(id)),
    sealedHeaders: again(sealedHeaders, headersPurpose(id)),
  }
}
