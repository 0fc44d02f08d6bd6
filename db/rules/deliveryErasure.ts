import { and, eq, sql } from 'drizzle-orm'
import type { DeliveryAttempt } from '../contract/webhooks.ts'
import { type Engine, prepared } from './engine.ts'

/**
 * What endpoints answered may repeat what they were told. It goes with the message, the user or the contact that it was
 * about.
 */
export function deliveryErasure({ db, tables: { webhookDeliveries, webhookEndpoints }, onEach }: Engine) {
  const { endpointId, seq, attempts, messageSeq } = webhookDeliveries
  const delivery = { endpointId, seq, attempts }

  const deleteOf = onEach(isOne => db.delete(webhookDeliveries).where(isOne(messageSeq)))
  const ofMessages = onEach(isOne => db.select(delivery).from(webhookDeliveries).where(isOne(messageSeq)))
  const isIt = and(sql`${endpointId} = ${sql.placeholder('endpointId')}`, sql`${seq} = ${sql.placeholder('seq')}`)
  const silence = prepared(() =>
    db
      .update(webhookDeliveries)
      .set({ attempts: sql`${sql.placeholder('attempts')}` })
      .where(isIt)
      .returning({ seq }),
  )

  async function forgetAnswersOf(found: readonly Delivery[]): Promise<void> {
    for (const { endpointId, seq, attempts } of found) {
      if (attempts.every(({ answer }) => answer === null)) continue
      const silent = attempts.map(attempt => ({ ...attempt, answer: null }))
      await silence({ endpointId, seq, attempts: JSON.stringify(silent) })
    }
  }

  /** A workspace has few endpoints. With a list of them as a condition, SQLite may read the deliveries of all. */
  const endpointsOf = (workspaceId: string) =>
    db.select({ id: webhookEndpoints.id }).from(webhookEndpoints).where(eq(webhookEndpoints.workspaceId, workspaceId))

  return {
    /** Of messages that are deleted. */
    async deleteDeliveries(messageSeqs: readonly number[]): Promise<void> {
      await deleteOf(messageSeqs)
    },

    /** Of messages whose recipient is erased: they are delivered all the same. */
    async forgetAnswers(messageSeqs: readonly number[]): Promise<void> {
      await forgetAnswersOf(await ofMessages(messageSeqs))
    },

    /** Of events of a workspace, by their numbers. */
    async forgetAnswersTo(workspaceId: string, seqs: readonly number[]): Promise<void> {
      for (const { id } of await endpointsOf(workspaceId)) {
        const isTo = eq(endpointId, id)
        const told = onEach(isOne =>
          db
            .select(delivery)
            .from(webhookDeliveries)
            .where(and(isTo, isOne(seq))),
        )
        await forgetAnswersOf(await told(seqs))
      }
    },

    /** Of events that are deleted. */
    async deleteDeliveriesTo(workspaceId: string, seqs: readonly number[]): Promise<void> {
      for (const { id } of await endpointsOf(workspaceId)) {
        const isTo = eq(endpointId, id)
        await onEach(isOne => db.delete(webhookDeliveries).where(and(isTo, isOne(seq))))(seqs)
      }
    },
  }
}

interface Delivery {
  readonly endpointId: string
  readonly seq: number
  readonly attempts: readonly DeliveryAttempt[]
}
