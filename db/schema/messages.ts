import { sql } from 'drizzle-orm'
import type { ReportEvent } from '../../src/message/state.ts'
import { hasFailed, isScheduled, isUnsettled, type MessageStatus } from '../../src/message/statuses.ts'
import type { MessageType } from '../../src/message/words.ts'
import type { Dialect } from './dialect.ts'
import { statusText } from './statuses.ts'

export function messageTablesOf(dialect: Dialect) {
  const { bytes, define, endOf, index, number, own, primaryKey, seq, small, text, uniqueIndex } = dialect
  const messages = define(
    'messages',
    {
      /**
       * In the order of acceptance; about so where several instances take numbers at once. Only the tables beside this
       * one and its indexes know of it.
       */
      seq: seq('seq'),
      id: text('id').notNull(),
      workspaceId: text('workspace_id').notNull(),
      /** The line, and with it the channel. A number, as the key's: an id takes 31 bytes, in each of a million rows. */
      lineSeq: number('line_seq').notNull(),
      contactId: text('contact_id'),
      /** `+` and digits, or the upstream's user id. */
      recipient: text('recipient').notNull(),
      type: text('type').$type<MessageType>().notNull(),
      /** The template's name; null for any other type. */
      templateName: text('template_name'),
      /** Computed from the columns below by the state machine; stored for the indexes. */
      status: text('status').$type<MessageStatus>().notNull(),
      /** The key that sent it; null: somebody in the console did. */
      apiKeySeq: number('api_key_seq'),
      idempotencyKey: text('idempotency_key'),
      /** The caller's `X-Request-Id`; null when it gave none. One of ours would add nothing to the log. */
      requestId: text('request_id'),
      /** The caller's own word for it. */
      reference: text('reference'),
      /** The id of the message that it repeats, which may be deleted by now; null for all but those of "Send again". */
      againOf: text('again_of'),
      createdAt: number('created_at').notNull(),
      dispatchedAt: number('dispatched_at'),
      acceptedAt: number('accepted_at'),
      reportedSentAt: number('reported_sent_at'),
      deliveredAt: number('delivered_at'),
      readAt: number('read_at'),
      failures: text('failures'),
      gaveUpAt: number('gave_up_at'),
      gaveUpReason: text('gave_up_reason'),
      lostAt: number('lost_at'),
      channelMessageId: text('channel_message_id'),
      waId: text('wa_id'),
      /** A number of src/message/pricing.ts. */
      pricing: small('pricing'),
      ownIdAt: number('own_id_at'),
      /** The number of its last event among all of its own; 1 is its acceptance. */
      sequence: number('sequence').notNull().default(1),
      /** Of the template; null for any other type, and for what was sent before it was kept. */
      templateLanguage: text('template_language'),
      /** When it is to leave; null: at once. */
      dueAt: number('due_at'),
      releasedAt: number('released_at'),
      cancelledAt: number('cancelled_at'),
      ...own.ownerColumns,
      ...own.messageColumns,
    },
    table => [
      uniqueIndex('messages_id').on(table.id),
      // Begins with the workspace, so that no list reads what others have. The end of its id is enough to tell
      // workspaces apart, and then the whole id is compared: with all of it, a send under load would write more to the
      // log, an eighth on SQLite and a twentieth on PostgreSQL.
      index('messages_recipient').on(
        endOf(sql`workspace_id`, 6),
        table.recipient,
        table.createdAt,
        ...own.bySeq(table.seq),
      ),
      // Only the messages that have one: who gives none pays nothing.
      index('messages_reference')
        .on(endOf(sql`workspace_id`, 6), table.reference, table.createdAt, ...own.bySeq(table.seq))
        .where(sql`reference IS NOT NULL`),
      // Only those that repeat another one: a send adds nothing to it.
      index('messages_again')
        .on(table.againOf, ...own.bySeq(table.seq))
        .where(sql`again_of IS NOT NULL`),
      index('messages_failed')
        .on(table.workspaceId, table.createdAt, ...own.bySeq(table.seq))
        .where(sql.raw(statusText(hasFailed))),
      // Callbacks name our id; this index is for the few that do not. The end of the upstream's id is enough to find a
      // row, and then the whole id is compared: the index has half the size that it would have with all 60 characters.
      index('messages_channel_message')
        .on(endOf(sql`channel_message_id`, 16))
        .where(sql`channel_message_id IS NOT NULL`),
      // Recovery and the settling job read only messages that are not settled: few rows, however many are stored.
      index('messages_unsettled')
        .on(table.status, endOf(sql`workspace_id`, 6), table.id)
        .where(sql.raw(own.unsettled(statusText(isUnsettled)))),
      // What is due is looked for line by line: one that has no room holds up no other.
      index('messages_due')
        .on(table.lineSeq, table.dueAt, ...own.bySeq(table.seq))
        .where(sql.raw(statusText(isScheduled))),
      ...own.ofMessages(table),
    ],
  )

  /**
   * The upstream request bodies. A table of its own: a message is rewritten at each of its events, and its body only
   * once, at its acceptance. The oldest contents are the first rows.
   */
  const messageContents = define('message_contents', {
    messageSeq: number('message_seq').primaryKey(),
    payload: text('payload').notNull(),
  })

  const messageEvents = define(
    'message_events',
    {
      messageSeq: number('message_seq').notNull(),
      kind: text('kind').notNull(),
      at: number('at').notNull(),
      /** JSON: the upstream's errors, codes and trace ids, and `callback`; empty when there is nothing to add. */
      detail: text('detail').notNull(),
      /** When it was recorded here. */
      recordedAt: number('recorded_at').notNull(),
    },
    // The key also makes a repeated callback one entry. Two failures of one second are two entries.
    table => [own.longKey('message_events_key', table.messageSeq, table.kind, table.at, table.detail)],
  )

  /** The keys of callers, one row for each scope and key; found by its message, and the oldest is the first row. */
  const idempotencyKeys = define(
    'idempotency_keys',
    {
      messageSeq: number('message_seq').primaryKey(),
      /** The scope of the API key, so that the keys of two systems never collide. */
      scope: text('scope').notNull(),
      key: text('key').notNull(),
      /** SHA-256 of the canonical body. */
      fingerprint: bytes('fingerprint').notNull(),
      expiresAt: number('expires_at').notNull(),
    },
    own.ofIdempotencyKeys,
  )

  /**
   * How many messages of a day became what, and of a month who sent them: see src/message/counts.ts. Day and month are
   * those of their acceptance.
   */
  const dailyCounts = define(
    'daily_counts',
    {
      workspaceId: text('workspace_id').notNull(),
      /** Calendar day in UTC, `2026-01-31`; for usage the month, `2026-01`. */
      day: text('day').notNull(),
      /** `DELIVERED`, `within:5`, `failed:131026`; `price:utility:DE`; `key:pk_1`, `line:ph_1`, `template:order`. */
      kind: text('kind').notNull(),
      count: number('count').notNull(),
    },
    table => [primaryKey({ columns: [table.workspaceId, table.day, table.kind] })],
  )

  const parkedReports = define(
    'parked_reports',
    {
      channelId: text('channel_id').notNull(),
      channelMessageId: text('channel_message_id').notNull(),
      status: text('status').$type<ReportEvent['status']>().notNull(),
      at: number('at').notNull(),
      detail: text('detail').notNull(),
      recordedAt: number('recorded_at').notNull(),
      reason: text('reason'),
      pricing: small('pricing'),
      /** That of its message's ids (src/message/sameMessage.ts); null for an id of another form. */
      token: text('token'),
      /** The line, and whom the update names: a message that gets another text of this id has to be theirs. */
      lineId: text('line_id'),
      phone: text('phone'),
      userId: text('user_id'),
    },
    table => [
      own.longKey('parked_reports_key', table.channelId, table.channelMessageId, table.status, table.at, table.detail),
      index('parked_reports_token').on(table.channelId, table.token).where(sql`token IS NOT NULL`),
      index('parked_reports_age').on(table.recordedAt),
    ],
  )

  const rateWindows = define(
    'rate_windows',
    {
      /** `ip:…` or `key:…`. */
      subject: text('subject').primaryKey(),
      startsAt: number('starts_at').notNull(),
      count: number('count').notNull(),
    },
    own.ofRateWindows,
  )

  return { messages, messageContents, messageEvents, idempotencyKeys, dailyCounts, parkedReports, rateWindows }
}
