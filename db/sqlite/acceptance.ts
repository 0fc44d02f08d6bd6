import { and, eq, getTableColumns, isNull } from 'drizzle-orm'
import { queuedType } from '../../src/base/eventTypes.ts'
import { monthOf } from '../../src/message/plan.ts'
import { eventless } from '../../src/message/state.ts'
import { knownOf } from '../../src/message/told.ts'
import { keep } from '../../src/telemetry/promises.ts'
import { acceptanceSequence, type NewEvent } from '../contract/events.ts'
import type { MessageDraft, RateWindow } from '../contract/records.ts'
import { eventFields, without } from '../rules/columns.ts'
import type { Engine, FoundKey, NamedKey } from '../rules/engine.ts'
import type { Row } from '../schema/tables.ts'
import type { Verbs } from './commit.ts'
import type { LineAndKey, WriterMemory } from './memory.ts'
import type { Connection } from './open.ts'
import { valuesOf } from './rows.ts'
import { ownTables } from './schema.ts'
import { type Month, type PlanRow, selectPlan, selectUsedKey } from './sendReads.ts'
import { type Listed, listedAs } from './uncounted.ts'

const { flowSessions, messages } = ownTables

/** The fingerprint is hex here, and half as long on disk. */
type KeyRow = Omit<Row<'idempotencyKeys'>, 'fingerprint'> & { fingerprint: string }

/** What acceptance sets of a message; all the rest is set by its events. */
const newColumns = without(getTableColumns(messages), 'seq', 'sequence', ...eventFields)

/** All of a message but what its events set: a column that acceptance forgets is a type error. */
type NewMessage = Pick<Row<'messages'>, keyof typeof newColumns> & Listed

/** One process has the database: no message is ever held. */
const handedOver = { state: 'handedOver', validMs: null } as const

/** @returns how rules count: in the memory of the writer, as an acceptance does */
export function counting({ client }: Connection, memory: WriterMemory): Pick<Engine, 'count' | 'countInPlan'> {
  const findPlan = client.query<PlanRow, [Month]>(selectPlan)
  return {
    async count(counts) {
      for (const { workspaceId, day, kind, count } of counts) memory.countDay(workspaceId, day, kind, count)
    },
    async countInPlan(month) {
      const plan = memory.plan(month, () => findPlan.get(month))
      if (!plan) throw new Error('countInPlan: the workspace does not exist')
      const { limit, used } = plan
      if (limit !== null && used >= limit) return { limit, used }
      memory.countReleased(month)
      return null
    },
  }
}

/** The hot path: one accepted send. Every statement is prepared once. */
export function acceptanceVerbs({ client, db }: Connection, memory: WriterMemory, tell: (event: NewEvent) => void) {
  const findKey = client.query<FoundKey, [NamedKey]>(selectUsedKey)
  const dropKey = client.query<never, [Pick<FoundKey, 'messageSeq'>]>(
    'DELETE FROM idempotency_keys WHERE message_seq = $messageSeq',
  )
  // The row of a new key is the last: pruning relies on their order.
  const putKey = client.query<never, [KeyRow]>(
    `INSERT INTO idempotency_keys (message_seq, scope, key, fingerprint, expires_at)
     VALUES ($messageSeq, $scope, $key, unhex($fingerprint), $expiresAt)`,
  )
  const findPlan = client.query<PlanRow, [Month]>(selectPlan)
  const findLineAndKey = client.query<LineAndKey, [Pick<MessageDraft, 'lineId' | 'apiKeyId'>]>(
    `SELECT lines.seq AS lineSeq, channel_id AS channelId, lines.workspace_id AS workspaceId, removed_at AS removedAt,
            api_keys.seq AS apiKeySeq, api_keys.workspace_id AS keyWorkspaceId, revoked_at AS keyRevokedAt
     FROM lines LEFT JOIN api_keys ON api_keys.id = $apiKeyId WHERE lines.id = $lineId`,
  )
  const putMessage = client.query<never, [NewMessage]>(`INSERT INTO messages ${valuesOf(newColumns)}`)
  /** Of the message that was put last. */
  const putContent = client.query<never, [Omit<Row<'messageContents'>, 'messageSeq'>]>(
    'INSERT INTO message_contents (message_seq, payload) VALUES (last_insert_rowid(), $payload)',
  )
  const findAsking = client.query<{ id: string }, [workspaceId: string, type: string]>(
    `SELECT id FROM webhook_endpoints
     WHERE workspace_id = ? AND disabled_at IS NULL AND removed_at IS NULL AND instr(types, ?) LIMIT 1`,
  )
  const putWindow = client.query<never, [RateWindow]>(
    `INSERT INTO rate_windows (subject, starts_at, count) VALUES ($subject, $startsAt, $count)
     ON CONFLICT (subject) DO UPDATE SET starts_at = excluded.starts_at, count = excluded.count`,
  )

  const isAskedFor = (workspaceId: string) =>
    memory.asksForQueued(workspaceId, () => findAsking.get(workspaceId, JSON.stringify(queuedType)) !== null)

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
    acceptMessage({ idempotency, opensFlow, closesFlows, payload, generation, ...draft }) {
      const { workspaceId } = draft
      const month = { workspaceId, month: monthOf(draft.createdAt) }
      const plan = memory.plan(month, () => findPlan.get(month))
      // A workspace that is erased has no generation any more.
      if (generation !== undefined && generation !== plan?.generation) return { outcome: 'outdated' }
      if (!plan) throw new Error('acceptMessage: the workspace does not exist')
      const known = idempotency && findKey.get({ workspaceId, scope: idempotency.scope, key: idempotency.key })
      // An expired key counts as absent before it is pruned.
      if (known && known.expiresAt > draft.createdAt) {
        if (known.fingerprint !== idempotency.fingerprint) return { outcome: 'conflict' }
        return { outcome: 'replayed', messageId: known.messageId }
      }
      const { lineId, apiKeyId } = draft
      const sentBy = memory.lineAndKey(lineId, apiKeyId, () => findLineAndKey.get({ lineId, apiKeyId }))
      if (!sentBy) throw new Error('acceptMessage: the line does not exist')
      const { lineSeq, apiKeySeq } = sentBy
      if (sentBy.removedAt !== null) return { outcome: 'lineRemoved' }
      if (apiKeyId !== null && apiKeySeq === null) throw new Error('acceptMessage: the key does not exist')
      // Settings that were read just now have no generation, and a batch has none: the key may be revoked since.
      if (sentBy.keyRevokedAt !== null) return { outcome: 'outdated' }
      const about = () => ({ workspaceId, lineId, keyId: apiKeyId })
      keep('lineOfWorkspace', sentBy.workspaceId === workspaceId, about)
      keep('keyOfWorkspace', apiKeyId === null || sentBy.keyWorkspaceId === workspaceId, about)
      const { limit, used } = plan
      if (limit !== null && used >= limit) return { outcome: 'planExhausted', limit, used }

      // The channel is that of the line: reads of the message join it in the same way.
      const { channelId } = sentBy
      const idempotencyKey = idempotency?.key ?? null
      const message = { ...eventless, ...draft, status: 'QUEUED' as const, channelId, idempotencyKey }
      const seq = Number(putMessage.run({ ...message, ...listedAs(message), lineSeq, apiKeySeq }).lastInsertRowid)
      putContent.run({ payload })
      memory.countNew(month, seq)
      memory.keepMessage({ ...message, seq, sequence: acceptanceSequence })
      if (known) dropKey.run({ messageSeq: known.messageSeq })
      if (idempotency) putKey.run({ messageSeq: seq, ...idempotency })
      if (closesFlows) closeFlows(closesFlows, draft.createdAt)
      if (opensFlow) {
        const { contactId, flowToken } = opensFlow
        db.insert(flowSessions)
          .values({ messageId: draft.id, contactId, lineId: draft.lineId, flowToken, openedAt: draft.createdAt })
          .run()
      }
      if (isAskedFor(workspaceId)) {
        const { createdAt: at } = draft
        const event = {
          workspaceId,
          type: queuedType,
          at,
          recordedAt: at,
          messageSeq: seq,
          sequence: acceptanceSequence,
        }
        tell({ ...event, known: knownOf(message), subject: null, data: null, inbound: null })
      }
      return { outcome: 'accepted', handOver: draft.dispatchedAt === null ? null : handedOver }
    },

    countRequests({ windows }) {
      for (const window of windows) putWindow.run({ ...window })
    },
  } satisfies Partial<Verbs>
}
