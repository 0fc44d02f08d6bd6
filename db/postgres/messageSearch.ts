import type { MessageSearch } from '../queries.ts'
import type { Message, MessageFilter, MessageQuery } from '../records.ts'
import type { StoreReads } from '../store.ts'
import type { Connection, Parameter } from './open.ts'
import { listOf, messageColumns, messageTables } from './rows.ts'

/**
 * A step looks at a bounded number of messages, in the order of an index, and filters only those: however rare what it
 * searches for is, and whatever the planner believes about it. The index of a workspace has all that is filtered by, so
 * that only what is found is read from the table.
 */
export const messageSearch = ({ query }: Connection): Pick<StoreReads, 'searchMessages'> => ({
  async searchMessages(search) {
    const { limit } = search
    const walk = walkOf(search)
    const { text, values } = stepOf(walk, search)
    const rows = await query<FoundRow>(text, values)
    const found = rows.flatMap(({ endAt: _at, endSeq: _seq, endId: _id, ...row }) => (row.id === null ? [] : [row]))
    const page = found.slice(0, limit)
    const reached = found.length > limit ? (page.at(-1) ?? null) : endOf(rows[0])
    return {
      messages: page.map(({ seq: _seq, ...message }) => message),
      cursors: page.map(message => textOf(message, walk)),
      next: reached && textOf(reached, walk),
      reachedAt: reached?.createdAt ?? null,
    }
  },
})

/** A message that a step begins behind, or ends with. As text it is `1767225600000.17`, or an id. */
interface Place {
  readonly createdAt: number
  readonly seq: number
  readonly id: string
}

/**
 * A message that was found, beside the last one that the step looked at: null when there are no more behind the step.
 */
type FoundRow = ((Message & Place) | { readonly [Field in keyof (Message & Place)]: null }) & {
  readonly endAt: number | null
  readonly endSeq: number | null
  readonly endId: string
}

const endOf = (row: FoundRow | undefined): Place | null =>
  row === undefined || row.endAt === null || row.endSeq === null
    ? null
    : { createdAt: row.endAt, seq: row.endSeq, id: row.endId }

/** An index that a search walks along. What is open lies in the order of the ids, which is nearly that of time. */
interface Walk {
  readonly kind: 'recipient' | 'open' | 'failed' | 'workspace'
  readonly order: 'time' | 'id'
}

/** What is rare has an index of its own. */
function walkOf({ recipient, status }: Pick<MessageSearch, 'recipient' | 'status'>): Walk {
  if (recipient !== undefined) return { kind: 'recipient', order: 'time' }
  if (status === 'QUEUED' || status === 'UNKNOWN') return { kind: 'open', order: 'id' }
  return { kind: status === 'FAILED' ? 'failed' : 'workspace', order: 'time' }
}

/** The conditions, by the columns that a walk looks at. A recipient always has a walk of its own. */
const filters = {
  status: (status: string) => `status = ${status}`,
  lineId: (id: string) => `line_seq = (SELECT seq FROM lines WHERE id = ${id})`,
  apiKeyId: (id: string) => `api_key_seq = (SELECT seq FROM api_keys WHERE id = ${id})`,
  type: (type: string) => `type = ${type}`,
  templateName: (name: string) => `template_name = ${name}`,
} as const satisfies Readonly<Record<keyof Omit<MessageFilter, 'recipient'>, (value: string) => string>>

/** Adds a parameter to a statement. @returns how the statement names it */
type Slot = (value: Parameter) => string

function filtersOf(search: Filter, slot: Slot): string[] {
  return Object.entries(filters).flatMap(([field, condition]) => {
    const value = search[field as keyof typeof filters]
    return value === undefined ? [] : [condition(slot(value))]
  })
}

/**
 * The messages of a walk with the columns that are filtered by. Limits stand in statements as numbers: for a limit that
 * is a parameter, the planner would assume a tenth of all rows.
 */
function lookedAt(walk: Walk, search: Path, slot: Slot): string {
  const way = search.direction === 'older' ? 'DESC' : 'ASC'
  const columns = ['created_at', 'seq', walk.order === 'id' ? 'id' : "'' AS id"]
  const path = walk.order === 'id' ? idsOf(search, slot) : timesOf(walk, search, slot)
  const order = {
    recipient: `${endOfId} ${way}, messages.recipient ${way}, `,
    open: `messages.status ${way}, ${endOfId} ${way}, `,
    failed: '',
    workspace: '',
  }[walk.kind]
  return `SELECT ${[...columns, 'status', 'line_seq', 'api_key_seq', 'type', 'template_name'].join(', ')}
    FROM messages WHERE ${path.join(' AND ')} ORDER BY ${order}${orderOf(walk, 'messages.', way)}`
}

/** The indexes of what is rare begin with it, or have it behind a status. */
const endOfId = 'right(messages.workspace_id, 6)'

const orderOf = ({ order }: Walk, table: string, way: string) =>
  order === 'id' ? `${table}id ${way}` : `${table}created_at ${way}, ${table}seq ${way}`

const found = `SELECT messages.seq::float8 AS seq, ${listOf(messageColumns)} FROM ${messageTables}`

/** The statement of a step. */
function stepOf(walk: Walk, search: MessageSearch): { readonly text: string; readonly values: readonly Parameter[] } {
  const values: Parameter[] = []
  const slot = (value: Parameter) => `$${values.push(value)}`
  const [way, back] = search.direction === 'older' ? ['DESC', 'ASC'] : ['ASC', 'DESC']
  const looked = lookedAt(walk, search, slot)
  const given = filtersOf(search, slot)
  const rows = search.limit + 1
  const scan = given.length === 0 ? Math.min(search.scan, rows) : search.scan
  return {
    text: `WITH looked AS MATERIALIZED (${looked} LIMIT ${scan})
      SELECT ending.created_at::float8 AS "endAt", ending.seq::float8 AS "endSeq", ending.id AS "endId", found.*
      FROM (VALUES (1)) AS step
      LEFT JOIN (
        SELECT * FROM looked WHERE (SELECT count(*) FROM looked) = ${scan} ORDER BY ${orderOf(walk, '', back)} LIMIT 1
      ) AS ending ON true
      LEFT JOIN (
        ${found} WHERE messages.seq IN (
          SELECT seq FROM looked WHERE ${given.join(' AND ') || true} ORDER BY ${orderOf(walk, '', way)} LIMIT ${rows}
        )
      ) AS found ON true
      ORDER BY ${walk.order === 'id' ? `found.id ${way}` : `found."createdAt" ${way}, found.seq ${way}`}`,
    values,
  }
}

/**
 * The newest messages that fit, however many are looked at, for a status that is not open. OFFSET 0 keeps the planner
 * from mixing the filters with the walk: for what it believes to be rare, it would read the whole table.
 */
export async function newestMessages(
  { query }: Connection,
  filter: Omit<MessageQuery, 'after'>,
  cursor: string | undefined,
): Promise<Message[]> {
  const values: Parameter[] = []
  const slot = (value: Parameter) => `$${values.push(value)}`
  const looked = lookedAt(walkOf(filter), { ...filter, direction: 'older', cursor }, slot)
  const rows = await query<Message & Place>(
    `${found} WHERE messages.seq IN (
      SELECT seq FROM (${looked} OFFSET 0) AS looked WHERE ${filtersOf(filter, slot).join(' AND ') || true}
      LIMIT ${filter.limit}
    ) ORDER BY messages.created_at DESC, messages.seq DESC`,
    values,
  )
  return rows.map(({ seq: _seq, ...message }) => message)
}

type Filter = { readonly [Field in keyof typeof filters]?: string | undefined }
type Path = Pick<MessageSearch, 'workspaceId' | 'recipient' | 'status' | 'since' | 'until' | 'direction' | 'cursor'>

/**
 * The bounds of a walk in the order of time. What went to a recipient is compared with four columns of the index
 * together: the planner takes that for many rows and walks along the index, where it may fetch and sort all with
 * `recipient = '…'`.
 */
function timesOf({ kind }: Walk, search: Path, slot: Slot): string[] {
  const { workspaceId, recipient, since = 0, until = Number.MAX_SAFE_INTEGER, direction } = search
  const from = placeOf(search.cursor)
  const newest = direction === 'older' && from && from.createdAt < until ? from : { createdAt: until, seq: 0 }
  const oldest = direction === 'newer' && from && from.createdAt >= since ? from : { createdAt: since, seq: 0 }
  const columns = 'messages.created_at, messages.seq'
  const row = ({ createdAt, seq }: Omit<Place, 'id'>) => `${slot(createdAt)}::bigint, ${slot(seq)}::bigint`
  const workspace = `${slot(workspaceId)}::text`
  if (kind === 'recipient' && recipient !== undefined) {
    const whom = `right(${workspace}, 6), ${slot(recipient)}::text`
    return [
      `(${endOfId}, messages.recipient, ${columns}) < (${whom}, ${row(newest)})`,
      `(${endOfId}, messages.recipient, ${columns}) > (${whom}, ${row(oldest)})`,
      isNotElsewhere(workspace),
    ]
  }
  return [
    ...(kind === 'failed' ? ["messages.status = 'FAILED'"] : []),
    `messages.workspace_id = ${workspace}`,
    `(${columns}) < (${row(newest)})`,
    `(${columns}) > (${row(oldest)})`,
  ]
}

/** In this form no index has it: the planner would take that of all messages of the workspace. */
const isNotElsewhere = (workspace: string) => `(messages.workspace_id <> ${workspace}) IS NOT TRUE`

/** Before and after each id. */
const [noId, everyId] = ['', '~']

/**
 * The bounds of a walk in the order of the ids, the same way: with `status = '…'` the planner may walk along the index
 * of all ids, and look at every message for the few that are open.
 */
function idsOf({ workspaceId, status, cursor, direction, since, until }: Path, slot: Slot): string[] {
  const word = status === 'QUEUED' ? "'QUEUED'" : "'UNKNOWN'"
  const [newest, oldest] = direction === 'older' ? [cursor ?? everyId, noId] : [everyId, cursor ?? noId]
  const workspace = `${slot(workspaceId)}::text`
  const open = `${word}, right(${workspace}, 6)`
  return [
    "messages.status IN ('QUEUED', 'UNKNOWN')",
    `(messages.status, ${endOfId}, messages.id) < (${open}, ${slot(newest)}::text)`,
    `(messages.status, ${endOfId}, messages.id) > (${open}, ${slot(oldest)}::text)`,
    isNotElsewhere(workspace),
    ...(since === undefined ? [] : [`messages.created_at >= ${slot(since)}::bigint`]),
    ...(until === undefined ? [] : [`messages.created_at < ${slot(until)}::bigint`]),
  ]
}

const textOf = ({ createdAt, seq, id }: Place, { order }: Walk) => (order === 'id' ? id : `${createdAt}.${seq}`)

/** @returns null for the beginning, and for a cursor that is none: it comes from the address of a page */
function placeOf(cursor: string | undefined): Omit<Place, 'id'> | null {
  const [, createdAt, seq] = /^(\d{1,15})\.(\d{1,15})$/.exec(cursor ?? '') ?? []
  return seq === undefined ? null : { createdAt: Number(createdAt), seq: Number(seq) }
}
