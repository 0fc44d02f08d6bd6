import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { acceptFunctions } from '../../../db/postgres/drafts.ts'
import { tables } from '../../../db/postgres/schema/tables.ts'
import { reportedFields, settleFunction } from '../../../db/postgres/settlement.ts'
import { eventFields } from '../../../db/rules/columns.ts'

/*
 * The functions of a send name the columns that they store, and nothing but this compares them with the tables where no
 * server can be started. A function that lacks a column gets a successor, in a migration of its own.
 */

const folder = join(import.meta.dir, '../../../db/postgres/migrations')
const migrations = readdirSync(folder)
  .filter(name => name.endsWith('.sql'))
  .map(name => readFileSync(join(folder, name), 'utf8'))

/** @returns the text of a function, from its arguments to its end */
function textOf(name: string): string {
  const [text] = migrations.flatMap(sql => sql.split(`CREATE FUNCTION ${name}(`).slice(1))
  if (text === undefined) throw new Error(`No migration makes ${name}.`)
  return text.split('\n  $$;')[0] ?? ''
}

const listed = (text: string | undefined) => (text ?? '').split(',').map(part => part.trim().split(' = ')[0])

/** @returns the columns of a table but those of some fields, by their names */
const columnsBut = (table: PgTable, left: readonly string[]) =>
  Object.entries(getTableColumns(table)).flatMap(([field, { name }]) => (left.includes(field) ? [] : [name]))

/** What acceptance stores, without what is set later. The number of a message's last event begins at 1. */
const accepted: readonly (readonly [table: PgTable, later: readonly string[]])[] = [
  [tables.messages, ['sequence', ...eventFields]],
  [tables.messageContents, []],
  [tables.idempotencyKeys, []],
  [tables.flowSessions, ['closedAt', 'closedBy']],
]

describe.each(Object.values(acceptFunctions))('%s', name => {
  test.each(accepted.map(([table, later]) => [getTableName(table), columnsBut(table, later)] as const))(
    'stores every column of %s that a draft brings',
    (table, columns) => {
      const [, inserted] = new RegExp(`INSERT INTO ${table} [^(]*\\(([^)]*)\\)`).exec(textOf(name)) ?? []
      expect(listed(inserted).sort()).toEqual(columns.sort())
    },
  )
})

test(`${settleFunction} stores every column that the end of a message sets`, () => {
  const [, set] = /UPDATE messages SET (.*?)\s*FROM/s.exec(textOf(settleFunction)) ?? []
  const known = new Set<string>(['status', 'sequence', ...eventFields])
  const others = Object.keys(getTableColumns(tables.messages)).filter(field => !known.has(field))
  expect(listed(set).sort()).toEqual(columnsBut(tables.messages, [...others, ...reportedFields]).sort())
})
