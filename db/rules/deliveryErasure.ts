import { and, eq, inArray, type SQL } from 'drizzle-orm'
import type { Engine } from './engine.ts'

/*
 * What endpoints answered may repeat what they were told. It goes with the message, the user or the contact that it was
 * about.
 */

/** Of messages that are deleted. */
export async function deleteDeliveries(
  { db, tables: { webhookDeliveries }, isAnyOf }: Engine,
  messageSeqs: readonly number[],
): Promise<void> {
  await db.delete(webhookDeliveries).where(isAnyOf(webhookDeliveries.messageSeq, messageSeqs))
}

/** Of messages whose recipient is erased: they are delivered all the same. */
export const forgetAnswers = (engine: Engine, messageSeqs: readonly number[]): Promise<void> =>
  forgetWhere(engine, engine.isAnyOf(engine.tables.webhookDeliveries.messageSeq, messageSeqs))

/** Of events of a workspace, by their numbers. */
export const forgetAnswersTo = (engine: Engine, workspaceId: string, seqs: readonly number[]): Promise<void> =>
  forgetWhere(engine, isOneOf(engine, workspaceId, seqs))

/** Of events that are deleted. */
export async function deleteDeliveriesOf(engine: Engine, workspaceId: string, seqs: readonly number[]): Promise<void> {
  await engine.db.delete(engine.tables.webhookDeliveries).where(isOneOf(engine, workspaceId, seqs))
}

function isOneOf({ db, tables, isAnyOf }: Engine, workspaceId: string, seqs: readonly number[]): SQL | undefined {
  const { webhookDeliveries, webhookEndpoints } = tables
  const endpoints = db
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.workspaceId, workspaceId))
  return and(inArray(webhookDeliveries.endpointId, endpoints), isAnyOf(webhookDeliveries.seq, seqs))
}

async function forgetWhere({ db, tables: { webhookDeliveries } }: Engine, condition: SQL | undefined): Promise<void> {
  const { endpointId, seq, attempts } = webhookDeliveries
  const found = await db.select({ endpointId, seq, attempts }).from(webhookDeliveries).where(condition)
  for (const delivery of found) {
    const silent = delivery.attempts.map(attempt => ({ ...attempt, answer: null }))
    await db
      .update(webhookDeliveries)
      .set({ attempts: silent })
      .where(and(eq(endpointId, delivery.endpointId), eq(seq, delivery.seq)))
  }
}
