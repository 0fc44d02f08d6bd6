import { parseObject } from '../../../src/base/json.ts'
import { forgotten } from '../../../src/message/forgotten.ts'
import type { HistoryDatabase } from '../database.ts'
import { idempotencyTtlMs } from '../gateway.ts'
import type { History } from '../history.ts'
import type { Log, Told } from '../log.ts'
import { wordOf } from '../said.ts'

/*
 * What the checks read: what is stored in the end, beside what was seen from outside.
 */

export interface Row {
  readonly seq: number
  readonly id: string
  readonly workspaceId: string
  readonly channelId: string
  readonly lineId: string
  readonly keyId: string | null
  readonly status: string
  readonly createdAt: number
  readonly dispatchedAt: number | null
  readonly acceptedAt: number | null
  readonly reportedSentAt: number | null
  readonly deliveredAt: number | null
  readonly readAt: number | null
  readonly lostAt: number | null
  readonly gaveUpAt: number | null
  readonly dueAt: number | null
  readonly releasedAt: number | null
  readonly cancelledAt: number | null
  readonly idempotencyKey: string | null
  readonly channelMessageId: string | null
  readonly recipient: string
  readonly payload: string
  /** The name of the send that it is of; empty: its content is not there any more. */
  readonly text: string
}

const messagesQuery = `
  SELECT m.seq, m.id, m.workspace_id AS workspaceId, l.channel_id AS channelId, l.id AS lineId, k.id AS keyId, m.status,
    m.created_at AS createdAt, m.dispatched_at AS dispatchedAt, m.accepted_at AS acceptedAt,
    m.reported_sent_at AS reportedSentAt, m.delivered_at AS deliveredAt, m.read_at AS readAt, m.lost_at AS lostAt,
    m.gave_up_at AS gaveUpAt, m.due_at AS dueAt, m.released_at AS releasedAt, m.cancelled_at AS cancelledAt,
    m.idempotency_key AS idempotencyKey, m.channel_message_id AS channelMessageId, m.recipient,
    coalesce(c.payload, '') AS payload
  FROM messages m JOIN lines l ON l.seq = m.line_seq LEFT JOIN api_keys k ON k.seq = m.api_key_seq
    LEFT JOIN message_contents c ON c.message_seq = m.seq`

interface TimelineRow {
  readonly messageSeq: number
  readonly kind: string
  readonly at: number
  readonly recordedAt: number
}

interface EventRow {
  readonly seq: number
  readonly workspaceId: string
  readonly type: string
  readonly messageSeq: number | null
  readonly sequence: number | null
}

/** All that a check reads. */
export interface Found {
  readonly history: History
  readonly log: Log
  readonly messages: ReadonlyMap<string, Row>
  readonly timeline: ReadonlyMap<number, readonly TimelineRow[]>
  readonly events: readonly EventRow[]
  readonly rows: HistoryDatabase['rows']
  readonly filesFolder: string
  readonly uncounted: ReturnType<HistoryDatabase['uncounted']>
}

/** @returns all that the checks read of a history that is over */
export function foundOf(history: History, log: Log, database: HistoryDatabase): Found {
  const rows = database.rows.bind(database)
  return {
    ...{ history, log, rows, uncounted: database.uncounted(), filesFolder: database.filesFolder },
    messages: new Map(
      rows<Omit<Row, 'text'>>(messagesQuery).map(row => [row.id, { ...row, text: wordOf(parseObject(row.payload)) }]),
    ),
    timeline: Map.groupBy(
      rows<TimelineRow>(
        `SELECT message_seq AS messageSeq, kind, at, recorded_at AS recordedAt FROM message_events
         ORDER BY message_seq, recorded_at, at`,
      ),
      ({ messageSeq }) => messageSeq,
    ),
    events: rows<EventRow>(
      'SELECT seq, workspace_id AS workspaceId, type, message_seq AS messageSeq, sequence FROM events ORDER BY seq',
    ),
  }
}

/** How long a key is kept. */
const leapMs = idempotencyTtlMs

/**
 * A leap beyond the life of a key lets two forget it: a process that starts later, as across a restart the time counts
 * as it is (docs/operate.md#the-time-jumps); and the acceptance of a call whose first one was under way at that moment,
 * so that it was not found before.
 */
export function mayForgetKeys({ history, log }: Found): boolean {
  // Those of what is not in the backup: docs/deploy.md says so.
  if (log.restores.length > 0) return true
  const leaps = history.acts.filter(({ act }) => act.kind === 'time' && act.byMs >= leapMs)
  const isWithin = ({ askedAt, at }: Told) => leaps.some(({ atMs }) => askedAt <= atMs && atMs <= at)
  const isUnderWay = log.asked.some(({ order, told }) => order.key !== null && told.some(isWithin))
  return leaps.length > 0 && (log.crashes + log.stops > 0 || isUnderWay)
}

/** It happened between a backup and the restore of it: nothing of it has to be there any more. */
export const mayBeLost = ({ log }: Pick<Found, 'log'>, at: number): boolean =>
  log.restores.some(restore => restore.backedUpAt <= at && at <= restore.at)

/** How often the database was restored before. */
export const restoresBefore = ({ log }: Pick<Found, 'log'>, at: number): number =>
  log.restores.filter(restore => restore.at <= at).length

export const told = ({ log: { asked } }: Found) => asked.flatMap(one => one.told.map(told => ({ ...told, asked: one })))

/** Statuses that a message may have after each, in the end. */
const after: Readonly<Record<string, readonly string[]>> = {
  SCHEDULED: ['SCHEDULED', 'QUEUED', 'SENT', 'DELIVERED', 'READ', 'FAILED', 'UNKNOWN', 'CANCELLED'],
  QUEUED: ['QUEUED', 'SENT', 'DELIVERED', 'READ', 'FAILED', 'UNKNOWN'],
  UNKNOWN: ['UNKNOWN', 'SENT', 'DELIVERED', 'READ', 'FAILED'],
  SENT: ['SENT', 'DELIVERED', 'READ', 'FAILED'],
  // A report that it went out beats a refusal, and says so.
  FAILED: ['FAILED', 'SENT', 'DELIVERED', 'READ'],
  DELIVERED: ['DELIVERED', 'READ'],
  READ: ['READ'],
  CANCELLED: ['CANCELLED'],
}
export const mayFollow = (before: string, status: string) => after[before]?.includes(status) === true

/** Its person was erased. */
export const isErased = ({ recipient }: Row): boolean => recipient === forgotten
