import type { Store } from '../../../db/store.ts'
import { silentLogger } from '../../../src/log.ts'
import { statusOf } from '../../../src/message/state.ts'
import { Dispatcher, type Settled } from '../../../src/messages/dispatch.ts'
import type { SendJob } from '../../../src/messages/job.ts'
import type { SenderFact, SenderVerbs } from '../../../src/messages/sender.ts'
import { Mailbox } from '../../../src/queue/mailbox.ts'
import type { ManualClock } from '../../clock.ts'
import type { Disk } from './disk.ts'
import { lines, type Order } from './schedule.ts'
import { longestMs, passUntil } from './time.ts'

/** More than a schedule has: nothing is turned away for want of room. */
const queueMax = 1_000

const accessToken = 'token'

/** The real dispatcher and the real mailbox of a sender thread, put together as in `src/serve.ts`. */
export class Gateway {
  readonly #clock: ManualClock
  readonly #disk: Disk
  readonly #mailbox: Mailbox<SenderVerbs>
  readonly #dispatcher: Dispatcher
  /** What was told of each message that has its end. */
  readonly #ends = new Map<string, Settled>()

  private constructor(clock: ManualClock, disk: Disk, mailbox: Mailbox<SenderVerbs>, dispatcher: Dispatcher) {
    this.#clock = clock
    this.#disk = disk
    this.#mailbox = mailbox
    this.#dispatcher = dispatcher
  }

  static async open(clock: ManualClock, disk: Disk): Promise<Gateway> {
    const opening = Mailbox.open<SenderVerbs>({
      worker: 'sender',
      options: {},
      clock,
      log: silentLogger,
      // Only createSender tells facts, and only of this type.
      onFact: fact => dispatcher.onFact(fact as SenderFact),
      // Every answer of the upstream comes long before that.
      stopMsMax: longestMs,
      onCrash: 'respawn',
    })
    const mailbox = await passUntil(clock, opening)
    const sender: SenderVerbs = {
      sendMessage: mailbox.verb('sendMessage'),
      proceed: mailbox.verb('proceed'),
      uploadMedia: mailbox.verb('uploadMedia'),
    }
    const dispatcher = new Dispatcher({
      // A dispatcher asks the store for nothing else.
      store: { write: { recordEvent: disk.recordEvent.bind(disk) } } as unknown as Store,
      senderFor: () => sender,
      accessToken: async () => accessToken,
      clock,
      log: silentLogger,
      queueMax,
    })
    return new Gateway(clock, disk, mailbox, dispatcher)
  }

  /** As `src/messages/send.ts` does it. */
  async send(messageId: string, order: Order): Promise<void> {
    const dispatcher = this.#dispatcher
    if (dispatcher.isFull(order.line)) return
    const dispatchedAt = dispatcher.foretell({ id: order.line, perSecond: lines[order.line].perSecond })
    dispatcher.expect(messageId, order.line, '{}')
    try {
      await this.#disk.accept(messageId, dispatchedAt)
    } catch {
      dispatcher.forget(messageId)
      return
    }
    dispatcher.submit(jobFor(messageId, order, dispatchedAt !== null)).then(
      end => this.#ends.set(messageId, end),
      // It has no end then, which is seen where that matters.
      () => {},
    )
  }

  /** As `src/serve.ts` does it. */
  async stop(): Promise<void> {
    this.#dispatcher.stop()
    await this.#mailbox.stop()
    await this.#dispatcher.finished()
    this.#disk.close()
  }

  /** What is wrong once nothing is left to happen. */
  *leftBehind(): Iterable<string> {
    for (const [messageId, facts] of this.#disk.messages) {
      const status = statusOf(facts)
      const told = this.#ends.get(messageId)?.message.status
      if (status === 'QUEUED' || told !== status) yield `${messageId} is ${status} and was told ${told}`
    }
    if (this.#dispatcher.size > 0) yield `the dispatcher holds ${this.#dispatcher.size}`
    for (const id of Object.keys(lines)) {
      // On a line without a pace, only what is counted as waiting holds back another.
      const foretold = this.#dispatcher.foretell({ id, perSecond: 0 })
      if (foretold === null) yield `the dispatcher counts messages that wait on the line ${id}`
    }
    if (this.#clock.pending > 0) yield `${this.#clock.pending} timers wait`
  }
}

const jobFor = (messageId: string, { line, recipient }: Order, isDispatched: boolean): SendJob => ({
  messageId,
  channelId: 'chan_1',
  lineId: line,
  upstreamPhoneId: '1',
  accessToken,
  recipient,
  // By which the upstream of the model knows it.
  payload: messageId,
  ...lines[line],
  isDispatched,
})
