import { readdirSync, readFileSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { successorsOf } from '../postgres/functions/successors.ts'

/*
 * Writes the SQL for a change of db/schema/, db/postgres/schema/ or db/postgres/functions/: `bun run migration NAME`.
 * drizzle-kit compares each schema with the newest snapshot in its meta/; here its SQL is made strict and readable, and
 * functions that became others get successors. Existing migrations are never rewritten: databases have them already.
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

const sqlite: Engine = {
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
}

const postgres: Engine = {
  dialect: 'postgresql',
  tables: "{ ...require('../postgres/schema/tables.ts').tables, ...require('../postgres/schema/instances.ts') }",
  folder: './db/postgres/migrations',
  // Texts are compared by their bytes, as in SQLite: the same order on every server, and the fastest one.
  finish: sql =>
    sql.replace(/^((?:\s+|ALTER TABLE "\w+" ADD COLUMN )"\w+" text)\b/gm, '$1 COLLATE "C"').replaceAll('"public".', ''),
}

const sqlFiles = ({ folder }: Engine) =>
  readdirSync(join(root, folder))
    .filter(file => file.endsWith('.sql'))
    .sort()

/** drizzle-kit knows the tables that a file exports, each by a name of its own. */
const exporting = join(import.meta.dir, 'tables.cjs')

/**
 * @param how `--custom`: an empty file, whether or not the schema has changed
 * @returns the new files
 */
async function generate(engine: Engine, ...how: readonly '--custom'[]): Promise<string[]> {
  const { dialect, tables, folder } = engine
  await Bun.write(exporting, `module.exports = ${tables}`)
  const before = sqlFiles(engine)
  const asked = [`--dialect=${dialect}`, `--schema=${exporting}`, `--out=${folder}`, `--name=${name}`, ...how]
  const { exitCode } = Bun.spawnSync([process.execPath, 'x', 'drizzle-kit', 'generate', ...asked], {
    cwd: root,
    stdout: 'inherit',
    stderr: 'inherit',
  })
  await unlink(exporting)
  if (exitCode !== 0) throw new Error('drizzle-kit failed')
  return sqlFiles(engine).filter(file => !before.includes(file))
}

async function generateTables(engine: Engine): Promise<string[]> {
  const made = await generate(engine)
  for (const file of made) {
    const path = join(root, engine.folder, file)
    const sql = (await Bun.file(path).text()).replaceAll('--> statement-breakpoint', '').replaceAll('\t', '  ')
    await Bun.write(
      path,
      `${engine
        .finish(sql)
        .replace(/\n{2,}/g, '\n')
        .trim()}\n`,
    )
  }
  return made
}

/** The functions follow the tables: in the same migration, if there is one. */
async function generateFunctions(made: readonly string[]): Promise<void> {
  const texts = sqlFiles(postgres).map(file => readFileSync(join(root, postgres.folder, file), 'utf8'))
  const { sql, called } = successorsOf(texts, released())
  const names = Object.entries(called).map(([of, version]) => `  ${of}: '${version}',\n`)
  await Bun.write(
    join(root, 'db/postgres/functions/versions.ts'),
    `/** The functions that the program calls. \`bun run migration\` writes this file. */
export const functions = {\n${names.join('')}} as const\n`,
  )
  if (sql === '') return
  const [file] = made.length > 0 ? made : await generate(postgres, '--custom')
  const path = join(root, postgres.folder, file ?? '')
  const tables = made.length > 0 ? `${await Bun.file(path).text()}\n` : ''
  await Bun.write(path, `${tables}${sql}\n`)
}

/** @returns the migrations that the last released version has, on PostgreSQL */
function released(): string[] {
  const folder = join(root, 'test/upgrade/fixtures')
  const [last] = readdirSync(folder)
    .filter(file => file.endsWith('.json'))
    .map(file => JSON.parse(readFileSync(join(folder, file), 'utf8')))
    .filter(({ isFrozen }) => isFrozen)
    .sort((one, other) => Bun.semver.order(other.version, one.version))
  const migrations: readonly { readonly name: string }[] = last?.postgresMigrations ?? []
  return migrations.map(({ name }) => readFileSync(join(root, postgres.folder, `${name}.sql`), 'utf8'))
}

/** Every migration is embedded in the executable: by an import each. */
async function listMigrations(engine: Engine, type: string): Promise<void> {
  const names = sqlFiles(engine).map(file => file.replace(/\.sql$/, ''))
  const imports = names.map(name => `import _${name} from './${name}.sql' with { type: 'text' }\n`)
  const entries = names.map(name => `  { name: '${name}', sql: _${name} },\n`)
  await Bun.write(
    join(root, engine.folder, 'list.ts'),
    `import type { Migration } from '${type}'\n${imports.join('')}
/** Every migration, oldest first, embedded in the executable. \`bun run migration\` writes this file. */
export const MIGRATIONS: readonly Migration[] = [\n${entries.join('')}]\n`,
  )
}

await generateTables(sqlite)
await generateFunctions(await generateTables(postgres))
await listMigrations(sqlite, '../migrations.ts')
await listMigrations(postgres, '../../migrations.ts')
