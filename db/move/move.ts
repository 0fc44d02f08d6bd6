import { messageOf } from '../../src/base/errors.ts'
import { checkApplied, movedFrom, ownMigrations } from '../migrations.ts'
import type { Source, Target } from './sides.ts'
import { type MovedRow, type MovedTable, movedKey, movedTables } from './tables.ts'

/** Rows that are in memory at once, and in one transaction of the target. */
const batchMax = 1_000
/** A table of millions of rows takes minutes: progress is reported every few seconds. */
const rowsPerLine = 50_000

/** A table that is the same on both sides. */
export interface MovedRows {
  readonly table: string
  readonly rows: number
  /** SHA-256 of all rows in the order of the key. */
  readonly checksum: string
}

/**
 * Copies every table. Each batch is one transaction and continues after the greatest key of the target: after an
 * interruption, the same call resumes where the first one stopped.
 * @param options `tell` gets progress sentences. `check` is called before the target can be used, and may refuse it
 * @throws Error with a sentence for the operator. Copied rows stay in the target, which only a move can open
 */
export async function moveTables(options: {
  source: Source
  target: Target
  tell: (text: string) => Promise<void>
  check?: () => Promise<unknown>
}): Promise<MovedRows[]> {
  const { source, target, tell, check } = options
  await checkSource(source)
  await prepare(target, source.identity)
  for (const table of movedTables) await copy(table, options)
  await tell('Comparing both sides')
  const moved: MovedRows[] = []
  for (const table of movedTables) moved.push(await compare(table, options))
  await check?.()
  await target.release()
  return moved
}

/** @throws Error with a sentence for the operator when it cannot be moved */
export async function checkSource(source: Source): Promise<void> {
  const applied = await source.applied()
  checkApplied(applied, source.migrations)
  if (applied.length < source.migrations.length) {
    throw new Error(
      'The database was made by an older version of Waypost. Start the gateway of this version on it once, stop it, ' +
        'and move then.',
    )
  }
  await checkSchema('The database cannot be moved', source)
}

async function checkSchema(refusal: string, side: Pick<Source, 'difference'>): Promise<void> {
  const difference = await side.difference()
  if (difference !== null) throw new Error(`${refusal}. ${difference}`)
}

async function prepare(target: Target, identity: string): Promise<void> {
  const applied = await target.applied()
  const from = movedFrom(applied)
  if (from === null) await target.migrate()
  else checkApplied(ownMigrations(applied), target.migrations)
  if (from !== null && from !== identity) {
    throw new Error('Another database is being moved into this one. Name an empty database')
  }
  await checkSchema('The database that --to names cannot be used', target)
  if (from !== null) return
  for (const table of movedTables) {
    if ((await target.lastKey(table)) === null) continue
    throw new Error(`The database that --to names is not empty: there are ${table.name}. Name an empty one`)
  }
  await target.reserve(identity)
}

async function copy(
  table: MovedTable,
  { source, target, tell }: { source: Source; target: Target; tell: (text: string) => Promise<void> },
): Promise<void> {
  const total = await source.count(table)
  let copied = await target.count(table)
  const progress = () => tell(`${table.name}: ${copied} of ${total} rows`)
  if (total > 0) await progress()
  try {
    for (let after = await target.lastKey(table); ; ) {
      const rows = await source.rows(table, after, batchMax)
      const last = rows.at(-1)
      if (last === undefined) return
      await target.append(table, rows)
      after = movedKey(table, last)
      const lines = Math.floor(copied / rowsPerLine)
      copied += rows.length
      if (Math.floor(copied / rowsPerLine) > lines) await progress()
    }
  } catch (cause) {
    throw new Error(`The table ${table.name} could not be copied: ${messageOf(cause)}`, { cause })
  }
}

async function compare(table: MovedTable, { source, target }: { source: Source; target: Target }): Promise<MovedRows> {
  const [from, to] = await Promise.all([digest(source, table), digest(target, table)])
  if (from.rows === to.rows && from.checksum === to.checksum) return { table: table.name, ...to }
  const what = from.rows === to.rows ? 'other contents' : `${to.rows} rows instead of ${from.rows}`
  throw new Error(
    `The table ${table.name} has ${what} in the target: the source has changed since the move began. Empty the ` +
      'target and move again',
  )
}

async function digest(side: Pick<Source, 'rows'>, table: MovedTable): Promise<Omit<MovedRows, 'table'>> {
  const hasher = new Bun.CryptoHasher('sha256')
  let count = 0
  for (let after: MovedRow | null = null; ; ) {
    const rows: readonly MovedRow[] = await side.rows(table, after, batchMax)
    const last = rows.at(-1)
    if (last === undefined) return { rows: count, checksum: hasher.digest('hex') }
    for (const row of rows) hasher.update(`${JSON.stringify(row)}\n`)
    count += rows.length
    after = movedKey(table, last)
  }
}
