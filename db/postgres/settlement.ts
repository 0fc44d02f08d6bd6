import type { Details } from '../../src/base/errors.ts'
import { type Move, moveOf } from '../../src/message/move.ts'
import { tokenOf } from '../../src/message/sameMessage.ts'
import { eventless, type MessageRecord } from '../../src/message/state.ts'
import { keep } from '../../src/telemetry/promises.ts'
import type { MessageState, Recorded } from '../contract/records.ts'
import { endColumns, typeOf } from './functions/columns.ts'
import { type OfferedColumn, offering } from './functions/offered.ts'
import { functions } from './functions/versions.ts'
import { type Connection, jsonText } from './open.ts'
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

/** An end, and what it makes of its message. */
interface End {
  readonly recorded: Recorded
  readonly move: Move
}

export const detailText = (detail: Details | null) => (detail ? JSON.stringify(detail) : '')

/** What an end may set. */
const endFields = Object.keys(endColumns) as (keyof typeof endColumns)[]
const tokenIn = ({ channelMessageId }: MessageRecord) => channelMessageId && tokenOf(channelMessageId)

/** The names are those that the function reads. */
const offered: readonly OfferedColumn<End>[] = [
  ...endFields.map(field => {
    const column = endColumns[field]
    return { name: column.name, type: typeOf(column), of: ({ move }: End) => move.record[field] }
  }),
  { name: 'id', type: 'text', of: ({ recorded }) => recorded.messageId },
  { name: 'status', type: 'text', of: ({ move }) => move.status },
  { name: 'kind', type: 'text', of: ({ move }) => move.entry?.kind },
  { name: 'at', type: 'bigint', of: ({ move }) => move.entry?.at },
  { name: 'detail', type: 'text', of: ({ recorded }) => detailText(recorded.detail) },
  { name: 'recorded_at', type: 'bigint', of: ({ recorded }) => recorded.recordedAt },
  { name: 'counts', type: 'text', of: ({ move }) => jsonText(move.counted) },
  { name: 'told', type: 'text', of: ({ move }) => move.told[0]?.type },
  { name: 'known', type: 'bigint', of: ({ move }) => move.told[0]?.known },
  { name: 'token', type: 'text', of: ({ move }) => tokenIn(move.record) },
]
const end = offering(offered, 4)

const settle = `SELECT id, workspace_id AS "workspaceId", created_at::float8 AS "createdAt",
    dispatched_at::float8 AS "dispatchedAt"
  FROM ${functions.settle}(${limitingLocks('$1::text[]')}, $2::text[], $3::boolean, ${end.arguments})`

/** Whether an event may be an end: an answer of the upstream. One that names the message tells its channel too. */
export const mayBeEnd = ({ event, channelId }: Recorded): boolean =>
  ['accepted', 'refused', 'lost'].includes(event.kind) && (channelId !== undefined || !('channelMessageId' in event))

/** @returns those of the ends that `settleHandedOver` knows what to do with: one a message */
export function endsAmong(batch: readonly Recorded[]): readonly Recorded[] {
  const events = Map.groupBy(batch, ({ messageId }) => messageId)
  return [...events.values()].flatMap(([only, ...others]) => (only && others.length === 0 ? [only] : []))
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
  const ends = new Map(
    batch.map(recorded => [recorded.messageId, { recorded, move: moveOf(handedOver, recorded.event) }]),
  )
  const named = batch.flatMap(({ event, channelId }) => ('channelMessageId' in event ? (channelId ?? []) : []))
  const refused = batch.filter(({ event }) => event.kind === 'refused').map(({ messageId }) => messageId)
  const settled = await query<Settled>(settle, [
    [...new Set(named)],
    refused,
    keepsContents,
    ...end.parameters([...ends.values()]),
  ])
  return new Map(
    settled.flatMap(known => {
      const end = ends.get(known.id)
      keep('oneMessageMoves', end !== undefined, () => ({ messageId: known.id }))
      return end ? [[end.recorded, { ...end.move.record, status: end.move.status, ...known }] as const] : []
    }),
  )
}
