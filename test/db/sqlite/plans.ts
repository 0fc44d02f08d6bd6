import { Database } from 'bun:sqlite'
import { openDatabase } from '../fixtures.ts'
import { filling, longTables, rowsOfLongTables } from '../manyRows.ts'
import { type Access, type Plan, statisticsStates } from '../plans.ts'

/** @returns how SQLite runs the statements in a large database, with each kind of statistics */
export function plansOf(statements: Iterable<string>): Plan[] {
  const db = openDatabase()
  const { client } = db.writer
  client.run('PRAGMA foreign_keys = OFF')
  client.run('PRAGMA synchronous = OFF')
  client.run('ANALYZE')
  const empty = statisticsOf(client)
  client.run('BEGIN')
  for (const statement of filling("x'00'")) client.run(statement)
  client.run('COMMIT')
  client.run('ANALYZE')
  const known = { none: [], 'of an empty database': empty, fresh: statisticsOf(client) }
  const plans = statisticsStates.flatMap(statistics => {
    client.run('DELETE FROM sqlite_stat1')
    for (const row of known[statistics]) client.run('INSERT INTO sqlite_stat1 VALUES (?, ?, ?)', row)
    // Statistics are read when a file is opened.
    const observer = new Database(db.folder.file, { readonly: true })
    const found = [...statements].map(statement => ({
      ...{ statement, statistics, rows: rowsOfLongTables },
      accesses: accessesOf(observer, statement),
    }))
    observer.close()
    return found
  })
  db.close()
  return plans
}

const statisticsOf = (client: Database) =>
  client.query('SELECT tbl, idx, stat FROM sqlite_stat1').values() as [string, string | null, string][]

function accessesOf(client: Database, statement: string): Access[] {
  const explain = client.prepare<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${statement}`)
  const steps = explain.all().map(({ detail }) => detail)
  explain.finalize()
  const tableOf = (name: string) => aliasesIn(statement).get(name) ?? name
  return steps.flatMap(step => {
    const [, how, name = '', automatic, index = null, terms = ''] =
      /^(SCAN|SEARCH) (\S+)(?: USING (AUTOMATIC )?(?:PARTIAL )?(?:COVERING )?(?:INDEX (\S+)|[A-Z]+(?: [A-Z]+)*))?(?: \((.*)\))?/.exec(
        step,
      ) ?? []
    const table = tableOf(name)
    if (!how || !longTables.has(table)) return []
    // It is made of all rows, for this statement alone.
    if (how === 'SCAN' || automatic) return [{ table, index, bound: [] }]
    return [{ table, index, bound: terms.split(' AND ').map(term => boundBy(term, index)) }]
  })
}

/** Indexes begin with expressions, which a plan does not name. */
const expressions: Readonly<Record<string, string>> = {
  messages_recipient: 'workspace_id',
  messages_reference: 'workspace_id',
  messages_unsettled: 'workspace_id',
  messages_channel_message: 'channel_message_id',
}

function boundBy(term: string, index: string | null) {
  const [, name = '', sign] = /^(?:ANY\()?(\w+|<expr>)\)?([=<>])?/.exec(term) ?? []
  // A skip scan tries each value of a first column that is not bound.
  return {
    column: name === '<expr>' ? (expressions[index ?? ''] ?? name) : name,
    isEqual: sign !== '<' && sign !== '>',
  }
}

/** @returns the tables by the names that the statement gives them */
function aliasesIn(statement: string): ReadonlyMap<string, string> {
  const given = statement.matchAll(/\b(?:FROM|JOIN)\s+"?(\w+)"?\s+(?:AS\s+)?"?(\w+)"?/gi)
  return new Map([...given].map(([, table = '', alias = '']) => [alias, table]))
}
