import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/*
 * Writes the SQL for a change of db/schema/: `bun run migration NAME`.
 * drizzle-kit compares the schema with the snapshot in meta/; here its SQL is made STRICT and readable. `init` begins
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

const folder = import.meta.dir
const [name] = process.argv.slice(2)
if (!name) throw new Error('Name the change: bun run migration add_reference')
const sqlFiles = () => readdirSync(folder).filter(file => file.endsWith('.sql'))

if (name === 'init') {
  for (const file of sqlFiles()) rmSync(join(folder, file))
  rmSync(join(folder, 'meta'), { recursive: true, force: true })
}
const before = new Set(sqlFiles())
const { exitCode } = Bun.spawnSync(
  [
    'bunx',
    'drizzle-kit',
    'generate',
    '--dialect=sqlite',
    '--schema=./db/schema/*.ts',
    '--out=./db/migrations',
    `--name=${name}`,
  ],
  { cwd: join(folder, '../..'), stdout: 'inherit', stderr: 'inherit' },
)
if (exitCode !== 0) throw new Error('drizzle-kit failed')
if (name === 'init') await settle()
for (const file of sqlFiles().filter(file => !before.has(file))) {
  const sql = await Bun.file(join(folder, file)).text()
  const strict = sql
    .replaceAll('--> statement-breakpoint', '')
    .replaceAll('`', '')
    .replaceAll('\t', '  ')
    .replace(/^CREATE TABLE (\w+)[\s\S]*?^\);$/gm, (table, of: string) =>
      table.replace(/\);$/, withoutRowid.includes(of) ? ') STRICT, WITHOUT ROWID;' : ') STRICT;'),
    )
    .replace(/\n{2,}/g, '\n')
  await Bun.write(join(folder, file), `${strict.trim()}\n`)
}

/** Puts fixed values in the place of a random id and of the time, so that two branches that begin anew do not conflict. */
async function settle(): Promise<void> {
  const replaceIn = async (file: string, pattern: RegExp, value: string) => {
    const path = join(folder, 'meta', file)
    await Bun.write(path, (await Bun.file(path).text()).replace(pattern, value))
  }
  await replaceIn('0000_snapshot.json', /"id": "[^"]+"/, '"id": "00000000-0000-4000-8000-000000000000"')
  await replaceIn('_journal.json', /"when": \d+/, '"when": 0')
}
