import { hasFailed, isUnsettled } from '../../src/message/statuses.ts'
import type { Message } from '../contract/records.ts'
import { filtersOf, type Position, type Step, type Stepped, type Walk } from '../rules/searchStep.ts'
import { statusText } from '../schema/statuses.ts'
import type { Connection, Parameter } from './open.ts'
import { listOf, messageColumns, messageTables } from './rows.ts'

/**
 * A step is one statement. The index of a workspace has all that is filtered by, so that only what is found is read
 * from the table.
 */
export async function searchStep({ query }: Connection, step: Step): Promise<Stepped> {
  const { text, values } = statementOf(step)
  const rows = await query<FoundRow>(text, values)
  const found = rows.flatMap(({ endAt: _at, endSeq: _seq, endId: _id, ...row }) => (row.id === null ? [] : [row]))
  return { found, last: endOf(rows[0]) }
}

/** A match, with the last message that the step read: null when there are no more after the step. */
type FoundRow = ((Message & Position) | { readonly [Field in keyof (Message & Position)]: null }) & {
  readonly endAt: number | null
  readonly endSeq: number | null
  readonly endId: string
}

const endOf = (row: FoundRow | undefined): Position | null =>
  row === undefined || row.endAt === null || row.endSeq === null
    ? null
    : { createdAt: row.endAt, seq: row.endSeq, id: row.endId }

/** Adds a parameter to a statement. @returns how the statement names it */
type Slot = (value: Parameter) => string

/**
 * The messages of a walk, and whether each fits, in an order that what is materialized keeps. Limits stand in
 * statements as numbers: for a limit that is a parameter, the planner would assume a tenth of all rows.
 */
function lookedAt(step: Step, way: string, slot: Slot): string {
  const { walk, ids } = step
  const path = walk === 'open' ? idsOf(step, slot) : timesOf(step, slot)
  const order = {
    recipient: `${endOfId} ${way}, messages.recipient ${way}, `,
    reference: `${endOfId} ${way}, messages.reference ${way}, `,
    open: `messages.status ${way}, ${endOfId} ${way}, `,
    failed: '',
    workspace: '',
  }[walk]
  const fits = filtersOf(step, 'messages', slot).join(' AND ') || 'true'
  // OFFSET keeps the planner from another index than that of the ids.
  const from =
    ids === undefined ? 'messages' : `(SELECT * FROM messages WHERE id = ANY(${slot(ids)}) OFFSET 0) AS messages`
  return `SELECT created_at, seq, ${walk === 'open' ? 'id' : "'' AS id"}, ${fits} AS fits
    FROM ${from} WHERE ${path.join(' AND ')} ORDER BY ${order}${orderOf(walk, 'messages.', way)} LIMIT ${step.scan}`
}

/** The indexes of rare statuses begin with it, or have it after a status. */
const endOfId = 'right(messages.workspace_id, 6)'

const orderOf = (walk: Walk, table: string, way: string) =>
  walk === 'open' ? `${table}id ${way}` : `${table}created_at ${way}, ${table}seq ${way}`

const found = `SELECT messages.seq::float8 AS seq, ${listOf(messageColumns)} FROM ${messageTables}`

function statementOf(step: Step): { readonly text: string; readonly values: readonly Parameter[] } {
  const values: Parameter[] = []
  const slot = (value: Parameter) => `$${values.push(value)}`
  const way = step.direction === 'older' ? 'DESC' : 'ASC'
  const { walk } = step
  const looked = lookedAt(step, way, slot)
  return {
    text: `WITH looked AS MATERIALIZED (${looked})
      SELECT ending.created_at::float8 AS "endAt", ending.seq::float8 AS "endSeq", ending.id AS "endId", found.*
      FROM (VALUES (1)) AS step
      LEFT JOIN (SELECT * FROM looked OFFSET ${step.scan - 1} LIMIT 1) AS ending ON true
      LEFT JOIN (
        ${found} WHERE messages.seq IN (
          SELECT seq FROM looked WHERE fits ORDER BY ${orderOf(walk, '', way)} LIMIT ${step.limit + 1}
        )
      ) AS found ON true
      ORDER BY ${walk === 'open' ? `found.id ${way}` : `found."createdAt" ${way}, found.seq ${way}`}`,
    values,
  }
}

/**
 * The bounds of a walk in the order of time. A recipient, or a reference, is compared as a range: with
 * `recipient = '…'` the planner may fetch and sort all rows of one that it believes to have few. Not as a row with the
 * time: the server ends a walk by the first column of a row alone, and would read on through all recipients.
 */
function timesOf(step: Step, slot: Slot): string[] {
  const { walk, from, workspaceId, since = 0, until = Number.MAX_SAFE_INTEGER, direction } = step
  const newest = direction === 'older' && from && from.createdAt < until ? from : { createdAt: until, seq: 0 }
  const oldest = direction === 'newer' && from && from.createdAt >= since ? from : { createdAt: since, seq: 0 }
  const columns = 'messages.created_at, messages.seq'
  const row = ({ createdAt, seq }: Omit<Position, 'id'>) => `(${slot(createdAt)}::bigint, ${slot(seq)}::bigint)`
  const workspace = `${slot(workspaceId)}::text`
  const times = [`(${columns}) < ${row(newest)}`, `(${columns}) > ${row(oldest)}`]
  const value = walk === 'recipient' || walk === 'reference' ? step[walk] : undefined
  if (value !== undefined) {
    const given = `${slot(value)}::text`
    return [
      `${endOfId} = right(${workspace}, 6)`,
      `messages.${walk} >= ${given}`,
      `messages.${walk} <= ${given}`,
      ...times,
      isNotElsewhere(workspace),
    ]
  }
  return [
    ...(walk === 'failed' ? [statusText(hasFailed, 'messages.status')] : []),
    `messages.workspace_id = ${workspace}`,
    ...times,
  ]
}

/** No index matches this form: else the planner would use that of all messages of the workspace. */
const isNotElsewhere = (workspace: string) => `(messages.workspace_id <> ${workspace}) IS NOT TRUE`

/** Before and after each id. */
const [noId, everyId] = ['', '~']

/**
 * The bounds of a walk in the order of the ids, the same way: with `status = '…'` the planner may walk along the index
 * of all ids, and look at every message for the few that are open.
 */
function idsOf({ workspaceId, status, from, direction, since, until }: Step, slot: Slot): string[] {
  const word = isUnsettled.statuses.find(unsettled => unsettled === status?.[0])
  const [newest, oldest] = direction === 'older' ? [from?.id ?? everyId, noId] : [everyId, from?.id ?? noId]
  const workspace = `${slot(workspaceId)}::text`
  const open = `'${word}', right(${workspace}, 6)`
  return [
    statusText(isUnsettled, 'messages.status'),
    `(messages.status, ${endOfId}, messages.id) < (${open}, ${slot(newest)}::text)`,
    `(messages.status, ${endOfId}, messages.id) > (${open}, ${slot(oldest)}::text)`,
    isNotElsewhere(workspace),
    ...(since === undefined ? [] : [`messages.created_at >= ${slot(since)}::bigint`]),
    ...(until === undefined ? [] : [`messages.created_at < ${slot(until)}::bigint`]),
  ]
}
