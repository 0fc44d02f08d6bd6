import { hasFailed, isUnsettled, mayLeave } from '../../src/message/statuses.ts'
import type { Message } from '../contract/records.ts'
import { filtersOf, type Position, type Step, type Stepped, type Walk } from '../rules/searchStep.ts'
import { dialect } from '../schema/sqlite.ts'
import { statusText } from '../schema/statuses.ts'
import type { Connection } from './open.ts'
import { listOf, messageColumns, messageTables } from './rows.ts'
import { isUnlisted } from './uncounted.ts'

interface Statement {
  readonly conditions: readonly string[]
  readonly values: Readonly<Record<string, string | number>>
}

/**
 * A message that is looked at costs half a microsecond, or four where they lie far apart. First it is found in the
 * index alone where the step ends, then what lies before that is filtered.
 */
export async function searchStep({ client }: Connection, step: Step): Promise<Stepped> {
  const { limit, scan } = step
  const all = <Row>(select: string, { conditions, values }: Statement, end: string, ends: Statement['values']) =>
    client
      .query<Row, [Statement['values']]>(`SELECT ${select} WHERE ${conditions.join(' AND ')} ${end}`)
      .all({ ...values, ...ends })
  const order = `ORDER BY ${orderOf(step)} LIMIT`
  const path = step.ids === undefined ? pathOf(step, null) : among(step.ids, pathOf(step, null))
  const [last = null] = all<Position>(`${positionColumns} FROM messages`, path, `${order} 1 OFFSET $count`, {
    count: scan - 1,
  })
  const { conditions, values } = last ? pathOf(step, last) : path
  const given: Record<string, string> = {}
  const filters = filtersOf(step, 'messages', value => {
    const name = `filter${Object.keys(given).length}`
    given[name] = value
    return `$${name}`
  })
  const rows = `${rowColumns} FROM ${messageTables}`
  const filtered = { conditions: [...conditions, ...filters.map(withoutIndex)], values: { ...values, ...given } }
  const found = all<Message & Position>(rows, filtered, `${order} $count`, { count: limit + 1 })
  const isUnderWay = step.walk === 'open' && step.ids === undefined && step.status?.some(mayLeave)
  if (!isUnderWay) return { found, last }
  const isBehind = filtered.conditions.filter(isNoIndex)
  const unlisted = { ...filtered, conditions: [isUnlisted, ...isBehind.map(withoutIndex)] }
  const both = [...found, ...all<Message & Position>(rows, unlisted, '', {})]
  const way = step.direction === 'older' ? -1 : 1
  return { found: both.sort((one, other) => (one.id < other.id ? -way : way)).slice(0, limit + 1), last }
}

const isNoIndex = (condition: string) => condition !== isListed

/** The plus keeps SQLite from any other index than that of the walk. */
const withoutIndex = (condition: string) => `+${condition}`

const positionColumns = 'created_at AS createdAt, seq, id'
const rowColumns = `messages.seq AS seq, ${listOf(messageColumns)}`

/** @returns what the statement finds, of these messages alone */
const among = (ids: readonly string[], { conditions, values }: Statement): Statement => ({
  conditions: ['messages.id IN (SELECT value FROM json_each($ids))', ...conditions.filter(isNoIndex).map(withoutIndex)],
  values: { ...values, ids: JSON.stringify(ids) },
})

/** Of the workspace, as in `isOfWorkspace`. */
const byItsEnd = [
  'substr(messages.workspace_id, -6) = substr($workspaceId, -6)',
  '+messages.workspace_id = $workspaceId',
]

const isListed = dialect.own.unsettled(statusText(isUnsettled, 'messages.status'))

/** Where a condition of an index stands word for word, SQLite uses it. */
const walks: Readonly<Record<Walk, readonly string[]>> = {
  recipient: [...byItsEnd, 'messages.recipient = $recipient'],
  reference: [...byItsEnd, 'messages.reference = $reference'],
  open: [isListed, 'messages.status = $status', ...byItsEnd],
  failed: [statusText(hasFailed, 'messages.status'), 'messages.workspace_id = $workspaceId'],
  workspace: ['messages.workspace_id = $workspaceId'],
}

function orderOf({ walk, direction }: Step): string {
  const way = direction === 'older' ? 'DESC' : 'ASC'
  return walk === 'open' ? `messages.id ${way}` : `messages.created_at ${way}, messages.seq ${way}`
}

/**
 * The part of a walk behind `from` and up to `last`, within the dates. Of two bounds of one side SQLite takes the first
 * for the index and reads on to it, so there is only one of each side.
 */
function pathOf(step: Step, last: Position | null): Statement {
  const { walk, from, workspaceId, status, direction, since = 0, until = Number.MAX_SAFE_INTEGER } = step
  const [newer, older] = direction === 'older' ? [from, last] : [last, from]
  const values = {
    workspaceId,
    ...((walk === 'recipient' || walk === 'reference') && { [walk]: step[walk] ?? '' }),
    ...(walk === 'open' && { status: status?.[0] ?? '' }),
  }
  // The last message of a step belongs to it, the one that it begins after does not.
  const [below, above] = direction === 'older' ? ['<', '>='] : ['<=', '>']
  if (walk === 'open') {
    const ids = [
      ...(newer ? [`messages.id ${below} $newerId`] : []),
      ...(older ? [`messages.id ${above} $olderId`] : []),
    ]
    return {
      conditions: [...walks[walk], ...ids, '+messages.created_at >= $since', '+messages.created_at < $until'],
      values: { ...values, since, until, ...(newer && { newerId: newer.id }), ...(older && { olderId: older.id }) },
    }
  }
  const ties = [
    ...(newer ? [`(messages.created_at < $newerAt OR messages.seq ${below} $newerSeq)`] : []),
    ...(older ? [`(messages.created_at > $olderAt OR messages.seq ${above} $olderSeq)`] : []),
  ]
  return {
    conditions: [...walks[walk], 'messages.created_at <= $latest', 'messages.created_at >= $earliest', ...ties],
    values: {
      ...values,
      latest: Math.min(until - 1, newer?.createdAt ?? until - 1),
      earliest: Math.max(since, older?.createdAt ?? since),
      ...(newer && { newerAt: newer.createdAt, newerSeq: newer.seq }),
      ...(older && { olderAt: older.createdAt, olderSeq: older.seq }),
    },
  }
}
