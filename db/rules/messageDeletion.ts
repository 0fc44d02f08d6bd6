import { gt, max } from 'drizzle-orm'
import { deliveryErasure } from './deliveryErasure.ts'
import { type Engine, first } from './engine.ts'
import { rewindUsage } from './usage.ts'

/** @returns deletes messages with all that belongs to them, in the order in which hot verbs lock */
export function messageDeletion(engine: Engine) {
  const { db, tables, onEach } = engine
  const { erasures, events, flowSessions, idempotencyKeys, messageContents, messageEvents, messages } = tables
  const { deleteDeliveries } = deliveryErasure(engine)
  const deleteKeys = onEach(isOne => db.delete(idempotencyKeys).where(isOne(idempotencyKeys.messageSeq)))
  const deleteEvents = onEach(isOne => db.delete(messageEvents).where(isOne(messageEvents.messageSeq)))
  const deleteContents = onEach(isOne => db.delete(messageContents).where(isOne(messageContents.messageSeq)))
  const deleteFlows = onEach(isOne => db.delete(flowSessions).where(isOne(flowSessions.messageId)))
  const deleteRows = onEach(isOne => db.delete(messages).where(isOne(messages.seq)))

  return async (old: readonly { readonly seq: number; readonly id: string }[]): Promise<void> => {
    const seqs = old.map(({ seq }) => seq)
    await engine.findByIndex()
    await deleteKeys(seqs)
    await engine.lockMessages(seqs)
    await deleteEvents(seqs)
    await deleteContents(seqs)
    await deleteFlows(old.map(({ id }) => id))
    await deleteDeliveries(seqs)
    await deleteRows(seqs)
    // SQLite gives the numbers of the newest messages again when they are gone. No event may be left that names one: it
    // would show another message, perhaps of another workspace. No index finds them, but the newest are seldom deleted.
    const newest = (await first(db.select({ seq: max(messages.seq) }).from(messages)))?.seq ?? 0
    if (seqs.every(seq => seq <= newest)) return
    await db.delete(events).where(gt(events.messageSeq, newest))
    await rewindUsage(engine, newest)
    // What gets such a number is new to an erasure that goes on.
    await db.update(erasures).set({ untilSeq: newest }).where(gt(erasures.untilSeq, newest))
  }
}
