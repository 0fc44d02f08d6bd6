import type { Store } from '../../../db/contract/store.ts'
import { statusOf } from '../../../src/message/state.ts'
import { Outbox } from '../../../src/sending/outbox.ts'
import type { Settled } from '../../../src/sending/outboxMessage.ts'
import { Senders } from '../../../src/sending/senders.ts'
import { silentLogger } from '../../../src/telemetry/log.ts'
import { Metrics } from '../../../src/telemetry/metrics.ts'
import type { ManualClock } from '../../clock.ts'
import { line as aLine, draft } from '../../db/fixtures.ts'
import type { Disk } from './disk.ts'
import { lines, type Order } from './schedule.ts'
import { longestMs, passUntil } from './time.ts'

/** More than a schedule has: nothing is turned away for want of room. */
const queueMax = 1_000

const accessToken = 'token'

/** The real outbox and the real mailboxes of sender threads, put together as in `src/serve.ts`. */
export class Gateway {
  readonly #clock: ManualClock
  readonly #disk: Disk
  readonly #senders: Senders
  readonly #outbox: Outbox
  /** What was told of each message that has its end. */
  readonly #ends = new Map<string, Settled | null>()

  private constructor(clock: ManualClock, disk: Disk, senders: Senders) {
    this.#clock = clock
    this.#disk = disk
    this.#senders = senders
    this.#outbox = new Outbox({
      // An outbox asks the store for nothing else. No operator changes a line.
      store: { read: { line: async () => null }, write: disk, shared: null } as unknown as Store,
      sender: senders,
      templateRefresher: { request: () => {} },
      explainer: { explain: async (_channelId, _payload, fault) => fault },
      accessToken: async () => accessToken,
      clock,
      random: () => 0.5,
      log: silentLogger,
      metrics: new Metrics(),
      queueMax,
    })
  }

  static async open(clock: ManualClock, disk: Disk, count: number): Promise<Gateway> {
    // Every answer of the upstream comes long before the time limit.
    const options = {
      apiUrl: '',
      apiVersion: '',
      timeoutMs: longestMs,
      mediaAllowedNetworks: [],
      storage: { folder: '', bucket: null },
    }
    const opening = Senders.open({ count, options, clock, log: silentLogger })
    return new Gateway(clock, disk, await passUntil(clock, opening))
  }

  /** As `src/sending/submission.ts` does it. */
  async send(messageId: string, order: Order): Promise<void> {
    const line = aLine({ id: order.line, ...lines[order.line] })
    if (this.#outbox.isFull(line.id)) return
    // By its payload the upstream of the model knows the message.
    const message = draft({ id: messageId, lineId: line.id, recipient: order.recipient, payload: messageId })
    const renew = async () => ({ payload: messageId, ids: ['2'] })
    const acceptance = await this.#outbox.accept(message, line, accessToken, { ids: ['1'], renew }).catch(() => null)
    if (acceptance?.outcome !== 'accepted') return
    acceptance.end.then(
      end => this.#ends.set(messageId, end),
      // It has no end then, which is seen where that matters.
      () => {},
    )
  }

  /** As `src/serve.ts` does it. */
  async stop(): Promise<void> {
    this.#outbox.stop()
    await this.#outbox.finished()
    await this.#senders.stop()
    this.#disk.close()
  }

  /** What is wrong once nothing is left to happen. */
  *leftBehind(): Iterable<string> {
    for (const [messageId, record] of this.#disk.messages) {
      const status = statusOf(record)
      const told = this.#ends.get(messageId)?.message.status
      if (status === 'QUEUED' || told !== status) yield `${messageId} is ${status} and was told ${told}`
    }
    if (this.#outbox.size > 0) yield `the outbox holds ${this.#outbox.size}`
    if (this.#clock.pending > 0) yield `${this.#clock.pending} timers wait`
  }
}
