import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { monthOf } from '../../src/message/plan.ts'
import { planUsage, workspaces } from '../schema/accounts.ts'
import { lines } from '../schema/channels.ts'
import { flowSessions } from '../schema/contacts.ts'
import { idempotencyKeys, messageContents, messages, rateWindows } from '../schema/messages.ts'
import { direct, fieldsOf } from './direct.ts'
import type { Connection } from './open.ts'
import { type PlanRow, planColumns, type UsedKey, usedKeyColumns } from './rows.ts'
import type { Verbs } from './verbs.ts'

const slot = sql.placeholder

/** The hot path: one accepted send. Every statement is prepared once. */
export function acceptanceVerbs({ client, db }: Connection) {
  const findKey = direct<UsedKey>(
    client,
    db
      .select(fieldsOf(usedKeyColumns))
      .from(idempotencyKeys)
      .where(and(eq(idempotencyKeys.scope, slot('scope')), eq(idempotencyKeys.key, slot('key')))),
  )
  const putKey = direct(
    client,
    db
      .insert(idempotencyKeys)
      .values({
        scope: slot('scope'),
        key: slot('key'),
        fingerprint: slot('fingerprint'),
        messageId: slot('messageId'),
        expiresAt: slot('expiresAt'),
      })
      // Only an expired key is still there at this point.
      .onConflictDoUpdate({
        target: [idempotencyKeys.scope, idempotencyKeys.key],
        set: {
          fingerprint: sql`excluded.fingerprint`,
          messageId: sql`excluded.message_id`,
          expiresAt: sql`excluded.expires_at`,
        },
      }),
  )
  const findPlan = direct<PlanRow>(
    client,
    db
      .select(fieldsOf(planColumns))
      .from(workspaces)
      .leftJoin(planUsage, and(eq(planUsage.workspaceId, workspaces.id), eq(planUsage.month, slot('month'))))
      .where(eq(workspaces.id, slot('workspaceId'))),
  )
  const findRemovedLine = direct<{ id: string }>(
    client,
    db
      .select(fieldsOf({ id: lines.id }))
      .from(lines)
      .where(and(eq(lines.id, slot('lineId')), isNotNull(lines.removedAt))),
  )
  const countMessage = direct(
    client,
    db
      .insert(planUsage)
      .values({ workspaceId: slot('workspaceId'), month: slot('month'), used: 1 })
      .onConflictDoUpdate({
        target: [planUsage.workspaceId, planUsage.month],
        set: { used: sql`${planUsage.used} + 1` },
      }),
  )
  const putMessage = direct(
    client,
    db.insert(messages).values({
      id: slot('id'),
      workspaceId: slot('workspaceId'),
      channelId: slot('channelId'),
      lineId: slot('lineId'),
      contactId: slot('contactId'),
      recipient: slot('recipient'),
      type: slot('type'),
      status: 'QUEUED',
      apiKeyId: slot('apiKeyId'),
      idempotencyKey: slot('idempotencyKey'),
      requestId: slot('requestId'),
      createdAt: slot('createdAt'),
      dispatchedAt: slot('dispatchedAt'),
    }),
  )
  const putContent = direct(
    client,
    db.insert(messageContents).values({ messageId: slot('id'), payload: slot('payload') }),
  )
  const putWindow = direct(
    client,
    db
      .insert(rateWindows)
      .values({ subject: slot('subject'), startsAt: slot('startsAt'), count: slot('count') })
      .onConflictDoUpdate({
        target: rateWindows.subject,
        set: { startsAt: sql`excluded.starts_at`, count: sql`excluded.count` },
      }),
  )

  /** docs/partner-api.md#flow-sessions: before the new one is opened, and only on the line that the send named. */
  function closeFlows({ contactId, lineId }: { contactId: string; lineId: string | null }, at: number) {
    db.update(flowSessions)
      .set({ closedAt: at, closedBy: 'revalidated' })
      .where(
        and(
          eq(flowSessions.contactId, contactId),
          isNull(flowSessions.closedAt),
          lineId === null ? undefined : eq(flowSessions.lineId, lineId),
        ),
      )
      .run()
  }

  return {
    acceptMessage({ idempotency, opensFlow, closesFlows, ...draft }) {
      const { workspaceId } = draft
      if (idempotency) {
        const used = findKey.get(idempotency)
        // An expired key counts as absent before it is pruned.
        if (used && used.expiresAt > draft.createdAt) {
          if (used.fingerprint !== idempotency.fingerprint) return { outcome: 'conflict' }
          return { outcome: 'replayed', messageId: used.messageId }
        }
      }
      if (findRemovedLine.get({ lineId: draft.lineId })) return { outcome: 'lineRemoved' }
      const month = monthOf(draft.createdAt)
      const plan = findPlan.get({ workspaceId, month })
      if (!plan) throw new Error('acceptMessage: the workspace does not exist')
      const used = plan.used ?? 0
      if (plan.limit !== null && used >= plan.limit) return { outcome: 'planExhausted', limit: plan.limit, used }

      putMessage.run({ ...draft, idempotencyKey: idempotency?.key ?? null })
      putContent.run(draft)
      countMessage.run({ workspaceId, month })
      if (idempotency) putKey.run({ messageId: draft.id, ...idempotency })
      if (closesFlows) closeFlows(closesFlows, draft.createdAt)
      if (opensFlow) {
        const { contactId, flowToken } = opensFlow
        db.insert(flowSessions)
          .values({ messageId: draft.id, contactId, lineId: draft.lineId, flowToken, openedAt: draft.createdAt })
          .run()
      }
      return { outcome: 'accepted' }
    },

    countRequests({ windows }) {
      for (const { subject, startsAt, count } of windows) putWindow.run({ subject, startsAt, count })
    },
  } satisfies Partial<Verbs>
}
