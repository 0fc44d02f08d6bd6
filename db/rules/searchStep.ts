import type { MessageSearch } from '../queries.ts'
import type { Message, MessageFilter } from '../records.ts'

/** An index that a search walks along. What is open lies in the order of the ids, which is nearly that of time. */
export type Walk = 'recipient' | 'open' | 'failed' | 'workspace'

/** A message that a step begins behind, or ends with. As text it is `1767225600000.17`, or an id. */
export interface Place {
  readonly createdAt: number
  readonly seq: number
  readonly id: string
}

/** The next messages of a walk. */
export interface Step extends Omit<MessageSearch, 'cursor'> {
  readonly walk: Walk
  /** Null: from the beginning. */
  readonly from: Place | null
}

export interface Stepped {
  /** What fits, in the order of the walk: one more than `limit` where there are so many. */
  readonly found: readonly (Message & Place)[]
  /** The last message that was looked at; null when there are no more behind the step. */
  readonly last: Place | null
}

/** What no walk brings with it. A recipient always has one. */
const filters: Readonly<Record<keyof Omit<MessageFilter, 'recipient'>, (slot: string) => string>> = {
  status: status => `status = ${status}`,
  lineId: id => `line_seq = (SELECT seq FROM lines WHERE id = ${id})`,
  apiKeyId: id => `api_key_seq = (SELECT seq FROM api_keys WHERE id = ${id})`,
  type: type => `type = ${type}`,
  templateName: name => `template_name = ${name}`,
}
export const filterFields = Object.keys(filters) as (keyof typeof filters)[]

/**
 * @param slot adds a value to a statement, and returns how the statement names it
 * @returns the conditions of the fields that a search has, on columns of the messages
 */
export function filtersOf(
  search: Pick<MessageSearch, keyof typeof filters>,
  slot: (value: string, field: string) => string,
): string[] {
  return filterFields.flatMap(field => {
    const value = search[field]
    return value === undefined ? [] : [filters[field](slot(value, field))]
  })
}
