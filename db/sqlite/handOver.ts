import { and, eq, gt, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { mayLeave } from '../../src/message/statuses.ts'
import { BrokenPromise, keep } from '../../src/telemetry/promises.ts'
import type { Resumable } from '../contract/records.ts'
import { dialect } from '../schema/sqlite.ts'
import type { Verbs } from './commit.ts'
import type { Connection } from './open.ts'
import { conditions, messageColumns } from './rows.ts'
import { ownTables } from './schema.ts'

const { endOf } = dialect
const { apiKeys, lines, messageContents, messageEvents, messages } = ownTables

const seqOf = (messageId: string) => sql<number>`(SELECT seq FROM messages WHERE id = ${messageId})`

/**
 * The verbs of waiting messages, many at a time. Each message moves through the one state machine. One process has the
 * database: no message is ever held or taken.
 */
export function handOverVerbs({ db }: Connection, recordEvent: Verbs['recordEvent']) {
  const end = endOf(messages.workspaceId, 6)
  /** The order is that of the index, so that all that waits is read once, however many pages there are. */
  const waiting = (condition: SQL | undefined, order: readonly SQLWrapper[], limit: number): Resumable[] =>
    db
      .select({ ...messageColumns, payload: messageContents.payload })
      .from(messages)
      .crossJoin(lines)
      .leftJoin(apiKeys, eq(apiKeys.seq, messages.apiKeySeq))
      // Joined from unsettled messages to their contents, not the other way round.
      .crossJoin(messageContents)
      .where(
        and(
          eq(lines.seq, messages.lineSeq),
          eq(messageContents.messageSeq, messages.seq),
          conditions.isOneUnsettled(mayLeave),
          isNull(messages.dispatchedAt),
          condition,
        ),
      )
      .orderBy(...order.map(by => sql`${by}`))
      .limit(limit)
      .all()
      .map(({ payload, ...message }) => ({ message, payload }))

  return {
    handOverMessages({ messageIds, at }) {
      const dispatched = { event: { kind: 'dispatched', at }, detail: null, recordedAt: at } as const
      const handedOver: string[] = []
      const overtaken: string[] = []
      const taken: string[] = []
      for (const messageId of messageIds) {
        try {
          const moved = recordEvent({ messageId, ...dispatched })
          ;(moved && mayLeave(moved.status) ? handedOver : overtaken).push(messageId)
        } catch (error) {
          if (!(error instanceof BrokenPromise)) throw error
          taken.push(messageId)
        }
      }
      return {
        handedOver: { messageIds: handedOver, validMs: null },
        held: { messageIds: [], waitMs: 0 },
        taken,
        overtaken,
      }
    },

    deferMessages({ messages: deferred, at }) {
      for (const { messageId, payload, refusal } of deferred) {
        const moved = recordEvent({ messageId, event: { kind: 'deferred' }, detail: null, recordedAt: at })
        if (refusal) {
          const detail = JSON.stringify(refusal)
          const entry = { messageSeq: seqOf(messageId), kind: 'deferred', at, recordedAt: at, detail }
          db.insert(messageEvents).values(entry).run()
        }
        // A message that a callback has settled meanwhile is never sent again: its content stays as it was sent.
        if (payload !== null && moved && mayLeave(moved.status)) {
          const kept = db
            .update(messageContents)
            .set({ payload })
            .where(eq(messageContents.messageSeq, seqOf(messageId)))
            .returning({ seq: messageContents.messageSeq })
            .all()
          keep('contentThere', kept.length === 1, () => ({ messageId }))
        }
      }
      return []
    },

    claimWaiting({ after, limit }) {
      if (after === null) return waiting(undefined, [end, messages.id], limit)
      const reached = endOf(after.workspaceId, 6)
      const rest = waiting(and(eq(end, reached), gt(messages.id, after.id)), [messages.id], limit)
      if (rest.length === limit) return rest
      return [...rest, ...waiting(gt(end, reached), [end, messages.id], limit - rest.length)]
    },
  } satisfies Partial<Verbs>
}
