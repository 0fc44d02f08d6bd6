import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/*
 * Writes the SQL for a change of db/schema/ and db/postgres/schema/: `bun run migration NAME`.
 * drizzle-kit compares each schema with the snapshot in its meta/; here its SQL is made strict and readable. `init` begins
 * anew: it is right only as long as no version has been released.
 */

/** Small rows found by their own key: the table is the index of its primary key, and there is no second one to write. */
const withoutRowid: readonly string[] = [
  'media_uploads',
  'message_events',
  'parked_reports',
  'plan_usage',
  'rate_windows',
]

const root = join(import.meta.dir, '../..')
const [name] = process.argv.slice(2)
if (!name) throw new Error('Name the change: bun run migration add_reference')

interface Engine {
  readonly dialect: 'sqlite' | 'postgresql'
  readonly schema: string
  /** Where its migrations are. */
  readonly folder: string
  /** @returns the SQL as it is kept */
  readonly finish: (sql: string) => string
}

const engines: readonly Engine[] = [
  {
    dialect: 'sqlite',
    schema: './db/schema/*.ts',
    folder: './db/migrations',
    finish: sql =>
      sql
        .replaceAll('`', '')
        .replace(/^CREATE TABLE (\w+)[\s\S]*?^\);$/gm, (table, of: string) =>
          table.replace(/\);$/, withoutRowid.includes(of) ? ') STRICT, WITHOUT ROWID;' : ') STRICT;'),
        ),
  },
  {
    dialect: 'postgresql',
    schema: './db/postgres/schema/*.ts',
    folder: './db/postgres/migrations',
    // Texts are compared by their bytes, as in SQLite: the same order on every server, and the fastest one.
    finish: sql => sql.replace(/^(\s+"\w+" text)\b/gm, '$1 COLLATE "C"').replaceAll('"public".', ''),
  },
]

for (const { dialect, schema, folder, finish } of engines) {
  const sqlFiles = () => (existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : []).filter(isSql)
  if (name === 'init') {
    for (const file of sqlFiles()) rmSync(join(root, folder, file))
    rmSync(join(root, folder, 'meta'), { recursive: true, force: true })
  }
  const before = new Set(sqlFiles())
  const { exitCode } = Bun.spawnSync(
    [
      'bunx',
      'drizzle-kit',
      'generate',
      `--dialect=${dialect}`,
      `--schema=${schema}`,
      `--out=${folder}`,
      `--name=${name}`,
    ],
    { cwd: root, stdout: 'inherit', stderr: 'inherit' },
  )
  if (exitCode !== 0) throw new Error('drizzle-kit failed')
  if (name === 'init') await settle(join(root, folder, 'meta'))
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

function isSql(file: string): boolean {
  return file.endsWith('.sql')
}

/** Puts fixed values in the place of a random id and of the time, so that two branches that begin anew do not conflict. */
async function settle(meta: string): Promise<void> {
  const replaceIn = async (file: string, pattern: RegExp, value: string) => {
    const path = join(meta, file)
    await Bun.write(path, (await Bun.file(path).text()).replace(pattern, value))
  }
  await replaceIn('0000_snapshot.json', /"id": "[^"]+"/, '"id": "00000000-0000-4000-8000-000000000000"')
  await replaceIn('_journal.json', /"when": \d+/, '"when": 0')
}
