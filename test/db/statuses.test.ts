import { expect, test } from 'bun:test'
import { getTableConfig, SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { hasStatus, statusText } from '../../db/schema/statuses.ts'
import { ownTables } from '../../db/sqlite/schema.ts'
import { hasFailed, isErasable, isPrunable, isUnsettled, not, type StatusQuestion } from '../../src/message/statuses.ts'

const { status } = ownTables.messages

test.each<[text: string, withParameters: string, question: StatusQuestion]>([
  ["status = 'FAILED'", "status = 'FAILED'", hasFailed],
  ["status <> 'QUEUED'", "status <> 'QUEUED'", isErasable],
  ["status = 'QUEUED'", "status = 'QUEUED'", not(isErasable)],
  [
    "(status = 'SCHEDULED' OR status = 'QUEUED' OR status = 'UNKNOWN')",
    "status in ('SCHEDULED', 'QUEUED', 'UNKNOWN')",
    isUnsettled,
  ],
  [
    "(status <> 'SCHEDULED' AND status <> 'QUEUED' AND status <> 'UNKNOWN')",
    "status not in ('SCHEDULED', 'QUEUED', 'UNKNOWN')",
    isPrunable,
  ],
])('%s: a question names the fewer statuses, as text and with parameters alike', (text, withParameters, question) => {
  expect(statusText(question)).toBe(text)
  const { sql, params } = new SQLiteSyncDialect().sqlToQuery(hasStatus(status, question))
  let at = 0
  const filled = sql.replaceAll('"messages"."status"', 'status').replaceAll('?', () => `'${params[at++]}'`)
  expect(filled).toBe(withParameters)
})

test('no condition of an index of messages has a list: SQLite makes a table of it with each change', () => {
  const { indexes } = getTableConfig(ownTables.messages)
  const conditions = indexes.flatMap(({ config: { where } }) =>
    where ? [new SQLiteSyncDialect().sqlToQuery(where).sql] : [],
  )
  expect(conditions.length).toBeGreaterThan(0)
  expect(conditions.filter(condition => /\bIN\b/i.test(condition))).toEqual([])
})
