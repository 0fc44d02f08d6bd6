import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableColumns } from 'drizzle-orm'
import { acceptFunctions } from '../../../db/postgres/drafts.ts'
import { tables } from '../../../db/postgres/schema/tables.ts'
import { eventFields, without } from '../../../db/rules/columns.ts'

const folder = join(import.meta.dir, '../../../db/postgres/migrations')
const migrations = readdirSync(folder)
  .filter(name => name.endsWith('.sql'))
  .map(name => readFileSync(join(folder, name), 'utf8'))

/** @returns the text of a function, from its arguments to its end */
const textOf = (name: string): string =>
  migrations.flatMap(sql => sql.split(`CREATE FUNCTION ${name}(`).slice(1))[0]?.split('\n  $$;')[0] ?? ''

const listed = (text: string | undefined) => (text ?? '').split(',').map(name => name.trim())

/** What acceptance sets of a message: all but its number of an event, which begins at 1, and what events set. */
const brought = Object.values(without(getTableColumns(tables.messages), 'sequence', ...eventFields))

// It needs no server: where none can be started, nothing else says it.
describe.each(Object.values(acceptFunctions))('%s', name => {
  const [, names, values] = /INSERT INTO messages \(([^)]*)\)\s*SELECT (.*?)\s*FROM offer/s.exec(textOf(name)) ?? []

  test('stores every column that a draft brings: a new one needs the next function, in a migration of its own', () => {
    expect(listed(names).sort()).toEqual(brought.map(column => column.name).sort())
  })

  test('has a value for each of them', () => {
    expect(listed(values).filter(value => value.toLowerCase() === 'null')).toEqual([])
    expect(listed(values)).toHaveLength(listed(names).length)
  })
})
