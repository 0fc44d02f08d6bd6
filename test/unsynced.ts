import { Database } from 'bun:sqlite'

/*
 * Loaded into each writer thread of the tests before it opens its file: no commit waits for the disk, as on the servers
 * of PostgreSQL that tests start. No test in their process asks what is left after the machine has lost its power, and
 * what a killed process has written, the system keeps. That the product waits is `test/db/sqlite/open.test.ts`'s; the
 * executable does so in the tests of processes.
 */

const { run } = Database.prototype

Database.prototype.run = function (this: Database, sql: string, ...bindings) {
  return run.call(this, sql === 'PRAGMA synchronous = FULL' ? 'PRAGMA synchronous = OFF' : sql, ...bindings)
} as typeof run
