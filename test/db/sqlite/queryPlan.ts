import { Database } from 'bun:sqlite'
import type { TestDatabase } from '../fixtures.ts'

/**
 * @returns how SQLite runs the statement, its steps joined by `; `
 *
 * On a connection of its own: an EXPLAIN keeps its connection in the state that it saw, and the tests after it would
 * read nothing of what they write.
 */
export function queryPlan({ folder }: TestDatabase, sql: string): string {
  using observer = new Database(folder.file, { readonly: true })
  return observer
    .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(({ detail }) => detail)
    .join('; ')
}
