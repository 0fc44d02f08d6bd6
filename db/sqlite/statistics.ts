import type { Database } from 'bun:sqlite'

/**
 * Takes away what an `ANALYZE` has left in the file: what the planner would know of the tables. It is right for a
 * moment alone. Those of a database with forty messages make SQLite read a million of them for each page, and nothing
 * refreshes them while a gateway runs. Without them every statement has one plan, that of the tests, however many rows
 * there are; where the planner cannot know better, the statement tells it.
 *
 * Connections that are open elsewhere keep what they know.
 */
export function forgetStatistics(client: Database): void {
  const find = client.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE name GLOB 'sqlite_stat[0-9]'")
  const tables = find.all()
  for (const { name } of tables) client.run(`DELETE FROM ${name}`)
  // This connection reads them again.
  if (tables.length > 0) client.run('ANALYZE sqlite_schema')
  for (const { name } of tables) client.run(`DROP TABLE ${name}`)
}
