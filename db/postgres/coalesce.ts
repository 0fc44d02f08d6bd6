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
