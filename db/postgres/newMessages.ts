import { type Column, getTableColumns } from 'drizzle-orm'
import type { MessageDraft } from '../records.ts'
import { type Connection, jsonRows } from './open.ts'
import type { flowSessions as flowSessionTable } from './schema/contacts.ts'
import { messages } from './schema/messages.ts'

const { acceptedAt, reportedSentAt, deliveredAt, readAt, failures, gaveUpAt, ...kept } = getTableColumns(messages)
const { gaveUpReason, lostAt, channelMessageId, waId, ...columns } = kept

/** All of a message but what its events set: a column that acceptance forgets is a type error. */
export type NewMessage = Pick<typeof messages.$inferSelect, keyof typeof columns>

const entries = Object.entries<Column>(columns)
const insertMessages = `INSERT INTO messages (${entries.map(([, { name }]) => name).join(', ')})
  SELECT ${entries.map(([field]) => `"${field}"`).join(', ')} FROM json_to_recordset($1::text::json) AS accepted (
    ${entries.map(([field, { dataType }]) => `"${field}" ${dataType === 'number' ? 'bigint' : 'text'}`).join(', ')})`

/** Stores messages and their contents. */
export async function putMessages(
  { query }: Connection,
  accepted: readonly { readonly message: NewMessage; readonly payload: string }[],
): Promise<void> {
  await query(insertMessages, [jsonRows(accepted.map(({ message }) => message))])
  await query(
    `INSERT INTO message_contents (message_seq, payload)
     SELECT seq, payload FROM json_to_recordset($1::text::json) AS content (seq bigint, payload text)`,
    [jsonRows(accepted.map(({ message, payload }) => ({ seq: message.seq, payload })))],
  )
}

type FlowDraft = Pick<MessageDraft, 'id' | 'lineId' | 'createdAt' | 'opensFlow' | 'closesFlows'>
type ClosedBy = NonNullable<typeof flowSessionTable.$inferSelect.closedBy>
const closedBy: ClosedBy = 'revalidated'

/**
 * docs/partner-api.md#flow-sessions: a message closes active flows before it opens its own, and only on the line that the
 * send named.
 * @param drafts in the order of their acceptance: a later one also closes what an earlier one opens
 */
export async function moveFlows({ query }: Connection, drafts: readonly FlowDraft[]): Promise<void> {
  const closings = drafts.flatMap(({ closesFlows, createdAt }) =>
    closesFlows ? [{ ...closesFlows, at: createdAt }] : [],
  )
  if (closings.length > 0) {
    await query(
      `UPDATE flow_sessions SET closed_at = at, closed_by = '${closedBy}'
       FROM json_to_recordset($1::text::json) AS closing ("contactId" text, "lineId" text, at bigint)
       WHERE contact_id = "contactId" AND closed_at IS NULL AND ("lineId" IS NULL OR line_id = "lineId")`,
      [jsonRows(closings)],
    )
  }
  const opened = drafts.flatMap(({ id, lineId, createdAt, opensFlow }, at) => {
    if (!opensFlow) return []
    const closing = drafts
      .slice(at + 1)
      .find(
        ({ closesFlows }) =>
          closesFlows?.contactId === opensFlow.contactId && (closesFlows.lineId ?? lineId) === lineId,
      )
    const closedAt = closing?.createdAt ?? null
    return [{ messageId: id, ...opensFlow, lineId, openedAt: createdAt, closedAt, closedBy: closing ? closedBy : null }]
  })
  if (opened.length > 0) {
    await query(
      `INSERT INTO flow_sessions (message_id, contact_id, line_id, flow_token, opened_at, closed_at, closed_by)
       SELECT "messageId", "contactId", "lineId", "flowToken", "openedAt", "closedAt", "closedBy"
       FROM json_to_recordset($1::text::json) AS opened ("messageId" text, "contactId" text, "lineId" text,
         "flowToken" text, "openedAt" bigint, "closedAt" bigint, "closedBy" text)`,
      [jsonRows(opened)],
    )
  }
}
