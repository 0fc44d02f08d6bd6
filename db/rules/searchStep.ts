import { withoutOne } from '../../src/message/words.ts'
import type { MeantBy, MessageSearch } from '../contract/queries.ts'
import type { Message, MessageFilter } from '../contract/records.ts'
import { byFieldFilter } from '../messageFields.ts'
import { jsonPatternOf, patternOf } from './meantBy.ts'

/** An index that a search walks along. What is open lies in the order of the ids, which is nearly that of time. */
export type Walk = 'recipient' | 'reference' | 'open' | 'failed' | 'workspace'

/** A message that a step begins behind, or ends with. As text it is `1767225600000.17`, or an id. */
export interface Position {
  readonly createdAt: number
  readonly seq: number
  readonly id: string
}

/** The next messages of a walk. */
export interface Step extends Omit<MessageSearch, 'cursor'> {
  readonly walk: Walk
  /** Null: from the beginning. */
  readonly from: Position | null
}

export interface Stepped {
  /** What fits, in the order of the walk: one more than `limit` where there are so many. */
  readonly found: readonly (Message & Position)[]
  /** The last message that was looked at; null when there are no more behind the step. */
  readonly last: Position | null
}

/** Adds a value to a statement. @returns how the statement names it */
type Slot = (value: string) => string
type Filter = (value: string, slot: Slot) => string

const byField = byFieldFilter(
  ({ column, orNone }): Filter =>
    (value, slot) =>
      orNone && value === withoutOne ? `${column} IS NULL` : `${column} = ${slot(value)}`,
)

/** What no walk brings with it, and has one value. A recipient always has a walk. */
const filters: Readonly<Record<keyof Omit<MessageFilter, 'recipient' | 'status'>, Filter>> = {
  ...byField,
  line: (id, slot) => `line_seq = (SELECT seq FROM lines WHERE id = ${slot(id)})`,
  key: (id, slot) =>
    id === withoutOne ? 'api_key_seq IS NULL' : `api_key_seq = (SELECT seq FROM api_keys WHERE id = ${slot(id)})`,
  // At least those that fit: which of several failures counts is decided by the state machine (`messageSearch.ts`).
  cause(cause, slot) {
    const reason = /^\d+$/.test(cause) ? `${cause}: ` : cause
    const found = [
      ['failures', jsonPatternOf(reason)],
      ['gave_up_reason', patternOf(reason)],
    ] as const
    return `(${found.map(([column, pattern]) => like(`coalesce(${column}, '')`, slot(pattern))).join(' OR ')})`
  },
}
const filterNames = Object.keys(filters) as (keyof typeof filters)[]

/** Whether every message of its walk fits. */
export const isUnfiltered = (search: Omit<MessageSearch, 'limit' | 'scan'>): boolean =>
  search.meant === undefined &&
  search.status === undefined &&
  search.lineIds === undefined &&
  filterNames.every(name => search[name] === undefined)

const like = (text: string, pattern: string) => `lower(${text}) LIKE ${pattern} ESCAPE '\\'`

/**
 * @param table what has the columns of the messages
 * @returns the conditions of what a search has, on columns of the messages
 */
export function filtersOf(search: Step, table: string, slot: Slot): string[] {
  const given = filterNames.flatMap(name => {
    const value = search[name]
    return value === undefined ? [] : [filters[name](value, slot)]
  })
  if (search.status !== undefined) given.unshift(`status IN (${search.status.map(slot).join(', ')})`)
  if (search.lineIds !== undefined)
    given.push(`line_seq IN (SELECT seq FROM lines WHERE id IN (${search.lineIds.map(slot).join(', ')}))`)
  return [...given, ...(search.meant ?? []).map(word => meantCondition(word, table, slot))]
}

/**
 * At least the messages that are meant (`meantBy.ts`), cheap conditions first. The content is a subquery for one value:
 * the planner cannot read all contents instead.
 */
function meantCondition({ words, digits, recipients, templates }: MeantBy, table: string, slot: Slot): string {
  // An underscore in a name stands for any letter here.
  const isOneOf = (column: string, values: Iterable<string>) =>
    `${slot(` ${[...values].join(' ')} `)} LIKE '% ' || ${table}.${column} || ' %'`
  const conditions = [
    `${table}.request_id = ${slot(words)}`,
    ...(digits === null ? [] : [`${table}.recipient LIKE ${slot(`%${digits}%`)}`]),
    ...(recipients.size === 0 ? [] : [isOneOf('recipient', recipients)]),
    ...(templates.size === 0 ? [] : [isOneOf('template_name', templates.keys())]),
    like(
      `(SELECT payload FROM message_contents WHERE message_contents.message_seq = ${table}.seq)`,
      slot(jsonPatternOf(words)),
    ),
  ]
  return `(${conditions.join(' OR ')})`
}

/** Whether a step may find messages that do not fit: they are looked at once more. */
export const isRough = ({ cause, meant }: Pick<MessageSearch, 'cause' | 'meant'>): boolean =>
  cause !== undefined || meant !== undefined
