import type { Database } from 'bun:sqlite'
import type { EpochMs } from '../../src/base/clock.ts'
import { sha256 } from '../../src/base/crypto.ts'
import { MIGRATIONS } from '../migrations/list.ts'
import {
  type Applied,
  checkApplied,
  type LastUpgrade,
  stepOf,
  type Upgrade,
  upgradeName,
  versionName,
} from '../migrations.ts'

/** @returns the applied migrations of the file; it must have the table. */
export const appliedMigrations = (client: Database): Applied[] =>
  client.query<Applied, []>('SELECT name, sha256 FROM migrations ORDER BY rowid').all()

/** What a file of an older version is changed from, and by what. */
export type Older = Pick<Upgrade, 'from' | 'migrations'>

export interface MigrationHooks {
  /** Stored in the file as the version that used it last. */
  readonly version?: string
  /** Called while no other process can write to the file, also when there is nothing to migrate. */
  readonly locked?: () => void
  /**
   * Called after that, before an older file is changed. When it throws, the file stays as it is.
   * @returns where its copy is; null: there is none
   */
  readonly beforeChange?: (older: Older) => string | null
  /** Called as each step of the migration of an older file begins. */
  readonly onStep?: (step: string) => void
}

/**
 * Brings the file to this version's schema, wholly or not at all: all that is missing is one transaction. The file has
 * no statistics afterwards.
 * @throws SchemaMismatch when the file knows a migration that this version does not, or one that has changed since.
 */
export function migrate(client: Database, now: EpochMs, migrations = MIGRATIONS, hooks: MigrationHooks = {}): void {
  client.run(
    'CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY NOT NULL, sha256 TEXT NOT NULL, ' +
      'applied_at INTEGER NOT NULL) STRICT',
  )
  // Immediate: of two processes that start on a new file, the second waits and then finds the work done.
  client
    .transaction(() => {
      const applied = appliedMigrations(client)
      checkApplied(applied, migrations)
      hooks.locked?.()
      const pending = migrations.filter(({ name }) => !applied.some(row => row.name === name))
      const last = applied.at(-1)
      const from = last && (versionOf(client) ?? last.name)
      let copy: string | null = null
      if (from !== undefined && last && pending.length > 0) {
        copy = hooks.beforeChange?.({ from, migrations: pending.map(({ name }) => name) }) ?? null
        // With those of a small table, a statement that joins it with itself scans all of it for each of its rows.
        // PostgreSQL knows how large its tables are.
        hooks.onStep?.('gathering statistics')
        client.run('ANALYZE')
      }
      for (const [at, { name, sql }] of pending.entries()) {
        if (last) hooks.onStep?.(stepOf(name, at, pending))
        client.run(sql)
        client.run('INSERT INTO migrations (name, sha256, applied_at) VALUES (?, ?, ?)', [name, sha256(sql), now])
      }
      const { version } = hooks
      if (version !== undefined && versionOf(client) !== version) {
        const store = (name: string, value: string) =>
          client.run('INSERT OR REPLACE INTO properties (name, value) VALUES (?, ?)', [name, value])
        store(versionName, version)
        if (from !== undefined)
          store(upgradeName, JSON.stringify({ from, to: version, at: now, copy } satisfies LastUpgrade))
      }
      forgetStatistics(client)
    })
    .immediate()
}

/** @returns the version that used the file last; null when none has stored that */
const versionOf = (client: Database): string | null =>
  client.query<{ value: string }, [string]>('SELECT value FROM properties WHERE name = ?').get(versionName)?.value ??
  null

/**
 * Takes away what an `ANALYZE` has left in the file: what the planner would know of the tables. It is right for a
 * moment alone. Those of a database with forty messages make SQLite read a million of them for each page, and nothing
 * refreshes them while a gateway runs. Without them every statement has one plan, that of the tests, however many rows
 * there are; where the planner cannot know better, the statement tells it.
 *
 * Connections that are open elsewhere keep what they know.
 */
function forgetStatistics(client: Database): void {
  const find = client.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE name GLOB 'sqlite_stat[0-9]'")
  const tables = find.all()
  for (const { name } of tables) client.run(`DELETE FROM ${name}`)
  // This connection reads them again.
  if (tables.length > 0) client.run('ANALYZE sqlite_schema')
  for (const { name } of tables) client.run(`DROP TABLE ${name}`)
}
