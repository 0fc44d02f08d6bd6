import { type Column, eq, inArray, ne, notInArray, type SQL } from 'drizzle-orm'
import { type MessageStatus, messageStatuses, type StatusQuestion } from '../../src/message/statuses.ts'

/*
 * Conditions by the status of a message, from the questions of src/message/statuses.ts. Partial indexes and the
 * statements that use them have one text: a planner compares them word for word.
 */

/** Which statuses a condition names: the shorter list of those for which it is so, and those for which it is not. */
function namedBy({ statuses }: StatusQuestion): { readonly named: readonly MessageStatus[]; readonly isNot: boolean } {
  const others = messageStatuses.filter(status => !statuses.includes(status))
  return statuses.length <= others.length ? { named: statuses, isNot: false } : { named: others, isNot: true }
}

/** @returns the condition as text: `status = 'QUEUED'`, `status NOT IN ('QUEUED', 'UNKNOWN')` */
export function statusText(question: StatusQuestion, column = 'status'): string {
  const { named, isNot } = namedBy(question)
  const list = named.map(status => `'${status}'`).join(', ')
  return named.length === 1 ? `${column} ${isNot ? '<>' : '='} ${list}` : `${column} ${isNot ? 'NOT ' : ''}IN (${list})`
}

/** @returns the same with parameters */
export function hasStatus(column: Column, question: StatusQuestion): SQL {
  const { named, isNot } = namedBy(question)
  const [only, ...others] = named
  if (only !== undefined && others.length === 0) return isNot ? ne(column, only) : eq(column, only)
  return isNot ? notInArray(column, [...named]) : inArray(column, [...named])
}
