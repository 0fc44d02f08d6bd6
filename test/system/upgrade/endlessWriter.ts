import { MIGRATIONS } from '../../../db/migrations/list.ts'

/** The writer thread of a version whose migration never ends: it changes something, and then counts for ever. */
if (!Bun.isMainThread) {
  // The list is read-only for the program.
  const list = MIGRATIONS as { name: string; sql: string }[]
  list.push({
    name: '9999_endless',
    sql: `UPDATE messages SET status = 'READ';
      CREATE TABLE endless AS WITH RECURSIVE counted (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM counted)
        SELECT count(*) AS value FROM counted;`,
  })
  await import('../../../workers/writer.ts')
}
