import type { Database } from 'bun:sqlite'
import { sha256 } from '../../src/crypto/crypto.ts'
import type { EpochMs } from '../../src/time/clock.ts'
import init from '../migrations/0000_init.sql' with { type: 'text' }
import listsByWorkspace from '../migrations/0001_lists_by_workspace.sql' with { type: 'text' }
import events from '../migrations/0002_events.sql' with { type: 'text' }
import inboundLists from '../migrations/0003_inbound_lists.sql' with { type: 'text' }
import webhooks from '../migrations/0004_webhooks.sql' with { type: 'text' }
import media from '../migrations/0005_media.sql' with { type: 'text' }
import signIns from '../migrations/0006_sign_ins.sql' with { type: 'text' }
import conversations from '../migrations/0007_conversations.sql' with { type: 'text' }
import requests from '../migrations/0008_requests.sql' with { type: 'text' }
import flows from '../migrations/0009_flows.sql' with { type: 'text' }
import fileShares from '../migrations/0010_file_shares.sql' with { type: 'text' }
import erasures from '../migrations/0011_erasures.sql' with { type: 'text' }
import { type Applied, checkApplied, type Migration } from '../migrations.ts'

/** Every migration, oldest first, embedded in the executable. A test compares this list with the folder. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0000_init', sql: init },
  { name: '0001_lists_by_workspace', sql: listsByWorkspace },
  { name: '0002_events', sql: events },
  { name: '0003_inbound_lists', sql: inboundLists },
  { name: '0004_webhooks', sql: webhooks },
  { name: '0005_media', sql: media },
  { name: '0006_sign_ins', sql: signIns },
  { name: '0007_conversations', sql: conversations },
  { name: '0008_requests', sql: requests },
  { name: '0009_flows', sql: flows },
  { name: '0010_file_shares', sql: fileShares },
  { name: '0011_erasures', sql: erasures },
]

/** @returns the applied migrations of the file; it must have the table. */
export const appliedMigrations = (client: Database): Applied[] =>
  client.query<Applied, []>('SELECT name, sha256 FROM migrations').all()

/**
 * Brings the file to this version's schema, wholly or not at all: all that is missing is one transaction.
 * @param beforeChange called before an older file is changed, while no other process can write to it. When it throws,
 *   the file stays as it is
 * @throws SchemaMismatch when the file knows a migration that this version does not, or one that has changed since.
 */
export function migrate(client: Database, now: EpochMs, migrations = MIGRATIONS, beforeChange = () => {}): void {
  client.run(
    'CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY NOT NULL, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT',
  )
  // Immediate: of two processes that start on a new file, the second waits and then finds the work done.
  client
    .transaction(() => {
      const applied = appliedMigrations(client)
      checkApplied(applied, migrations)
      const pending = migrations.filter(({ name }) => !applied.some(row => row.name === name))
      if (applied.length > 0 && pending.length > 0) beforeChange()
      for (const { name, sql } of pending) {
        client.run(sql)
        client.run('INSERT INTO migrations (name, sha256, applied_at) VALUES (?, ?, ?)', [name, sha256(sql), now])
      }
    })
    .immediate()
}
