import { dayMs, hourMs } from '../../../src/base/durations.ts'
import { batchOrder } from './batchCalls.ts'
import type { BatchOrder } from './batches.ts'
import type { Gateways } from './callers.ts'
import { type Order, promised } from './orders.ts'
import type { Rig } from './rig.ts'

/** Nobody else's, and none of those that the stand-in answers badly. */
const phonesFrom = { items: 15_550_400_000, scheduled: 15_550_500_000 } as const

/**
 * What callers ask for at first, and gateways send by themselves: a batch, and scheduled messages. One line has both.
 */
export class Held {
  readonly scheduled: readonly Order[]
  readonly batch: BatchOrder
  readonly #rig: Rig

  constructor(rig: Rig, count: { readonly items: number; readonly scheduled: number }) {
    const { deployment, book } = rig
    const { id: phoneNumberId, owner } = deployment.lines.held
    const said = (of: keyof typeof phonesFrom) =>
      Array.from({ length: count[of] }, (_, at) => ({ tag: `${of}-${at}`, phone: `+${phonesFrom[of] + at}` }))
    // So far ahead that none leaves before `comeDue`.
    const sendAt = new Date(Date.now() + hourMs).toISOString()
    this.#rig = rig
    this.batch = book.addBatch(batchOrder(deployment, 'held', 'batch', said('items')))
    this.scheduled = said('scheduled').map(({ tag, phone }) => {
      const fields = { type: 'text', content: tag }
      const content = { fields, quotes: null, shows: null }
      const body = { ...fields, phone, phoneNumberId, sendAt, idempotencyKey: tag }
      return book.add({ tag, owner, key: tag, body, content, isOrdinary: true, answers: [], cuts: 0 })
    })
  }

  /** Asks for all of it. The batch begins. */
  async ask(gateways: Gateways): Promise<void> {
    await this.#rig.callers.repeat(gateways, this.scheduled)
    await this.#rig.insistOn(gateways, this.batch)
  }

  /**
   * Nobody waits the minute that callers have to plan ahead: the times are moved to within so long from now, a few
   * messages each.
   */
  async comeDue(withinMs: number): Promise<void> {
    const store = await this.#rig.deployment.open()
    const at = Date.now()
    await Promise.all(
      this.scheduled.map((order, place) => {
        const dueAt = at + Math.floor((place * withinMs) / this.scheduled.length)
        const messageId = promised(order) ?? ''
        return store.write.rescheduleMessage({ messageId, dueAt, keyExpiresAt: dueAt + dayMs, at })
      }),
    )
    await store.close()
  }
}
