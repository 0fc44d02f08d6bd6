import type { MessageSearch } from '../queries.ts'
import type { Message, MessageFilter } from '../records.ts'
import type { StoreReads } from '../store.ts'
import type { Connection } from './open.ts'
import { listOf, messageColumns, messageTables } from './rows.ts'

/** An index that a search walks along. A `+` in a condition keeps SQLite from another index. */
interface Walk {
  readonly conditions: readonly string[]
  /** What is open lies in the order of the ids, which is nearly that of time. */
  readonly order: 'time' | 'id'
}

/** A message that a step begins behind, or ends with. As text it is `1767225600000.17`, or an id. */
interface Place {
  readonly createdAt: number
  readonly seq: number
  readonly id: string
}

interface Statement {
  readonly conditions: readonly string[]
  readonly values: Readonly<Record<string, string | number>>
}

/**
 * A message that is looked at costs half a microsecond, or four where they lie far apart, so a step looks at a bounded
 * number of them. First it finds in the index alone where it ends, then it filters what lies before that.
 */
export function messageSearch({ client }: Connection): Pick<StoreReads, 'searchMessages'> {
  const all = <Row>(
    select: string,
    tables: string,
    { conditions, values }: Statement,
    end: string,
    more: Record<string, number>,
  ) =>
    client
      .query<Row, [Record<string, string | number>]>(
        `SELECT ${select} FROM ${tables} WHERE ${conditions.join(' AND ')} ORDER BY ${end}`,
      )
      .all({ ...values, ...more })

  return {
    async searchMessages(search) {
      const { limit, scan } = search
      const walk = walkOf(search)
      const order = orderOf(walk, search)
      const from = placeOf(search.cursor, walk)
      const path = pathOf(walk, search, from, null)
      const [last = null] = all<Place>(placeColumns, 'messages', path, `${order} LIMIT 1 OFFSET $skip`, {
        skip: scan - 1,
      })
      const step = withFilters(last ? pathOf(walk, search, from, last) : path, search)
      const found = all<Message & Place>(rowColumns, messageTables, step, `${order} LIMIT $rows`, { rows: limit + 1 })
      const page = found.slice(0, limit)
      const reached = found.length > limit ? (page.at(-1) ?? null) : last
      return {
        messages: page.map(({ seq: _seq, ...message }) => message),
        cursors: page.map(message => textOf(message, walk)),
        next: reached && textOf(reached, walk),
        reachedAt: reached?.createdAt ?? null,
      }
    },
  }
}

const placeColumns = 'created_at AS createdAt, seq, id'
const rowColumns = `messages.seq AS seq, ${listOf(messageColumns)}`

/** What is rare has an index of its own; SQLite uses it where its condition stands word for word. */
function walkOf({ recipient, status }: MessageSearch): Walk {
  // Of the workspace, as in `isOfWorkspace`.
  const byItsEnd = [
    'substr(messages.workspace_id, -6) = substr($workspaceId, -6)',
    '+messages.workspace_id = $workspaceId',
  ]
  if (recipient !== undefined) return { conditions: [...byItsEnd, 'messages.recipient = $recipient'], order: 'time' }
  if (status === 'QUEUED' || status === 'UNKNOWN') {
    const isOpen = ["messages.status IN ('QUEUED', 'UNKNOWN')", 'messages.status = $status']
    return { conditions: [...isOpen, ...byItsEnd], order: 'id' }
  }
  const ofWorkspace = 'messages.workspace_id = $workspaceId'
  return {
    conditions: status === 'FAILED' ? ["messages.status = 'FAILED'", ofWorkspace] : [ofWorkspace],
    order: 'time',
  }
}

function orderOf({ order }: Walk, { direction }: MessageSearch): string {
  const way = direction === 'older' ? 'DESC' : 'ASC'
  return order === 'id' ? `messages.id ${way}` : `messages.created_at ${way}, messages.seq ${way}`
}

/**
 * The part of a walk behind `from` and up to `last`, within the dates. Of two bounds of one side SQLite takes the first
 * for the index and reads on to it, so there is only one of each side.
 */
function pathOf(walk: Walk, search: MessageSearch, from: Place | null, last: Place | null): Statement {
  const { workspaceId, recipient, status, direction, since = 0, until = Number.MAX_SAFE_INTEGER } = search
  const [newer, older] = direction === 'older' ? [from, last] : [last, from]
  const values = {
    workspaceId,
    ...(recipient !== undefined && { recipient }),
    ...(walk.order === 'id' && status !== undefined && { status }),
  }
  // The last one of a step belongs to it, the one that it begins behind does not.
  const [below, above] = direction === 'older' ? ['<', '>='] : ['<=', '>']
  if (walk.order === 'id') {
    const ids = [
      ...(newer ? [`messages.id ${below} $newerId`] : []),
      ...(older ? [`messages.id ${above} $olderId`] : []),
    ]
    return {
      conditions: [...walk.conditions, ...ids, '+messages.created_at >= $since', '+messages.created_at < $until'],
      values: { ...values, since, until, ...(newer && { newerId: newer.id }), ...(older && { olderId: older.id }) },
    }
  }
  const ties = [
    ...(newer ? [`(messages.created_at < $newerAt OR messages.seq ${below} $newerSeq)`] : []),
    ...(older ? [`(messages.created_at > $olderAt OR messages.seq ${above} $olderSeq)`] : []),
  ]
  return {
    conditions: [...walk.conditions, 'messages.created_at <= $latest', 'messages.created_at >= $earliest', ...ties],
    values: {
      ...values,
      latest: Math.min(until - 1, newer?.createdAt ?? until - 1),
      earliest: Math.max(since, older?.createdAt ?? since),
      ...(newer && { newerAt: newer.createdAt, newerSeq: newer.seq }),
      ...(older && { olderAt: older.createdAt, olderSeq: older.seq }),
    },
  }
}

/** What no walk brings with it. A recipient always has one. */
const filters = {
  status: '+messages.status = $status',
  lineId: 'messages.line_seq = (SELECT seq FROM lines WHERE id = $lineId)',
  apiKeyId: 'messages.api_key_seq = (SELECT seq FROM api_keys WHERE id = $apiKeyId)',
  type: 'messages.type = $type',
  templateName: 'messages.template_name = $templateName',
} as const satisfies Readonly<Record<keyof Omit<MessageFilter, 'recipient'>, string>>

function withFilters({ conditions, values }: Statement, search: MessageSearch): Statement {
  const given = Object.entries(filters).flatMap(([field, condition]) => {
    const value = search[field as keyof typeof filters]
    return value === undefined ? [] : [{ field, condition, value }]
  })
  return {
    conditions: [...conditions, ...given.map(({ condition }) => condition)],
    values: { ...values, ...Object.fromEntries(given.map(({ field, value }) => [field, value])) },
  }
}

const textOf = ({ createdAt, seq, id }: Place, { order }: Walk) => (order === 'id' ? id : `${createdAt}.${seq}`)

/** @returns null for the beginning, and for a cursor that is none of this walk: it comes from the address of a page */
function placeOf(cursor: string | undefined, { order }: Walk): Place | null {
  if (cursor === undefined) return null
  if (order === 'id') return { id: cursor, createdAt: 0, seq: 0 }
  const [, createdAt, seq] = /^(\d{1,15})\.(\d{1,15})$/.exec(cursor) ?? []
  return seq === undefined ? null : { id: '', createdAt: Number(createdAt), seq: Number(seq) }
}
