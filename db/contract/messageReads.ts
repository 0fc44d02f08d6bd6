import type { EpochMs } from '../../src/base/clock.ts'
import type { DailyCount } from '../../src/message/counts.ts'
import type { FoundMessages, MessageSearch, MonthlyUsage, OpenCount, UsageQuery } from './queries.ts'
import type { Message, MessageQuery, MessageStatusView, TimelineEntry } from './records.ts'

/** Who sent a message in the console. */
export interface MessageAuthor {
  /** Null: there is no such account any more. */
  readonly userId: string | null
  /** The name of today, else the email address. */
  readonly name: string
}

/** The reads of the store that find messages and count them. */
export interface MessageReads {
  message(messageId: string): Promise<Message | null>
  statusView(messageId: string): Promise<MessageStatusView | null>
  /** Newest first. What is QUEUED or UNKNOWN is found in the order of the ids. */
  messages(query: MessageQuery): Promise<Message[]>
  /** A bounded step of a search, in the same order. */
  searchMessages(search: MessageSearch): Promise<FoundMessages>
  /** By our id, else by the upstream's, else by an idempotency key, which several callers may have used. */
  messagesReferred(query: { reference: string; workspaceId?: string }): Promise<Message[]>
  /** The upstream request body, as long as it is kept. */
  messageContent(messageId: string): Promise<string | null>
  /** The upstream request bodies of many messages, as long as they are kept, by the messages' ids. */
  messageContents(messageIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Who sent these messages in the console, or made these batches, as long as the audit tells, by their ids. */
  authors(ids: readonly string[]): Promise<ReadonlyMap<string, MessageAuthor>>
  /** How many messages of the workspace are QUEUED, and how many are UNKNOWN: the oldest `max` of each are counted. */
  openMessages(query: { workspaceId: string; max: number }): Promise<OpenCount>
  /** How many messages are UNKNOWN, and since when the oldest of them is. */
  unknownMessages(): Promise<{ count: number; since: EpochMs | null }>
  /** How many messages were handed over since, by line: the `among` that were accepted last are looked at. */
  handedOverSince(query: { since: EpochMs; among: number }): Promise<{ lineId: string; count: number }[]>
  /** The daily counts of a workspace from `since` (`2026-01-31`) on, by day and kind. */
  dailyCounts(query: { workspaceId: string; since: string }): Promise<DailyCount[]>
  /** Whether a message of the workspace was ever delivered, according to its daily counts. */
  hasDelivered(workspaceId: string): Promise<boolean>
  /** The counts against the monthly limits, latest month first. Without a workspace or month: all of them. */
  usage(query: UsageQuery): Promise<MonthlyUsage[]>
  /** The ids of the messages that repeat this one, newest first: the last 20. */
  sentAgainAs(messageId: string): Promise<string[]>
  /** Oldest first: the first 1,000. */
  timeline(messageId: string): Promise<TimelineEntry[]>
}
