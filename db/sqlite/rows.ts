import { and, eq, getTableColumns, isNull, type Placeholder, sql } from 'drizzle-orm'
import { apiKeys, planUsage, users, workspaces } from '../schema/accounts.ts'
import { channels, lines } from '../schema/channels.ts'
import { contacts } from '../schema/contacts.ts'
import { idempotencyKeys, messages } from '../schema/messages.ts'

/** What is read of a message. Its content lies elsewhere: only the sender and the operator need it. */
export const messageColumns = getTableColumns(messages)

const { channelId, lineId, contactId, recipient, type, apiKeyId, idempotencyKey, requestId, ...statusView } =
  messageColumns

/** What is read of a message that is polled. */
export const statusViewColumns = statusView

const { removedAt: _channelRemovedAt, ...shownChannelColumns } = getTableColumns(channels)
const { removedAt: _lineRemovedAt, ...shownLineColumns } = getTableColumns(lines)
/** What is read of channels and lines that are not removed: no other part knows of the removed ones. */
export const channelColumns = shownChannelColumns
export const lineColumns = shownLineColumns
export const isChannelThere = isNull(channels.removedAt)
export const isLineThere = isNull(lines.removedAt)

/** The upstream's id of a message, through its index: the condition and the expression stand there word for word. */
export const isChannelMessage = (id: string | Placeholder) =>
  and(
    sql`channel_message_id IS NOT NULL`,
    sql`substr(channel_message_id, -16) = substr(${id}, -16)`,
    eq(messages.channelMessageId, id),
  )

/** The condition of the partial index, word for word: without it beside a status, the planner reads every message. */
export const isUnsettled = sql`status IN ('QUEUED', 'UNKNOWN')`

/** A workspace's limit and what is counted against it in a month; `used` is null before the month's first message. */
export const planColumns = { limit: workspaces.monthlyMessageLimit, used: planUsage.used }
export interface PlanRow {
  readonly limit: number | null
  readonly used: number | null
}

const { secretHash: _secretHash, ...shownKeyColumns } = getTableColumns(apiKeys)
/** What is read of an API key: everything but the hash of its secret, which only authentication needs. */
export const keyColumns = shownKeyColumns

const { mergedInto: _mergedInto, ...shownContactColumns } = getTableColumns(contacts)
export const contactColumns = shownContactColumns

const { passwordHash: _passwordHash, ...shownUserColumns } = getTableColumns(users)
/** What is read of a user: everything but the hash of the password, which only signing in needs. */
export const userColumns = shownUserColumns

const { fingerprint, messageId, expiresAt } = idempotencyKeys
/** What an idempotency key stands for. */
export const usedKeyColumns = { fingerprint, messageId, expiresAt }
export type UsedKey = Pick<typeof idempotencyKeys.$inferSelect, keyof typeof usedKeyColumns>
