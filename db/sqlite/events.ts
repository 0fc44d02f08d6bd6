import { and, eq, isNotNull, isNull, lt, lte } from 'drizzle-orm'
import type { EpochMs } from '../../src/base/clock.ts'
import type { Details } from '../../src/base/errors.ts'
import { dayOf } from '../../src/message/counts.ts'
import { digestOf, keptEvent } from '../../src/message/forgotten.ts'
import { storedMove } from '../../src/message/move.ts'
import { monthOf } from '../../src/message/plan.ts'
import { endsOf, namedBy } from '../../src/message/sameMessage.ts'
import { beganAtOf, type MessageEvent } from '../../src/message/state.ts'
import { isUncertain, mayLeave } from '../../src/message/statuses.ts'
import { BrokenPromise, holds, keep } from '../../src/telemetry/promises.ts'
import { eventsOf } from '../contract/events.ts'
import type { Message, MessageState, Recorded, Report } from '../contract/records.ts'
import { messageStateOf } from '../contract/statusView.ts'
import { movedFields } from '../rules/columns.ts'
import { shownFilesExpireBy } from '../rules/media.ts'
import { mayBeAbout, namedIn } from '../rules/reported.ts'
import type { Row } from '../schema/tables.ts'
import type { Verbs } from './commit.ts'
import type { StoredMessage, WriterMemory } from './memory.ts'
import type { Connection } from './open.ts'
import { parking } from './parking.ts'
import { conditions, listOf, messageColumns, messageTables } from './rows.ts'
import { ownTables } from './schema.ts'
import type { Month } from './sendReads.ts'
import { telling } from './tell.ts'
import { type Listed, listedAs } from './uncounted.ts'

const { flowSessions, mediaUploads, messages } = ownTables

const detailText = (detail: Details | null) => (detail ? JSON.stringify(detail) : '')

const columns = listOf({ seq: messages.seq, sequence: messages.sequence, ...messageColumns })

/**
 * The verbs that move a message. All of them go through the one state machine.
 * @param keepsContents whether the content of a message stays once nothing sends it any more, until it is pruned
 */
export function eventVerbs({ client, db }: Connection, memory: WriterMemory, keepsContents: boolean) {
  const readById = client.query<StoredMessage, [{ id: string }]>(
    `SELECT ${columns} FROM ${messageTables} WHERE messages.id = $id`,
  )
  // Through its index: the condition and the expression stand there word for word.
  const byChannelMessage = client.query<StoredMessage, [{ channelId: string; channelMessageId: string }]>(
    `SELECT ${columns} FROM ${messageTables}
     WHERE channel_message_id IS NOT NULL AND substr(channel_message_id, -16) = substr($channelMessageId, -16)
       AND channel_message_id = $channelMessageId AND channel_id = $channelId`,
  )
  const byEnd = client.query<StoredMessage, [{ channelId: string; end: string }]>(
    `SELECT ${columns} FROM ${messageTables}
     WHERE channel_message_id IS NOT NULL AND substr(channel_message_id, -16) = $end AND channel_id = $channelId`,
  )
  const lineNamed = client.query<{ id: string }, [{ channelId: string; upstreamPhoneId: string }]>(
    `SELECT id FROM lines
     WHERE channel_id = $channelId AND upstream_phone_id = $upstreamPhoneId AND removed_at IS NULL`,
  )
  const moveMessage = client.query<never, [Pick<StoredMessage, (typeof movedFields)[number] | 'seq'> & Listed]>(
    `UPDATE messages SET ${movedFields.map(field => `${messages[field].name} = $${field}`).join(', ')},
       listed = coalesce(listed, $listed)
     WHERE seq = $seq`,
  )
  const putEvent = client.query<never, [Row<'messageEvents'>]>(
    `INSERT INTO message_events (message_seq, kind, at, detail, recorded_at)
     VALUES ($messageSeq, $kind, $at, $detail, $recordedAt) ON CONFLICT DO NOTHING`,
  )
  const dropContent = client.query<never, [Pick<StoredMessage, 'seq'>]>(
    'DELETE FROM message_contents WHERE message_seq = $seq',
  )
  // It stays until its time, or until the key is used again: the next look for the key ends with it, and reads none of
  // the messages that were refused before.
  const freeKey = client.query<never, [Pick<StoredMessage, 'seq'>]>(
    'UPDATE idempotency_keys SET expires_at = 0 WHERE message_seq = $seq',
  )
  const uncountMessage = client.query<never, [Month]>(
    'UPDATE plan_usage SET used = used - 1 WHERE workspace_id = $workspaceId AND month = $month AND used > 0',
  )
  const tell = telling(client, memory)
  const parked = parking(client, memory)
  const byId = (id: string) => memory.message(id) ?? readById.get({ id })

  const lineOf = (channelId: string) => (upstreamPhoneId: string) =>
    lineNamed.get({ channelId, upstreamPhoneId })?.id ?? null

  /** The message that a report names by its id, or by another text of it. */
  function reported(channelId: string, report: Report): StoredMessage | undefined {
    const { channelMessageId } = report.event
    const exact =
      byChannelMessage.get({ channelMessageId, channelId }) ??
      byChannelMessage.get({ channelMessageId: digestOf(channelMessageId), channelId })
    const named = exact ? null : namedIn(report, lineOf(channelId))
    if (exact || named === null || named.token === null) return exact ?? undefined
    const alike = endsOf(channelMessageId).flatMap(end => byEnd.all({ channelId, end }))
    return namedBy(
      channelMessageId,
      alike.filter(message => mayBeAbout(message, named)),
    )
  }

  /** Applies one event, adds it to the timeline and does what follows from it. */
  function move(before: StoredMessage, event: MessageEvent, recordedAt: number, detail: string): StoredMessage {
    const { told, ...moved } = storedMove(before, keptEvent(before, event))
    const { record, status, uncounted, counted, entry, isOver, undoneAt } = moved
    const after: StoredMessage = { ...before, ...record, status, sequence: before.sequence + told.length }
    const { seq: messageSeq, workspaceId } = after
    keep('oneMessageMoves', moveMessage.run({ ...after, ...listedAs(after) }).changes === 1, () => ({
      messageId: after.id,
    }))
    memory.keepMessage(after)
    if (memory.isCounted(messageSeq)) {
      const day = dayOf(beganAtOf(after))
      for (const kind of uncounted) memory.countDay(workspaceId, day, kind, -1)
      for (const kind of counted) memory.countDay(workspaceId, day, kind, 1)
    }
    if (isOver && !keepsContents) dropContent.run({ seq: messageSeq })
    if (entry) putEvent.run({ messageSeq, ...entry, recordedAt, detail })
    for (const event of eventsOf(before, told, recordedAt)) tell(event)
    if (undoneAt !== null) undoAcceptance(after, undoneAt)
    // The upstream's id is now known, from an answer or a callback: the callbacks parked under it belong to this
    // message.
    return after.channelMessageId !== before.channelMessageId ? applyParked(after) : after
  }

  /** Nothing was sent: the key is free for a retry, and the month's count is reduced again. */
  function undoAcceptance(message: StoredMessage, at: EpochMs) {
    const { seq, id, workspaceId, type, idempotencyKey } = message
    if (idempotencyKey !== null) freeKey.run({ seq })
    const month = { workspaceId, month: monthOf(beganAtOf(message)) }
    memory.forgetPlan(month)
    holds('plansNotNegative', uncountMessage.run(month).changes === 1, () => ({ messageId: id, ...month }))
    if (type === 'interactive') {
      db.update(flowSessions)
        .set({ closedAt: at, closedBy: 'refused' })
        .where(and(eq(flowSessions.messageId, id), isNull(flowSessions.closedAt)))
        .run()
    }
  }

  function forgetMediaOf(message: Message, recordedAt: number) {
    const isShown = lte(mediaUploads.expiresAt, shownFilesExpireBy(message, recordedAt))
    db.delete(mediaUploads)
      .where(and(eq(mediaUploads.lineId, message.lineId), isShown))
      .run()
  }

  /** Callbacks that came before the answer and did not name our id were parked under the upstream's id. */
  function applyParked(message: StoredMessage): StoredMessage {
    const { channelMessageId } = message
    if (channelMessageId === null) return message
    const waiting = parked.take({ ...message, channelMessageId })
    return waiting.reduce(
      (current, { status, at, reason, pricing, recordedAt, detail }) =>
        move(
          current,
          {
            kind: 'reported',
            status,
            at,
            reason,
            pricing,
            channelMessageId,
          },
          recordedAt,
          detail,
        ),
      message,
    )
  }

  function recordEvent({ messageId, event, detail, recordedAt }: Recorded): MessageState | null {
    const before = byId(messageId)
    if (!before) return null
    return messageStateOf(move(before, event, recordedAt, detailText(detail)))
  }

  /** One that has broken a promise stays as it is: the others must not wait for it. @returns how many were moved */
  function recordEach(ids: readonly { readonly id: string }[], event: MessageEvent, recordedAt: number): number {
    let moved = 0
    for (const { id: messageId } of ids) {
      try {
        recordEvent({ messageId, event, detail: null, recordedAt })
        moved += 1
      } catch (error) {
        if (!(error instanceof BrokenPromise)) throw error
      }
    }
    return moved
  }

  return {
    recordEvent,

    applyReports({ channelId, reports, recordedAt }) {
      const counts = { applied: 0, parked: 0, foreign: 0 }
      for (const report of reports) {
        const { messageId, event, detail, isMediaGone } = report
        const { channelMessageId, status, at, reason, pricing } = event
        const own = messageId === null ? undefined : byId(messageId)
        // A message of another channel is not changed: the signature proves only the callback's own channel.
        const message = own?.channelId === channelId ? own : reported(channelId, report)
        const text = detailText(detail)
        if (message) {
          move(message, event, recordedAt, text)
          if (isMediaGone) forgetMediaOf(message, recordedAt)
          counts.applied += 1
        } else {
          const named = namedIn(report, lineOf(channelId))
          parked.park({ channelId, channelMessageId, status, at, recordedAt, reason, pricing, detail: text, ...named })
          counts.parked += 1
          if (own) counts.foreign += 1
        }
      }
      return counts
    },

    markInterrupted({ at }) {
      const interrupted = db
        .select({ id: messages.id })
        .from(messages)
        .where(and(conditions.isOneUnsettled(mayLeave), isNotNull(messages.dispatchedAt)))
        .all()
      return recordEach(interrupted, { kind: 'lost', at }, at)
    },

    abandonUnknown({ lostBefore, at, reason, limit }) {
      const abandoned = db
        .select({ id: messages.id })
        .from(messages)
        .where(and(conditions.isOneUnsettled(isUncertain), lt(messages.lostAt, lostBefore)))
        .limit(limit)
        .all()
      return recordEach(abandoned, { kind: 'abandoned', at, reason }, at)
    },
  } satisfies Partial<Verbs>
}
