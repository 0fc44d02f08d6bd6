import type { Clock } from '../base/clock.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Measures } from '../telemetry/metrics.ts'
import { Mailbox } from '../threads/mailbox.ts'
import type { AttemptOptions, Attempts, Challenge, WebhookAnswer, WebhookRequest } from './attempt.ts'

type NotifierVerbs = Omit<Attempts, 'close'>

/** Its attempts are ended, so that it takes a moment. */
const stopMsMax = 2_000

/**
 * The thread that makes the attempts. It starts with the first one, because who has no webhooks needs none, and is
 * replaced when it dies.
 */
export class Notifier {
  readonly #parts: {
    readonly options: AttemptOptions
    readonly clock: Clock
    readonly watch: Clock
    readonly log: Logger
  }
  #opening: Promise<Mailbox<NotifierVerbs>> | null = null
  #mailbox: Mailbox<NotifierVerbs> | null = null

  /** @param parts.watch the clock that finds a thread that hangs: always real time */
  constructor(parts: {
    readonly options: AttemptOptions
    readonly clock: Clock
    readonly watch: Clock
    readonly log: Logger
  }) {
    this.#parts = parts
  }

  /** How often it was replaced. */
  get restarts(): number {
    return this.#mailbox?.restarts ?? 0
  }

  /** @returns what the thread has measured of itself; null when it never answered */
  async measures(): Promise<Measures | null> {
    return (await this.#mailbox?.measures()) ?? null
  }

  /** @throws Unavailable or OutcomeUnknown when the thread died before it answered: the event may have arrived */
  async attempt(request: WebhookRequest): Promise<WebhookAnswer> {
    const mailbox = this.#mailbox ?? (await this.#open())
    return await mailbox.verb('attempt')(request)
  }

  /** @throws as `attempt`: the receiver may have been asked */
  async verify(challenge: Challenge): Promise<WebhookAnswer> {
    const mailbox = this.#mailbox ?? (await this.#open())
    return await mailbox.verb('verify')(challenge)
  }

  async stop(): Promise<void> {
    await (await this.#opening?.catch(() => null))?.stop()
  }

  #open(): Promise<Mailbox<NotifierVerbs>> {
    this.#opening ??= this.#start()
    return this.#opening
  }

  async #start(): Promise<Mailbox<NotifierVerbs>> {
    try {
      const start = { worker: 'notifier', stopMsMax, onCrash: 'respawn' } as const
      this.#mailbox = await Mailbox.open<NotifierVerbs>({ ...start, ...this.#parts })
      return this.#mailbox
    } catch (error) {
      this.#opening = null
      throw error
    }
  }
}
