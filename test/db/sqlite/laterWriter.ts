import { MIGRATIONS } from '../../../db/migrations/list.ts'

/** What the next version's migration makes. */
export const laterName = 'later_table'

/** The writer thread of a version that is to come: it has one migration more. */
if (!Bun.isMainThread) {
  // The list is read-only for the program.
  const list = MIGRATIONS as { name: string; sql: string }[]
  list.push({ name: '9999_later', sql: `CREATE TABLE ${laterName} (a TEXT) STRICT` })
  await import('../../../workers/writer.ts')
}
