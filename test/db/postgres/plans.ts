import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { migrate } from '../../../db/postgres/migrate.ts'
import { openPool } from '../../../db/postgres/open.ts'
import { t0 } from '../fixtures.ts'
import { filling, longTables, rowsOfLongTables } from '../manyRows.ts'
import type { Access, Plan } from '../plans.ts'

/** Begins an entry of the server's log; further lines of one begin with a tabulator. */
const mark = '@waypost '

/** Settings of a server whose log tells what it was asked, and which analyzes nothing by itself. */
export const telling = { log_statement: 'all', log_line_prefix: mark, autovacuum: 'off' }

/** A statement with the parameters of its calls, as literals: those first that say most. */
export interface Asked {
  readonly statement: string
  readonly calls: readonly (readonly string[])[]
}

/** @param folder of the server @param from of the log, in bytes */
const entriesOf = (folder: string, from = 0): string[] =>
  readFileSync(join(folder, 'server.log'))
    .subarray(from)
    .toString()
    .split(mark)
    .map(entry => entry.replaceAll('\n\t', '\n').trimEnd())

/** @returns each statement that the server was asked. In whatever order that was, the answer is the same */
export function askedOf(folder: string): Asked[] {
  const asked = new Map<string, Map<string, readonly string[]>>()
  let last = ''
  for (const entry of entriesOf(folder)) {
    const statement = /^LOG: {2}execute [^:]*: ([\s\S]*)$/.exec(entry)?.[1]
    if (statement !== undefined) {
      last = statement
      if (!asked.has(last)) asked.set(last, new Map())
    }
    const parameters = /^DETAIL: {2}parameters: ([\s\S]*)$/.exec(entry)?.[1]
    // `$1 = 'it''s', $2 = NULL`
    const literals = parameters?.matchAll(/\$\d+ = (NULL|'(?:[^']|'')*')/g)
    if (!literals) continue
    const call = [...literals].map(([, literal = 'NULL']) => ofSmallTenant(ofShortList(literal)))
    asked.get(last)?.set(call.join(), call)
  }
  return [...asked].map(([statement, calls]) => ({
    statement,
    calls: [...calls].sort(byLength).map(([, call]) => call),
  }))
}

type Call = readonly [text: string, call: readonly string[]]
const byLength = ([one]: Call, [other]: Call) => other.length - one.length || one.localeCompare(other)

/**
 * Only the first of a list: some calls name a large part of the rows that there are, or as many as the tenant has, and
 * those are rightly read one after the other. A plan for any parameters takes a list for ten.
 * @param literal `'{msg_1,msg_2,…}'`; of anything else nothing is cut off
 */
const ofShortList = (literal: string) => literal.replace(/^'\{([\w.+-]+),[\w,.+-]*\}'$/, "'{$1}'")

/** What belongs to the largest tenant is nearly all there is: its plans would rightly read all. */
const ofSmallTenant = (literal: string) => literal.replace(/\b(ws|chan|line|hook)_1\b/g, '$1_7')

/** Here the server would rather read a table than join it with a list that it takes for a hundred rows. */
const fewRows = 5_000
/** In one trip to the server. */
const statementsAtOnce = 50

const ofTables = "WHERE relkind IN ('r', 'i') AND relnamespace = 'public'::regnamespace"
/** As long as nobody has analyzed the tables, and when somebody did while they were empty. */
const noStatistics = `DELETE FROM pg_statistic; UPDATE pg_class SET reltuples = -1, relpages = 0 ${ofTables}`
const emptyStatistics = `DELETE FROM pg_statistic; UPDATE pg_class SET reltuples = 0, relpages = 0 ${ofTables}`

/** A plan for any parameters, as of a statement that is asked often, or for those that are given. */
type Mode = 'force_generic_plan' | 'force_custom_plan'

/** A function of ours does in one statement what would be several. */
const isCall = ({ statement }: Asked) => /\b\w+_\d+\(/.test(statement)

/**
 * @param url of an empty database of its own, on a server that is `telling`
 * @param folder of the server
 * @returns how PostgreSQL runs the statements in a large database, with each kind of statistics. A call of a function
 *   gives those of its statements; it runs for that
 */
export async function plansOf(url: string, folder: string, asked: readonly Asked[]): Promise<Plan[]> {
  const pool = openPool(url, 1)
  await migrate(pool, t0)
  await pool.close()
  const client = new SQL({ url, max: 1 })
  const run = (statement: string) => client.unsafe(statement).simple()
  const statements = asked.filter(each => !isCall(each))
  const calls = asked.filter(isCall)
  const plans: Plan[] = []

  /** Calls the function as one of the calls did whose lines and instances are here too. */
  async function runOne({ statement, calls }: Asked) {
    let failure: unknown
    for (const parameters of calls.length === 0 ? [[]] : calls) {
      const named = parameters.map((value, at) => [`$${at + 1}`, value] as const)
      const text = named.reduceRight((sql, [name, value]) => sql.replaceAll(name, () => value), statement)
      await run('BEGIN; SET LOCAL auto_explain.log_min_duration = 0')
      try {
        return await run(text)
      } catch (error) {
        failure = error
      } finally {
        await run('ROLLBACK')
      }
    }
    throw failure
  }

  async function planAll(statistics: Plan['statistics'], rows: number, mode: Mode) {
    await run(`SET plan_cache_mode = ${mode}`)
    for (let from = 0; from < statements.length; from += statementsAtOnce) {
      const some = statements.slice(from, from + statementsAtOnce)
      const explains = some.map(({ calls: [parameters = []] }, at) => {
        const values = parameters.length === 0 ? '' : `(${parameters.join(', ')})`
        return `EXPLAIN (FORMAT JSON) EXECUTE asked_${from + at}${values}`
      })
      // The last keeps the answer a list of answers.
      const answers = await run([...explains, 'SELECT 1'].join(';\n'))
      for (const [at, { statement }] of some.entries()) {
        const accesses = accessesOf(answers[at][0]['QUERY PLAN'][0].Plan)
        plans.push({ statement, statistics, rows, accesses })
      }
    }
    for (const call of calls) {
      const before = statSync(join(folder, 'server.log')).size
      await runOne(call)
      for (const entry of entriesOf(folder, before)) {
        const json = /plan:\n({[\s\S]*)$/.exec(entry)?.[1]
        if (json === undefined) continue
        const { 'Query Text': statement, Plan: plan } = JSON.parse(json)
        plans.push({ statement, statistics, rows, accesses: accessesOf(plan) })
      }
    }
  }

  await run(`SET session_replication_role = replica; SET log_statement = 'none'; LOAD 'auto_explain';
    SET auto_explain.log_format = json; SET auto_explain.log_nested_statements = on`)
  for (const [at, { statement }] of statements.entries()) await run(`PREPARE asked_${at} AS ${statement}`)
  const empty = `''::bytea`
  for (const statement of filling(empty, { rowsMax: fewRows })) await run(statement)
  await run('ANALYZE')
  await planAll('fresh', fewRows, 'force_generic_plan')
  await planAll('fresh', fewRows, 'force_custom_plan')
  for (const statement of filling(empty, { from: fewRows + 1 })) await run(statement)
  await run(emptyStatistics)
  await planAll('of an empty database', rowsOfLongTables, 'force_generic_plan')
  await run(noStatistics)
  await planAll('none', rowsOfLongTables, 'force_generic_plan')
  await run('ANALYZE')
  await planAll('fresh', rowsOfLongTables, 'force_generic_plan')
  await planAll('fresh', rowsOfLongTables, 'force_custom_plan')
  await client.close()
  return plans
}

interface Node {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly Node[]
}

function accessesOf(node: Node): Access[] {
  const below = (node.Plans ?? []).flatMap(accessesOf)
  const type = node['Node Type']
  const index = node['Index Name'] ?? null
  const table = node['Relation Name'] ?? tableOf(index ?? '')
  if (type === 'Seq Scan') return [{ table, index, bound: [] }, ...below]
  if (!/^(Index|Bitmap Index)/.test(type)) return below
  return [{ table, index, bound: boundIn(node['Index Cond'] ?? '') }, ...below]
}

/** A scan of a bitmap names no table; ours begin the names of their indexes. */
const tableOf = (index: string) =>
  [...longTables].filter(table => index.startsWith(`${table}_`)).sort((a, b) => b.length - a.length)[0] ?? ''

/** @param condition `((workspace_id = $1) AND ("right"(recipient, 6) = ...) AND (seq > $2))` */
function boundIn(condition: string): Access['bound'] {
  // Rows are compared as a range.
  if (condition.includes('ROW(')) return [{ column: 'row', isEqual: false }]
  const terms = condition.matchAll(/\(+"?(\w+)"?(?:\((\w+)[^)]*\))?\)?(?:::\w+)? (=|<|>|<=|>=|IS NOT NULL|~~) ?/g)
  const bound = [...terms].map(([, name = '', argument, sign]) => ({ column: argument ?? name, isEqual: sign === '=' }))
  // A condition may say the same twice.
  return [...new Map(bound.map(each => [`${each.column}${each.isEqual}`, each])).values()]
}
