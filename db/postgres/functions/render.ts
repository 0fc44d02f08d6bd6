import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Column } from 'drizzle-orm'
import { mayLeave } from '../../../src/message/statuses.ts'
import { acceptedColumns, endColumns, typeOf } from './columns.ts'

/*
 * The functions of a send, from their present texts: acceptMessages.sql and settleMessages.sql. A function that is in a
 * migration is never changed, as instances of two versions may use one database: what is different gets the next number
 * in its name, by `bun run migration`.
 */

interface Source {
  /** Beside this file. */
  readonly text: string
  /** In the database, before its number. */
  readonly name: string
  /** Whether it has what stands between the marks of telling. */
  readonly tells: boolean
}

const sources = {
  accept: { text: 'acceptMessages.sql', name: 'accept_messages', tells: false },
  acceptAndTell: { text: 'acceptMessages.sql', name: 'accept_and_tell_messages', tells: true },
  settle: { text: 'settleMessages.sql', name: 'settle_messages', tells: false },
} as const satisfies Readonly<Record<string, Source>>

export type FunctionName = keyof typeof sources
export const functionNames = Object.keys(sources) as FunctionName[]

const listed = (columns: Readonly<Record<string, Column>>, as: (column: Column) => string) =>
  Object.values(columns).map(as).join(', ')
const arrayOf = (column: Column) => `all_${column.name} ${typeOf(column)}[]`

/** Written so that no index of the status is used. */
const areToLeave = mayLeave.statuses.map(status => `status IS NOT DISTINCT FROM '${status}'`)

/** What a mark of a text stands for. */
const marks: Readonly<Record<string, string>> = {
  'columns of a draft': listed(acceptedColumns, ({ name }) => name),
  'columns of a draft, an array of each': listed(acceptedColumns, arrayOf),
  'columns of a draft, of the one with the number n': listed(acceptedColumns, ({ name }) => `all_${name}[n]`),
  'columns of an end, an array of each': listed(endColumns, arrayOf),
  'columns of an end, each of the one with the number n': listed(endColumns, ({ name }) => `${name} = all_${name}[n]`),
  'it may leave': areToLeave.length === 1 ? areToLeave.join() : `(${areToLeave.join(' OR ')})`,
}

const telling = / *\/\* only where it tells \*\/\n(.*?) *\/\* so far \*\/\n/gs

export const versionedName = (of: FunctionName, version: number): string => `${sources[of].name}_${version}`

/** @returns the statement that makes a version of a function, with the columns and statuses of today */
export function render(of: FunctionName, version: number): string {
  const { text, tells } = sources[of]
  return readFileSync(join(import.meta.dir, text), 'utf8')
    .replace(telling, (_, told: string) => (tells ? told : ''))
    .replace(/(CREATE FUNCTION )\w+/, `$1${versionedName(of, version)}`)
    .replace(/\/\* (.+) \*\//g, (_, mark: string) => {
      const meaning = marks[mark]
      if (meaning === undefined) throw new Error(`${text} has an unknown mark: ${mark}`)
      return meaning
    })
}

/** @returns the versions of a function that some migrations make, oldest first */
export const versionsIn = (migrations: readonly string[], of: FunctionName): number[] =>
  migrations
    .flatMap(sql => [...sql.matchAll(new RegExp(`^CREATE FUNCTION ${sources[of].name}_(\\d+)\\(`, 'gm'))])
    .map(([, version]) => Number(version))
    .sort((one, other) => one - other)

/** Without comments, and each space alike: neither makes another function. */
const plain = (sql: string) => sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim()

/** @returns the newest version of a function in some migrations, if that is what its text makes today; else null */
export function presentIn(migrations: readonly string[], of: FunctionName): number | null {
  const newest = versionsIn(migrations, of).at(-1)
  if (newest === undefined) return null
  const today = plain(render(of, newest))
  return migrations.some(sql => plain(sql).includes(today)) ? newest : null
}
