import type { Details } from '../../src/errors.ts'
import { moveOf } from '../../src/message/move.ts'
import { eventless, type MessageRecord } from '../../src/message/state.ts'
import type { DraftedFields, MessageStatusView, Recorded } from '../records.ts'
import { type Connection, jsonRows } from './open.ts'
import { limitingLocks } from './transaction.ts'

/** A message that was handed over, with no other event: the state of nearly all messages when their answer comes. */
const handedOver = {
  createdAt: 0,
  dispatchedAt: 0,
  ...eventless,
  status: 'QUEUED',
} satisfies MessageRecord & { status: 'QUEUED' }

type Settled = Pick<MessageStatusView, DraftedFields>

/** What no event sets, as the function answers it. */
const settledColumns: Readonly<Record<keyof Settled, string>> = {
  id: 'id',
  workspaceId: 'workspace_id',
  createdAt: 'created_at',
  dispatchedAt: 'dispatched_at',
}

/** What callbacks alone report: no end sets it. */
export const reportedFields = ['reportedSentAt', 'deliveredAt', 'readAt', 'failures'] as const

/** What an end may set. The function stores all of it: one that lacks a field is a type error. */
type SetByEnd = Pick<MessageRecord, Exclude<keyof typeof eventless, (typeof reportedFields)[number]>>

/** A successor stores what a new field of an end brings. */
export const settleFunction = 'settle_messages_3'

const settle = `SELECT ${Object.entries(settledColumns).map(([field, column]) => `${column} AS "${field}"`)}
  FROM ${settleFunction}(${limitingLocks('$1::text[]')}, $2::text[], $3::text[], $4::text::json, $5::boolean)`

export const detailText = (detail: Details | null) => (detail ? JSON.stringify(detail) : '')

const setBy = (record: MessageRecord): SetByEnd => ({
  acceptedAt: record.acceptedAt,
  gaveUpAt: record.gaveUpAt,
  gaveUpReason: record.gaveUpReason,
  lostAt: record.lostAt,
  channelMessageId: record.channelMessageId,
  waId: record.waId,
})

/**
 * @returns those of the events that `settleHandedOver` knows what to do with: the answers of the upstream, one a
 *   message
 */
export function endsAmong(batch: readonly Recorded[]): readonly Recorded[] {
  const events = Map.groupBy(batch, ({ messageId }) => messageId)
  return [...events.values()].flatMap(([only, ...others]) =>
    only && others.length === 0 && ['accepted', 'refused', 'lost'].includes(only.event.kind) ? [only] : [],
  )
}

/**
 * Stores the ends of messages in one statement. The effects of an event are computed here, by the one state machine,
 * for a message that was only handed over; the server leaves all others unchanged.
 * @returns the messages that it has settled, by the event
 */
export async function settleHandedOver(
  { query }: Pick<Connection, 'query'>,
  batch: readonly Recorded[],
  keepsContents: boolean,
): Promise<ReadonlyMap<Recorded, MessageStatusView>> {
  const moves = new Map(
    batch.map(recorded => [recorded.messageId, { recorded, ...moveOf(handedOver, recorded.event) }]),
  )
  const ids = batch.map(({ messageId }) => messageId)
  const idsOf = (is: (recorded: Recorded) => boolean) => batch.filter(is).map(({ messageId }) => messageId)
  const ends = [...moves.values()].map(({ recorded, record, status, counted, entry, told: [told] }) => ({
    id: recorded.messageId,
    status,
    ...setBy(record),
    ...entry,
    detail: detailText(recorded.detail),
    recordedAt: recorded.recordedAt,
    counts: counted,
    told: told?.type,
    known: told?.known,
  }))
  const settled = await query<Settled>(settle, [
    ids,
    idsOf(({ event }) => 'channelMessageId' in event),
    idsOf(({ event }) => event.kind === 'refused'),
    jsonRows(ends),
    keepsContents,
  ])
  return new Map(
    settled.flatMap(row => {
      const move = moves.get(row.id)
      return move ? [[move.recorded, { ...move.record, status: move.status, ...row }] as const] : []
    }),
  )
}
