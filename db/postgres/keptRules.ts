import { type Connection, connectionBy } from './open.ts'

/**
 * Rules that are made once and kept, for transactions one after the other: to build the statements of a callback takes
 * ten times as long as to fill in their values. There are as many as transactions at once: at most one of each
 * connection.
 * @param make @returns rules that run on this connection, whichever transaction has it
 * @returns runs work with such rules, in the transaction of a connection. Those that run at once have each their own
 */
export function keptRules<Rules>(make: (connection: Connection) => Rules) {
  const idle: { readonly rules: Rules; readonly use: (connection: Connection) => void }[] = []

  function add(first: Connection) {
    let current = first
    const use = (connection: Connection) => {
      current = connection
    }
    return { rules: make(connectionBy(() => current.client)), use }
  }

  return async <Result>(connection: Connection, work: (rules: Rules) => Promise<Result>): Promise<Result> => {
    const kept = idle.pop() ?? add(connection)
    kept.use(connection)
    const result = await work(kept.rules)
    // Of work that has failed, something may run still.
    idle.push(kept)
    return result
  }
}
