import { sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/base/clock.ts'
import { erased } from '../../src/message/forgotten.ts'
import { isErasable, isScheduled } from '../../src/message/statuses.ts'
import { erasedFieldNames } from '../messageFields.ts'
import { only } from './columns.ts'
import { deliveryErasure } from './deliveryErasure.ts'
import { type Engine, prepared } from './engine.ts'

/**
 * @returns erases who got messages and what was sent: their recipients, contents, flows and the upstream's ids, and
 *   what endpoints answered to their events. It says how many of them had something to erase. Statuses and counts stay,
 *   what waits for its time is cancelled, and what waits for its turn is left as it is
 */
export function traceErasure(engine: Engine) {
  const { db, tables, lockMessages, onEach } = engine
  const { flowSessions, messageContents, messages } = tables
  const { seq, status } = messages
  const { forgetAnswers } = deliveryErasure(engine)

  const traces = only(messages, [...erasedFieldNames, 'waId', 'channelMessageId', 'failures'])
  const tracesOf = onEach(isOne =>
    db
      .select({ seq, ...traces, status })
      .from(messages)
      .where(isOne(seq)),
  )
  const slots = Object.fromEntries(Object.keys(traces).map(name => [name, sql`${sql.placeholder(name)}`]))
  const put = prepared(() =>
    db
      .update(messages)
      .set(slots)
      .where(sql`${seq} = ${sql.placeholder('seq')}`)
      .returning({ seq }),
  )
  const deleteContents = onEach(isOne => db.delete(messageContents).where(isOne(messageContents.messageSeq)))
  const closeFlows = onEach(isOne =>
    db
      .update(flowSessions)
      .set({
        flowToken: null,
        closedAt: sql`coalesce(${flowSessions.closedAt}, ${sql.placeholder('at')})`,
        closedBy: sql`coalesce(${flowSessions.closedBy}, 'revalidated')`,
      })
      .where(isOne(flowSessions.messageId)),
  )

  return async (found: readonly Found[], at: EpochMs): Promise<number> => {
    if (found.length === 0) return 0
    const all = found.map(({ seq }) => seq)
    await lockMessages(all)
    // Read again: one may have changed before it was locked.
    const present = await tracesOf(all)
    const scheduled = present.filter(({ status }) => isScheduled(status)).map(({ seq }) => seq)
    const changed = present.flatMap(({ seq, status, ...traces }) => {
      const left = isErasable(status) ? erased(traces) : null
      return left ? [{ seq, ...left }] : []
    })
    for (const row of changed) await put(row)
    const seqs = changed.map(({ seq }) => seq)
    const ids = new Map(found.map(({ seq, id }) => [seq, id]))
    await deleteContents(seqs)
    await closeFlows(
      seqs.flatMap(seq => ids.get(seq) ?? []),
      { at },
    )
    await forgetAnswers(seqs)
    // Last, as it tells an event.
    for (const seq of scheduled) {
      const messageId = ids.get(seq)
      const event = { kind: 'cancelled', at } as const
      if (messageId !== undefined) await engine.record({ messageId, event, detail: null, recordedAt: at })
    }
    return changed.length
  }
}

interface Found {
  readonly seq: number
  readonly id: string
}
