import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { isUnsettled } from '../../../src/message/statuses.ts'
import { openDatabase, type TestDatabase } from '../fixtures.ts'
import { type Filter, fillMessages, filters } from '../searchedMessages.ts'
import { queryPlan } from './queryPlan.ts'

let db: TestDatabase
beforeAll(async () => {
  db = openDatabase()
  await fillMessages(db)
})
afterAll(() => db.close())

describe('no step reads more than it may', () => {
  /** How SQLite runs the statements of a step: the last of what is open finds what is not in its index. */
  async function plansOf(filter: Filter, cursor?: string): Promise<string[]> {
    const query = spyOn(db.reader.client, 'query')
    await db.read.searchMessages({ workspaceId: 'ws_1', ...filter, direction: 'older', cursor, limit: 3, scan: 5 })
    const statements = query.mock.calls.map(([sql]) => sql)
    query.mockRestore()
    return statements.map(sql => queryPlan(db, sql))
  }

  const indexOf = ({ recipient, reference, status, cause }: Filter) => {
    if (recipient !== undefined) return 'messages_recipient'
    if (reference !== undefined) return 'messages_reference'
    if (status && status.length > 1) return 'messages_workspace'
    if (status?.[0] === 'FAILED' || cause !== undefined) return 'messages_failed'
    const isOpen = isUnsettled.statuses.some(one => one === status?.[0])
    return isOpen ? 'messages_unsettled' : 'messages_workspace'
  }

  test.each(filters)('by %s: along one index, without sorting, with a bound on each side', async (_, filter) => {
    const { next } = await db.read.searchMessages({
      workspaceId: 'ws_1',
      ...filter,
      direction: 'older',
      limit: 1,
      scan: 2,
    })
    for (const cursor of [undefined, next ?? undefined]) {
      const plans = await plansOf(filter, cursor)
      const newest = plans[2]
      for (const plan of plans) {
        expect(plan).toStartWith('SEARCH messages USING')
        expect(plan).toMatch(plan === newest ? / USING INTEGER PRIMARY KEY \(rowid>\?\); / : ` ${indexOf(filter)} `)
        expect(plan).not.toContain('TEMP B-TREE')
      }
    }
    const [, filtering = ''] = await plansOf(filter)
    if (indexOf(filter) !== 'messages_unsettled') expect(filtering).toContain('created_at>? AND created_at<?')
  })
})
