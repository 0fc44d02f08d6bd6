import { readdirSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { join } from 'node:path'

/*
 * Writes the SQL for a change of db/schema/ or db/postgres/schema/: `bun run migration NAME`. drizzle-kit compares each
 * schema with the newest snapshot in its meta/; here its SQL is made strict and readable. Existing migrations are never
 * rewritten: databases have them already.
 */

/**
 * Small rows found by their own key: the table is the index of its primary key, and there is no second one to write.
 */
const withoutRowid: readonly string[] = [
  'api_requests',
  'event_counters',
  'events',
  'media_uploads',
  'message_events',
  'parked_reports',
  'plan_usage',
  'rate_windows',
  'webhook_deliveries',
]

const root = join(import.meta.dir, '../..')
const [name] = process.argv.slice(2)
if (!name) throw new Error('Name the change: bun run migration add_reference')

interface Engine {
  readonly dialect: 'sqlite' | 'postgresql'
  /** JavaScript that loads its tables, from this folder. */
  readonly tables: string
  /** Where its migrations are. */
  readonly folder: string
  /** @returns the SQL as it is kept */
  readonly finish: (sql: string) => string
}

const engines: readonly Engine[] = [
  {
    dialect: 'sqlite',
    tables: "require('../sqlite/schema.ts').ownTables",
    folder: './db/migrations',
    finish: sql =>
      sql.replaceAll('`', '').replace(/^CREATE TABLE (\w+)[\s\S]*?^\);$/gm, (table, of: string) =>
        // A table that cannot be altered is first rebuilt under this name.
        table.replace(
          /\);$/,
          withoutRowid.includes(of.replace(/^__new_/, '')) ? ') STRICT, WITHOUT ROWID;' : ') STRICT;',
        ),
      ),
  },
  {
    dialect: 'postgresql',
    tables: "{ ...require('../postgres/schema/tables.ts').tables, ...require('../postgres/schema/instances.ts') }",
    folder: './db/postgres/migrations',
    // Texts are compared by their bytes, as in SQLite: the same order on every server, and the fastest one.
    finish: sql =>
      sql
        .replace(/^((?:\s+|ALTER TABLE "\w+" ADD COLUMN )"\w+" text)\b/gm, '$1 COLLATE "C"')
        .replaceAll('"public".', ''),
  },
]

/** drizzle-kit knows the tables that a file exports, each by a name of its own. */
const exporting = join(import.meta.dir, 'tables.cjs')

for (const { dialect, tables, folder, finish } of engines) {
  await Bun.write(exporting, `module.exports = ${tables}`)
  const sqlFiles = () => readdirSync(join(root, folder)).filter(file => file.endsWith('.sql'))
  const before = new Set(sqlFiles())
  const { exitCode } = Bun.spawnSync(
    [
      process.execPath,
      'x',
      'drizzle-kit',
      'generate',
      `--dialect=${dialect}`,
      `--schema=${exporting}`,
      `--out=${folder}`,
      `--name=${name}`,
    ],
    { cwd: root, stdout: 'inherit', stderr: 'inherit' },
  )
  await unlink(exporting)
  if (exitCode !== 0) throw new Error('drizzle-kit failed')
  for (const file of sqlFiles().filter(file => !before.has(file))) {
    const sql = await Bun.file(join(root, folder, file)).text()
    const plain = sql.replaceAll('--> statement-breakpoint', '').replaceAll('\t', '  ')
    await Bun.write(
      join(root, folder, file),
      `${finish(plain)
        .replace(/\n{2,}/g, '\n')
        .trim()}\n`,
    )
  }
}
