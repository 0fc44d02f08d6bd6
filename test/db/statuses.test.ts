import { expect, test } from 'bun:test'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { hasStatus, statusText } from '../../db/schema/statuses.ts'
import { ownTables } from '../../db/sqlite/schema.ts'
import { hasFailed, isErasable, isPrunable, isUnsettled, not, type StatusQuestion } from '../../src/message/statuses.ts'

const { status } = ownTables.messages

test.each<[condition: string, question: StatusQuestion]>([
  ["status = 'FAILED'", hasFailed],
  ["status <> 'QUEUED'", isErasable],
  ["status = 'QUEUED'", not(isErasable)],
  ["status IN ('SCHEDULED', 'QUEUED', 'UNKNOWN')", isUnsettled],
  ["status NOT IN ('SCHEDULED', 'QUEUED', 'UNKNOWN')", isPrunable],
])('%s: a question names the fewer statuses, as text and with parameters alike', (condition, question) => {
  expect(statusText(question)).toBe(condition)
  const { sql, params } = new SQLiteSyncDialect().sqlToQuery(hasStatus(status, question))
  let at = 0
  const filled = sql.replaceAll('"messages"."status"', 'status').replaceAll('?', () => `'${params[at++]}'`)
  expect(filled.toLowerCase().replace(/[()]/g, '')).toBe(condition.toLowerCase().replace(/[()]/g, ''))
})
