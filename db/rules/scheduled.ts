import { and, asc, eq, exists, isNull, lt, lte, type Placeholder, sql } from 'drizzle-orm'
import { dayOf, templateKindOf, usageKindsOf } from '../../src/message/counts.ts'
import { monthOf } from '../../src/message/plan.ts'
import { eventless } from '../../src/message/state.ts'
import { isScheduled } from '../../src/message/statuses.ts'
import { knownOf } from '../../src/message/told.ts'
import { keep } from '../../src/telemetry/promises.ts'
import { acceptanceSequence } from '../contract/events.ts'
import type { MessageDraft } from '../contract/records.ts'
import type { Release, Released, RescheduleWrites, ScheduledReads, ScheduledWrites } from '../contract/scheduled.ts'
import { fieldsOf } from '../messageFields.ts'
import { statusText } from '../schema/statuses.ts'
import { changed, type Engine, first, prepared } from './engine.ts'

/** Word for word as in the index: without it, SQLite reads every message. */
const isWaiting = sql.raw(statusText(isScheduled))

export function scheduledReads({ db, tables, columns, conditions, through }: Engine): ScheduledReads {
  const { apiKeys, lines, messageContents, messages } = tables
  const isDue = (at: number | Placeholder) => and(isWaiting, lte(messages.dueAt, at))
  const throughDue = through(messages, 'messages_due')

  // Asked once a second.
  const linesDue = prepared(() => {
    const due = db
      .select({ one: sql`1` })
      .from(throughDue)
      .where(and(isDue(sql.placeholder('at')), eq(messages.lineSeq, lines.seq)))
    return db.select({ lineId: lines.id, workspaceId: lines.workspaceId }).from(lines).where(exists(due))
  })

  return {
    dueLines: async ({ at }) => await linesDue({ at }),

    async dueMessages({ lineId, at, limit }) {
      const line = db.select({ seq: lines.seq }).from(lines).where(eq(lines.id, lineId))
      const found = await db
        .select({ ...columns.messageColumns, payload: messageContents.payload })
        .from(messages)
        .crossJoin(lines)
        .leftJoin(apiKeys, eq(apiKeys.seq, messages.apiKeySeq))
        .leftJoin(messageContents, eq(messageContents.messageSeq, messages.seq))
        .where(and(isDue(at), sql`${messages.lineSeq} = (${line})`, eq(lines.seq, messages.lineSeq)))
        .orderBy(asc(messages.dueAt), asc(messages.seq))
        .limit(limit)
      // The content of one that is being erased is gone already: it is cancelled.
      return found.map(({ payload, ...message }) => ({ message, payload: payload ?? '' }))
    },

    async scheduledCount({ workspaceId, before, max }) {
      const isOne = conditions.isOneUnsettled(isScheduled)
      const found = await db
        .select({ seq: messages.seq })
        .from(messages)
        .where(and(isOne, conditions.isOfWorkspace(workspaceId), lt(messages.dueAt, before)))
        .limit(max)
      return found.length
    },
  }
}

/** The verbs of messages that wait for their time. None of them is a step of a send that leaves at once. */
export function scheduledVerbs(engine: Engine): Omit<ScheduledWrites, 'releaseMessage'> & RescheduleWrites {
  const { db, tables, holding, locking } = engine
  const { apiKeys, idempotencyKeys, lines, messageContents, messages } = tables

  const repeatOf = (used: { fingerprint: string; messageId: string }, fingerprint: string) =>
    used.fingerprint === fingerprint
      ? ({ outcome: 'replayed', messageId: used.messageId } as const)
      : ({ outcome: 'conflict' } as const)

  /** @returns whether the key is the message's now: another transaction may have been faster */
  async function putKey(messageSeq: number, { fingerprint, ...named }: NonNullable<MessageDraft['idempotency']>) {
    const row = { messageSeq, ...named, fingerprint: Buffer.from(fingerprint, 'hex') }
    const put = await db
      .insert(idempotencyKeys)
      .values(row)
      .onConflictDoNothing()
      .returning({ messageSeq: idempotencyKeys.messageSeq })
    return put.length > 0
  }

  return {
    async scheduleMessage(draft) {
      const { id, workspaceId, lineId, apiKeyId, idempotency, payload, createdAt, dueAt } = draft
      const before = idempotency && (await engine.usedKey({ workspaceId, ...idempotency }))
      if (before && before.expiresAt > createdAt) return repeatOf(before, idempotency.fingerprint)
      const { seq: lineSeq, removedAt, workspaceId: owner } = lines
      const ofLine = db.select({ lineSeq, removedAt, owner }).from(lines)
      const line = await first(holding(ofLine.where(eq(lines.id, lineId))))
      if (!line) throw new Error('scheduleMessage: the line does not exist')
      if (line.removedAt !== null) return { outcome: 'lineRemoved' }
      const about = () => ({ workspaceId, lineId, keyId: apiKeyId })
      keep('lineOfWorkspace', line.owner === workspaceId, about)
      const { seq: keySeq, revokedAt, workspaceId: keyOwner } = apiKeys
      const ofKey = db.select({ seq: keySeq, revokedAt, owner: keyOwner }).from(apiKeys)
      const key = apiKeyId === null ? null : await first(ofKey.where(eq(apiKeys.id, apiKeyId)))
      if (apiKeyId !== null && !key) throw new Error('scheduleMessage: the key does not exist')
      if (key && key.revokedAt !== null) return { outcome: 'keyRevoked' }
      keep('keyOfWorkspace', !key || key.owner === workspaceId, about)
      const message = {
        ...eventless,
        ...fieldsOf({ ...draft, idempotencyKey: idempotency?.key ?? null }),
        ...{ id, workspaceId, createdAt, dueAt, dispatchedAt: null, status: 'SCHEDULED' as const },
        ...{ lineSeq: line.lineSeq, apiKeySeq: key?.seq ?? null },
      }
      const { seq } = await changed(db.insert(messages).values(message).returning({ seq: messages.seq }))
      if (before) await db.delete(idempotencyKeys).where(eq(idempotencyKeys.messageSeq, before.messageSeq))
      if (idempotency && !(await putKey(seq, idempotency))) {
        await db.delete(messages).where(eq(messages.seq, seq))
        const used = await engine.usedKey({ workspaceId, ...idempotency })
        if (!used) throw new Error('scheduleMessage: the key of another message is gone again')
        return repeatOf(used, idempotency.fingerprint)
      }
      await db.insert(messageContents).values({ messageSeq: seq, payload })
      const told = { workspaceId, at: createdAt, recordedAt: createdAt, messageSeq: seq, sequence: acceptanceSequence }
      const event = {
        ...told,
        type: 'message.scheduled',
        known: knownOf(message),
        subject: null,
        data: null,
        inbound: null,
      } as const
      await engine.tell([event])
      return { outcome: 'scheduled' }
    },

    async rescheduleMessage({ messageId, from, dueAt, keyExpiresAt, at }) {
      const { seq, status } = messages
      const isIt = eq(messages.id, messageId)
      const message = await first(locking(db.select({ seq, status, dueAt: messages.dueAt }).from(messages).where(isIt)))
      if (from !== undefined && message?.dueAt !== from) return null
      if (message && isScheduled(message.status))
        await db
          .update(idempotencyKeys)
          .set({ expiresAt: keyExpiresAt })
          .where(eq(idempotencyKeys.messageSeq, message.seq))
      const event = { kind: 'rescheduled', at, dueAt } as const
      return await engine.record({
        messageId,
        event,
        detail: { sendAt: new Date(dueAt).toISOString() },
        recordedAt: at,
      })
    },
  }
}

/** Another one was faster: nothing of the transaction is stored. On SQLite there is no other. */
export class ReleasedElsewhere extends Error {
  override readonly name = 'ReleasedElsewhere'
}

/**
 * @returns releases a message: its own engine makes it this process's
 * @throws ReleasedElsewhere
 */
export const releasing =
  (engine: Engine) =>
  async (release: Release): Promise<Released> => {
    const { db, tables, columns, holding, locking } = engine
    const { apiKeys, flowSessions, lines, messageContents, messages } = tables
    const { messageId, at, to, payload, opensFlow, closesFlows } = release
    const isIt = eq(messages.id, messageId)
    const read = () =>
      first(
        db
          .select({ ...columns.messageColumns, seq: messages.seq, revokedAt: apiKeys.revokedAt })
          .from(messages)
          .crossJoin(lines)
          .leftJoin(apiKeys, eq(apiKeys.seq, messages.apiKeySeq))
          .where(and(isIt, eq(lines.seq, messages.lineSeq))),
      )
    const before = await read()
    if (!before || !isScheduled(before.status) || before.dueAt === null || before.dueAt > at) return { outcome: 'gone' }
    const { seq, revokedAt, ...message } = before
    if (revokedAt !== null) return { outcome: 'keyRevoked' }
    const { workspaceId, lineId, apiKeyId: keyId, templateName } = message
    // As an acceptance does: it is there until the message is stored as waiting.
    await holding(db.select({ id: lines.id }).from(lines).where(eq(lines.id, lineId)))
    const exhausted = await engine.countInPlan({ workspaceId, month: monthOf(at) })
    if (exhausted) return { outcome: 'planExhausted', ...exhausted }
    // Others may have released or cancelled it while this one waited. Locked after the count, as every hot verb does.
    const locked = locking(db.select({ status: messages.status }).from(messages).where(eq(messages.seq, seq)))
    if (!isScheduled((await first(locked))?.status ?? 'CANCELLED')) throw new ReleasedElsewhere()
    // It counts by its release. `countUsage` leaves it out: it goes by acceptances.
    await engine.count([
      ...usageKindsOf({ keyId, lineId, templateName }).map(kind => ({ workspaceId, day: monthOf(at), kind, count: 1 })),
      ...(templateName === null
        ? []
        : [{ workspaceId, day: dayOf(at), kind: templateKindOf({ templateName, ...to }), count: 1 }]),
    ])
    const state = await engine.record({ messageId, event: { kind: 'released', at }, detail: null, recordedAt: at })
    // It was moved meanwhile.
    if (state?.releasedAt !== at) throw new ReleasedElsewhere()
    await db.update(messages).set(to).where(eq(messages.seq, seq))
    const ofIt = eq(messageContents.messageSeq, seq)
    const kept = await db
      .update(messageContents)
      .set({ payload })
      .where(ofIt)
      .returning({ seq: messageContents.messageSeq })
    // Without it, no later start would find the message among those that wait.
    keep('contentThere', kept.length === 1, () => ({ messageId }))
    if (closesFlows) {
      const { contactId, lineId: only } = closesFlows
      const isOnLine = only === null ? undefined : eq(flowSessions.lineId, only)
      await db
        .update(flowSessions)
        .set({ closedAt: at, closedBy: 'revalidated' })
        .where(and(eq(flowSessions.contactId, contactId), isNull(flowSessions.closedAt), isOnLine))
    }
    if (opensFlow) {
      const { contactId, flowToken } = opensFlow
      await db.insert(flowSessions).values({ messageId, contactId, lineId, flowToken, openedAt: at })
    }
    return { outcome: 'released', message: { message: { ...message, ...state, ...to }, payload } }
  }
