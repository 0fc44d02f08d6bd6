import { getTableColumns, sql } from 'drizzle-orm'
import type { MessageStatus } from '../../src/messages/state.ts'
import type { Message, MessageType } from '../records.ts'
import { messages } from '../schema.ts'

const { payload: _payload, ...columns } = getTableColumns(messages)

/** What is read of a message: everything but the payload, which only the sender needs. */
export const messageColumns = columns

export type MessageRow = Omit<typeof messages.$inferSelect, 'payload'>

/** Only this program writes the two columns, and it writes them from these types. */
export const toMessage = (row: MessageRow): Message => ({
  ...row,
  type: row.type as MessageType,
  status: row.status as MessageStatus,
})

/** The condition of the partial index, word for word: without it beside a status, the planner reads every message. */
export const isUnsettled = sql`status IN ('QUEUED', 'UNKNOWN')`
