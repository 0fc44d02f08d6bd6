import type { Details } from '../../src/base/errors.ts'
import { moveOf } from '../../src/message/move.ts'
import { tokenOf } from '../../src/message/sameMessage.ts'
import { eventless, type MessageRecord } from '../../src/message/state.ts'
import { keep } from '../../src/telemetry/promises.ts'
import type { MessageState, Recorded } from '../contract/records.ts'
import { only } from '../rules/columns.ts'
import { endColumns } from './functions/columns.ts'
import { functions } from './functions/versions.ts'
import { type Connection, jsonRows } from './open.ts'
import { limitingLocks } from './transaction.ts'

/** A message that was handed over, with no other event: the state of nearly all messages when their answer comes. */
const handedOver = {
  createdAt: 0,
  dispatchedAt: 0,
  ...eventless,
  status: 'QUEUED',
} satisfies MessageRecord & { status: 'QUEUED' }

/** What no end sets of a message's state, as the function answers it. */
type Settled = Pick<MessageState, 'id' | 'workspaceId' | 'createdAt' | 'dispatchedAt'>

const settle = `SELECT id, workspace_id AS "workspaceId", created_at::float8 AS "createdAt",
    dispatched_at::float8 AS "dispatchedAt"
  FROM ${functions.settle}(${limitingLocks('$1::text[]')}, $2::text[], $3::text[], $4::text::json, $5::boolean)`

export const detailText = (detail: Details | null) => (detail ? JSON.stringify(detail) : '')

/** What an end may set. */
const endFields = Object.keys(endColumns) as (keyof typeof endColumns)[]

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
): Promise<ReadonlyMap<Recorded, MessageState>> {
  const moves = new Map(
    batch.map(recorded => [recorded.messageId, { recorded, ...moveOf(handedOver, recorded.event) }]),
  )
  const ids = batch.map(({ messageId }) => messageId)
  const idsOf = (is: (recorded: Recorded) => boolean) => batch.filter(is).map(({ messageId }) => messageId)
  const ends = [...moves.values()].map(({ recorded, record, status, counted, entry, told: [told] }) => ({
    id: recorded.messageId,
    status,
    ...only(record, endFields),
    ...entry,
    detail: detailText(recorded.detail),
    recordedAt: recorded.recordedAt,
    counts: counted,
    told: told?.type,
    known: told?.known,
    ...(record.channelMessageId !== null && { token: tokenOf(record.channelMessageId) }),
  }))
  const settled = await query<Settled>(settle, [
    ids,
    idsOf(({ event }) => 'channelMessageId' in event),
    idsOf(({ event }) => event.kind === 'refused'),
    jsonRows(ends),
    keepsContents,
  ])
  return new Map(
    settled.flatMap(known => {
      const move = moves.get(known.id)
      keep('oneMessageMoves', move !== undefined, () => ({ messageId: known.id }))
      return move ? [[move.recorded, { ...move.record, status: move.status, ...known }] as const] : []
    }),
  )
}
