import { answerText } from '../../base/answerText.ts'
import { isObject, isText, type JsonObject } from '../../base/json.ts'
import { callbackUrlCharsMax } from '../../base/upstreamLimits.ts'
import type { Refusal } from '../checks/refusals.ts'
import { newNumericId, type Random } from '../state/random.ts'

/** A receiver must answer the verification while the subscribing call waits for it. */
const verificationMs = 10_000
/** Code and words as reported of the platform. */
const notSubscribed: Refusal = {
  code: 100,
  title:
    '(#100) Before override the current callback uri, your app must be subscribed to receive messages for WhatsApp ' +
    'Business Account',
}
/** Of an answer of a receiver. What follows is not read. */
export const receiverBytesMax = 65_536

/**
 * Where callbacks go. Fields about messages: the line's override, else the account's, else the app's own address.
 * Fields about templates and the account always go to the app's own address, also when overrides are set.
 */
export class Subscriptions {
  readonly #random: Random
  readonly #fetch: typeof fetch
  readonly #lines = new Map<string, string>()
  #appAddress: string | undefined
  #accountAddress: string | undefined
  #subscribed: boolean

  /** @param appAddress  counts as subscribed from the start */
  constructor(random: Random, fetcher: typeof fetch, appAddress: string | undefined) {
    this.#random = random
    this.#fetch = fetcher
    this.#appAddress = appAddress
    this.#subscribed = appAddress !== undefined
  }

  get isSubscribed(): boolean {
    return this.#subscribed
  }

  get accountAddress(): string | undefined {
    return this.#accountAddress
  }

  get appAddress(): string | undefined {
    return this.#appAddress
  }

  lineAddress(lineId: string): string | undefined {
    return this.#lines.get(lineId)
  }

  /** The dashboard's setting: the app's own address, without verification. */
  setAppAddress(address: string | undefined): void {
    this.#appAddress = address
    this.#subscribed = this.#subscribed || address !== undefined
  }

  /** @returns where a callback goes, or nothing without a subscription. */
  addressOf(field: string, lineId: string | undefined): string | undefined {
    if (!this.#subscribed) return undefined
    if (field !== 'messages') return this.#appAddress
    return (lineId === undefined ? undefined : this.#lines.get(lineId)) ?? this.#accountAddress ?? this.#appAddress
  }

  /**
   * Subscribes the app to the account. A body with an address sets the override after asking that address, of an app
   * that is subscribed; any other body subscribes and *removes* the override, even a misspelled one, which is answered
   * with success too.
   * @param needsForm the app has to have an address of its own before
   */
  async subscribe(body: JsonObject, { needsForm }: { readonly needsForm: boolean }): Promise<Refusal | undefined> {
    const address = body.override_callback_uri
    if (isText(address) && address !== '') {
      if (!this.#subscribed || (needsForm && this.#appAddress === undefined)) return notSubscribed
      const refusal = await this.#verify(address, body.verify_token)
      if (refusal) return refusal
      this.#accountAddress = address
    } else {
      this.#accountAddress = undefined
    }
    this.#subscribed = true
    return undefined
  }

  unsubscribe(): void {
    this.#subscribed = false
    this.#accountAddress = undefined
  }

  /** Sets or, with an empty address, removes one line's override. */
  async configureLine(lineId: string, configuration: unknown): Promise<Refusal | undefined> {
    if (!isObject(configuration)) return { code: 100, title: 'Param webhook_configuration must be a JSON object.' }
    const address = configuration.override_callback_uri
    if (address === '') {
      this.#lines.delete(lineId)
      return undefined
    }
    if (!isText(address)) return { code: 100, title: 'The parameter override_callback_uri is required.' }
    const refusal = await this.#verify(address, configuration.verify_token)
    if (!refusal) this.#lines.set(lineId, address)
    return refusal
  }

  /** Asks the address to echo a challenge, as the upstream does before it trusts it. */
  async #verify(address: string, token: unknown): Promise<Refusal | undefined> {
    if (address.length > callbackUrlCharsMax)
      return { code: 100, title: `Param override_callback_uri must be at most ${callbackUrlCharsMax} characters long.` }
    if (!isText(token)) return { code: 100, title: 'The parameter verify_token is required.' }
    const url = URL.parse(address)
    if (!url) return { code: 2200, details: 'The address cannot be read.' }
    const challenge = newNumericId(this.#random)
    url.searchParams.set('hub.mode', 'subscribe')
    url.searchParams.set('hub.challenge', challenge)
    url.searchParams.set('hub.verify_token', token)
    try {
      const response = await this.#fetch(url, {
        signal: AbortSignal.timeout(verificationMs),
        redirect: 'manual',
        // A proxy of the environment must not see the token, and does not reach this machine.
        proxy: false,
      })
      const body = await answerText(response, receiverBytesMax)
      if (response.status !== 200) return { code: 2200, details: `HTTP Status Code = ${response.status}` }
      return body === challenge ? undefined : { code: 2200, details: 'The challenge was not echoed.' }
    } catch {
      return { code: 2200, details: 'The address could not be reached.' }
    }
  }
}
