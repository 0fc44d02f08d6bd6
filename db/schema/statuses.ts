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

/**
 * Comparisons, never `IN`: of a list of three and more, SQLite makes a table each time it looks at it, and it looks at
 * the condition of each partial index with every change of a message. A send would take its writer a fifth longer.
 * @returns the condition as text: `status = 'QUEUED'`, `(status <> 'QUEUED' AND status <> 'UNKNOWN')`
 */
export function statusText(question: StatusQuestion, column = 'status'): string {
  const { named, isNot } = namedBy(question)
  const comparisons = named.map(status => `${column} ${isNot ? '<>' : '='} '${status}'`)
  return comparisons.length === 1 ? comparisons.join() : `(${comparisons.join(isNot ? ' AND ' : ' OR ')})`
}

/** @returns the same with parameters */
export function hasStatus(column: Column, question: StatusQuestion): SQL {
  const { named, isNot } = namedBy(question)
  const [only, ...others] = named
  if (only !== undefined && others.length === 0) return isNot ? ne(column, only) : eq(column, only)
  return isNot ? notInArray(column, [...named]) : inArray(column, [...named])
}
