import type { Database } from 'bun:sqlite'
import { getTableColumns } from 'drizzle-orm'
import { countsOf, dayOf } from '../../src/message/counts.ts'
import { monthOf } from '../../src/message/plan.ts'
import { beganAtOf, type MessageRecord } from '../../src/message/state.ts'
import { mayLeave } from '../../src/message/statuses.ts'
import { movedFields, only } from '../rules/columns.ts'
import type { Uncounted } from '../rules/engine.ts'
import { statusText } from '../schema/statuses.ts'
import type { Row } from '../schema/tables.ts'
import { listOf } from './rows.ts'
import { ownTables } from './schema.ts'

/*
 * What a send would write for those who count and list, and write again at its end: four of thirteen pages. A message
 * up to the mark is counted in `plan_usage` and `daily_counts`, as it is at each commit, and is in `messages_unsettled`
 * as long as it is not settled. What a later one adds is worked out from its row, by who reads and by who moves the
 * mark: nothing is remembered, so a kill forgets nothing.
 */

/** The property of the database that holds the last message that is counted. Without it, all are. */
const property = 'counted'
const mark = `(SELECT CAST(value AS INTEGER) FROM properties WHERE name = '${property}')`

/**
 * How many messages behind the mark count in the plan of a month: what waits for its time counts when it is released.
 * The plus keeps SQLite from the index that has all messages of the workspace.
 */
export const uncountedInMonth = `(SELECT count(*) FROM messages WHERE seq > ${mark}
  AND +workspace_id = $workspaceId AND due_at IS NULL
  AND strftime('%Y-%m', created_at / 1000, 'unixepoch') = $month)`

/** Whether the index of what is not settled has a message, as long as it is not settled. */
export type Listed = { readonly listed: 1 | null }

/** @returns what is stored of a message that is not listed yet: what is under way is not, until the mark passes it */
export const listedAs = ({ status, dispatchedAt }: Pick<Row<'messages'>, 'status' | 'dispatchedAt'>): Listed => ({
  listed: mayLeave(status) && dispatchedAt !== null ? null : 1,
})

/** The messages that are under way and not listed: all of them are behind the mark. */
export const isUnlisted = `messages.seq > ${mark} AND listed IS NULL AND +${statusText(mayLeave, 'messages.status')}`

/** What counts go by. */
const fields = ['seq', 'workspaceId', 'recipient', 'createdAt', ...movedFields] as const
type Behind = MessageRecord & Pick<Row<'messages'>, 'seq' | 'workspaceId' | 'recipient' | 'status'> & Listed

/** @returns reads what the messages behind the mark add; `last` is the last of them */
export function readingUncounted(client: Database): () => Uncounted & { readonly last: number | null } {
  const columns = listOf(only(getTableColumns(ownTables.messages), fields))
  const behind = client.query<Behind, []>(`SELECT ${columns}, listed FROM messages WHERE seq > ${mark} ORDER BY seq`)
  return () => {
    const messages = behind.all()
    const months = new Map<string, Row<'planUsage'>>()
    const days = new Map<string, Row<'dailyCounts'>>()
    for (const message of messages) {
      const { workspaceId, createdAt, dueAt } = message
      if (dueAt === null) {
        const month = monthOf(createdAt)
        const key = `${workspaceId} ${month}`
        months.set(key, { workspaceId, month, used: (months.get(key)?.used ?? 0) + 1 })
      }
      const day = dayOf(beganAtOf(message))
      for (const kind of countsOf(message)) {
        const key = `${workspaceId} ${day} ${kind}`
        days.set(key, { workspaceId, day, kind, count: (days.get(key)?.count ?? 0) + 1 })
      }
    }
    const underWay = messages.filter(({ listed, status }) => listed === null && mayLeave(status))
    return {
      months: [...months.values()],
      days: [...days.values()],
      underWay: underWay.map(({ workspaceId }) => workspaceId),
      last: messages.at(-1)?.seq ?? null,
    }
  }
}

/** The mark, for who writes. */
export function countMark(client: Database) {
  const read = client.query<{ seq: number | null }, []>(`SELECT ${mark} AS seq`)
  const put = client.query<never, [string]>(
    `INSERT INTO properties (name, value) VALUES ('${property}', ?)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  )
  const list = client.query<never, []>(`UPDATE messages SET listed = 1 WHERE ${isUnlisted}`)
  return {
    read: () => read.get()?.seq ?? Number.POSITIVE_INFINITY,
    put: (seq: number) => put.run(String(seq)),
    /** Lists what is behind it. */
    list: () => list.run(),
    remove: () => client.run(`DELETE FROM properties WHERE name = '${property}'`),
  }
}
