import type { Clock } from '../base/clock.ts'
import type { Attempt } from '../graph/answer.ts'
import type { ChannelClient } from '../graph/client.ts'
import { lostBy, type SendJob } from './sender.ts'
import type { Senders } from './senders.ts'

/** Open messages up to which the main thread makes attempts itself: such a load leaves it idle nearly all the time. */
export const fewMax = 2
/**
 * They have to be few for so long. A load between few and many would take both ways by turns, each with connections
 * that are cold by then.
 */
const fewForMs = 200

export interface AttemptsParts {
  readonly senders: Pick<Senders, 'send' | 'isReady'>
  /** On the main thread, with connections of its own. */
  readonly client: Pick<ChannelClient, 'send'>
  /** How many messages have no end. */
  readonly openCount: () => number
  /** Beyond so many open messages, sender threads make the attempts. */
  readonly fewMax: number
  readonly clock: Pick<Clock, 'steady'>
}

/**
 * Who makes an attempt: any sender thread, or while few messages are open the main thread itself, which spares the two
 * crossings to a sender and back. Both do the same with the same bounds: neither repeats a request, and what fails in
 * a way that is not known leaves an unknown outcome.
 */
export class Attempts implements Pick<Senders, 'send' | 'isReady'> {
  readonly #parts: AttemptsParts
  #manyUntil = Number.NEGATIVE_INFINITY

  constructor(parts: AttemptsParts) {
    this.#parts = parts
  }

  get isReady(): boolean {
    return this.#parts.senders.isReady
  }

  /** @throws as `Senders.send` */
  send(job: SendJob): Promise<Attempt> {
    const { client, senders } = this.#parts
    return this.#areFew() ? client.send(job).catch(lostBy) : senders.send(job)
  }

  #areFew(): boolean {
    const { openCount, fewMax, clock } = this.#parts
    const now = clock.steady()
    if (openCount() > fewMax) this.#manyUntil = now + fewForMs
    return now >= this.#manyUntil
  }
}
