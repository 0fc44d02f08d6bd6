import { describe, expect, test } from 'bun:test'
import { getTableColumns, getTableName } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import { fieldFilters } from '../../../db/messageFields.ts'
import {
  type FunctionName,
  functionNames,
  presentIn,
  render,
  versionedName,
} from '../../../db/postgres/functions/render.ts'
import { successorsOf } from '../../../db/postgres/functions/successors.ts'
import { functions } from '../../../db/postgres/functions/versions.ts'
import { MIGRATIONS } from '../../../db/postgres/migrations/list.ts'
import { tables } from '../../../db/postgres/schema/tables.ts'
import { eventFields } from '../../../db/rules/columns.ts'

const migrations = MIGRATIONS.map(({ sql }) => sql)

test.each(functionNames)(
  '%s: the newest migration of it makes what its text and the table say, and is called',
  name => {
    const version = presentIn(migrations, name)
    if (version === null || functions[name] !== versionedName(name, version))
      throw new Error(`${functions[name]} is not the function of today. Make its successor: bun run migration NAME`)
  },
)

/** What acceptance stores, without what is set later. The number of a message's last event begins at 1. */
const accepted: readonly (readonly [table: PgTable, later: readonly string[]])[] = [
  [tables.messages, ['sequence', ...eventFields]],
  [tables.messageContents, []],
  [tables.idempotencyKeys, []],
  [tables.flowSessions, ['closedAt', 'closedBy']],
]

describe.each<FunctionName>(['accept', 'acceptAndTell'])('%s', name => {
  test.each(accepted.map(([table, later]) => [getTableName(table), table, later] as const))(
    'stores every column of %s that a draft brings',
    (of, table, later) => {
      const [, inserted = ''] = new RegExp(`INSERT INTO ${of} [^(]*\\(([^)]*)\\)`).exec(render(name, 1)) ?? []
      const columns = Object.entries(getTableColumns(table)).filter(([field]) => !later.includes(field))
      expect(
        inserted
          .split(',')
          .map(column => column.trim())
          .sort(),
      ).toEqual(columns.map(([, { name }]) => name).sort())
    },
  )
})

describe('successors', () => {
  const [accept, acceptAndTell, settle] = functionNames.map(name => render(name, 1)) as [string, string, string]
  const first = {
    accept: 'accept_messages_1',
    acceptAndTell: 'accept_and_tell_messages_1',
    settle: 'settle_messages_1',
  }
  const older = accept.replace("'QUEUED'", "'SENT'")

  test('are made of what is in no migration', () => {
    expect(successorsOf([], [])).toEqual({ sql: [accept, acceptAndTell, settle].join('\n').trim(), called: first })
  })

  test('are not made of what differs in comments and spaces alone', () => {
    const commented = accept.replace(/--.*/g, '-- Another.').replaceAll('    ', '  ')
    expect(successorsOf([commented, acceptAndTell, settle], [])).toEqual({ sql: '', called: first })
  })

  test('have the next number, once', () => {
    const called = { ...first, accept: 'accept_messages_2' }
    const made = successorsOf([older, acceptAndTell, settle], [])
    expect(made).toEqual({ sql: render('accept', 2).trim(), called })
    expect(successorsOf([older, acceptAndTell, settle, made.sql], [])).toEqual({ sql: '', called })
  })

  test('that are released replace those before, which are dropped once', () => {
    const all = [older, acceptAndTell, settle, render('accept', 2)]
    expect(successorsOf(all, all.slice(0, 3)).sql).toBe('')
    const { sql } = successorsOf(all, all)
    expect(sql).toBe('DROP FUNCTION accept_messages_1;')
    expect(successorsOf([...all, `${sql}\n`], all).sql).toBe('')
  })
})

test('the index of a workspace has all that messages are filtered by without a walk: what is rare among them is found in it alone', () => {
  const index = getTableConfig(tables.messages).indexes.find(({ config }) => config.name === 'messages_workspace')
  const indexed = index?.config.columns.map(column => ('name' in column ? column.name : null))
  expect(indexed).toEqual(
    expect.arrayContaining(fieldFilters.filter(({ isWalked }) => !isWalked).map(({ column }) => column)),
  )
})
