import { decoderOf, type Find } from '../rules/lookups.ts'
import type { Connection } from './open.ts'
import { listOf } from './rows.ts'

/**
 * Groups the reads of one turn of the event loop: one statement answers all of them, and equal ones share a result.
 * Nothing is kept for the next turn, so that changes of other instances take effect at once.
 * @param load @returns what was found, by `keyOf` of its query
 */
export function coalesced<Query, Value>(
  keyOf: (query: Query) => string,
  load: (queries: readonly Query[]) => Promise<ReadonlyMap<string, Value>>,
): (query: Query) => Promise<Value | undefined> {
  let gathering: Map<string, Query> | null = null
  let answers: Promise<ReadonlyMap<string, Value>> = Promise.resolve(new Map())

  return async query => {
    const key = keyOf(query)
    if (gathering === null) {
      const queries = new Map<string, Query>()
      gathering = queries
      answers = new Promise((resolve, reject) => {
        setImmediate(() => {
          gathering = null
          load([...queries.values()]).then(resolve, reject)
        })
      })
    }
    gathering.set(key, query)
    return (await answers).get(key)
  }
}

/** What is asked in one turn is one statement. */
export const findOn =
  ({ query }: Connection): Find =>
  <Row extends object>({ columns, from, by, rest = '' }: Parameters<Find>[0]) => {
    const select = `SELECT ${by} AS asked, ${listOf(columns)} FROM ${from} WHERE ${by} = ANY($1::text[]) ${rest}`
    const decode = decoderOf<Row>(columns)
    const find = coalesced<string, readonly Row[]>(
      value => value,
      async values => {
        const found = new Map<string, Row[]>(values.map(value => [value, []]))
        for (const { asked, ...row } of await query<Row & { asked: string }>(select, [values])) {
          // Without what was added to it above.
          found.get(asked)?.push(decode(row as unknown as Row))
        }
        return found
      },
    )
    return async value => (await find(value)) ?? []
  }
