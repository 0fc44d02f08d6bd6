import { sql } from 'drizzle-orm'
import { changeKinds } from '../../src/message/kinds.ts'
import type { AccountTables } from './accounts.ts'
import type { Dialect } from './dialect.ts'

/** The number of the last word of either side, which orders conversations. Word for word as the indexes have it. */
export const lastWord = sql.raw('(CASE WHEN spoken_seq > heard_seq THEN spoken_seq ELSE heard_seq END)')

/** Word for word as the index of changes and deletions has it. */
export const isChange = sql.raw(`kind IN (${changeKinds.map(kind => `'${kind}'`).join(', ')})`)

export function contactTables(
  { define, endOf, index, json, number, primaryKey, reference, text, uniqueIndex }: Dialect,
  { workspaces }: AccountTables,
) {
  const contacts = define(
    'contacts',
    {
      id: text('id').primaryKey(),
      workspaceId: reference('workspace_id', () => workspaces.id),
      /** `+` and digits, as the upstream writes it. Null for a user who is known by the upstream's user id alone. */
      phone: text('phone'),
      /** When its number was last told by what leaves no message here, by the upstream's clock. */
      phoneToldAt: number('phone_told_at'),
      /** The upstream's id of the user for this business. */
      userId: text('user_id'),
      name: text('name'),
      createdAt: number('created_at').notNull(),
      updatedAt: number('updated_at').notNull(),
      /**
       * The contact that this one was merged into. It has no phone and no user id any more, and its id finds the other.
       */
      mergedInto: text('merged_into'),
      /**
       * The number of the last message from the person (`inbound_messages.seq`). Null: none, or it was forgotten. Where
       * a member began, the number of that: no message has it.
       */
      heardSeq: number('heard_seq'),
      /** The number at which a member last wrote to the person. A send of a key writes nothing here. */
      spokenSeq: number('spoken_seq').notNull().default(0),
      /** Up to which number the workspace has read what the person wrote. */
      readSeq: number('read_seq').notNull().default(0),
      /** When a member marked it as unread: what was answered before that is unread again. */
      unreadAt: number('unread_at'),
      /** Up to which number the conversation is done: what the person writes later opens it. */
      doneSeq: number('done_seq').notNull().default(0),
      /** The member who takes care of it, while it is open. */
      takenBy: text('taken_by'),
      /**
       * Without its `@`. Users change it and give it up, and others take it then: it shows who somebody is, no more.
       */
      username: text('username'),
      /** The lines on which the platform blocks the person. */
      blockedOn: json<readonly string[]>('blocked_on').notNull().default(sql`'[]'`),
    },
    table => [
      // Lists walk along it from the newest: the other indexes have no order, and the primary key covers all
      // workspaces.
      index('contacts_workspace').on(table.workspaceId, table.id),
      index('contacts_merged').on(table.mergedInto).where(sql`merged_into IS NOT NULL`),
      uniqueIndex('contacts_phone').on(table.workspaceId, table.phone),
      uniqueIndex('contacts_user').on(table.workspaceId, table.userId),
      // The people whom a campaign is for: who wrote last.
      index('contacts_heard').on(table.workspaceId, table.heardSeq).where(sql`heard_seq IS NOT NULL`),
      // The list of conversations, and those of them with something unread: few, however many people ever wrote.
      index('contacts_spoken').on(table.workspaceId, lastWord).where(sql`heard_seq IS NOT NULL`),
      index('contacts_unread').on(table.workspaceId, lastWord).where(sql`heard_seq > read_seq`),
      // How they are sorted: each list goes along its own, so that none looks at what another has.
      index('contacts_open').on(table.workspaceId, lastWord).where(sql`heard_seq > done_seq`),
      index('contacts_done').on(table.workspaceId, lastWord).where(sql`heard_seq <= done_seq`),
      index('contacts_free').on(table.workspaceId, lastWord).where(sql`heard_seq > done_seq AND taken_by IS NULL`),
      // Few: what a line that is removed was blocked on is found by it.
      index('contacts_blocked').on(table.workspaceId).where(sql`blocked_on <> '[]'`),
      index('contacts_taken').on(table.workspaceId, table.takenBy, lastWord).where(sql`taken_by IS NOT NULL`),
    ],
  )

  /** What the upstream has under another name now, kept as long as messages are: callbacks and messages name it. */
  const namesOf = (name: string, named: string) =>
    define(
      name,
      {
        workspaceId: text('workspace_id').notNull(),
        former: text(named).notNull(),
        /** The one that counts now; it is in no row a former one. */
        current: text(`current_${named}`).notNull(),
        /** When the upstream said so, by its clock. */
        at: number('at').notNull(),
        recordedAt: number('recorded_at').notNull(),
      },
      table => [
        primaryKey({ columns: [table.workspaceId, table.former] }),
        index(`${name}_current`).on(table.workspaceId, table.current),
        index(`${name}_age`).on(table.recordedAt),
      ],
    )

  /** User ids that a user has had, and left for another. */
  const formerUserIds = namesOf('former_user_ids', 'user_id')

  /** Spellings of a number by which a send reached it: the upstream answered with the number as it writes it. */
  const numberSpellings = namesOf('number_spellings', 'number')

  /** Messages of users, unchanged. Unknown kinds are kept too. */
  const inboundMessages = define(
    'inbound_messages',
    {
      channelId: text('channel_id').notNull(),
      channelMessageId: text('channel_message_id').notNull(),
      /** Null when the message names nobody. */
      contactId: text('contact_id'),
      lineId: text('line_id'),
      /** The upstream's word for what it is. */
      kind: text('kind').notNull(),
      at: number('at').notNull(),
      recordedAt: number('recorded_at').notNull(),
      /** The number that it shows the user to have from then on. */
      phone: text('phone'),
      /** The number that the user has left. */
      formerPhone: text('former_phone'),
      /** The upstream's message, JSON; `{}` once it is not kept any more. */
      content: text('content').notNull(),
      /**
       * Its number in the workspace, which its event has too. Both are null where it belongs to another workspace,
       * whose line it names.
       */
      workspaceId: text('workspace_id'),
      seq: number('seq'),
      /** The file that it brought; null: none, or it was erased. */
      fileId: text('file_id'),
    },
    table => [
      // The key also makes a repeated callback one entry.
      primaryKey({ columns: [table.channelId, table.channelMessageId] }),
      uniqueIndex('inbound_messages_seq').on(table.workspaceId, table.seq),
      // Lists of a contact and of a line go along them in the order of the numbers.
      index('inbound_messages_contact_seq').on(table.contactId, table.seq),
      index('inbound_messages_line_seq').on(table.lineId, table.seq),
      index('inbound_messages_contact').on(table.contactId, table.at),
      // One message has several ids, which end alike (src/message/sameMessage.ts).
      index('inbound_messages_token').on(endOf(sql`channel_message_id`, 16)),
      // Few: others are not in it.
      index('inbound_messages_changes').on(table.contactId, table.at).where(isChange),
      index('inbound_messages_age').on(table.recordedAt),
      index('inbound_messages_former_phone').on(table.formerPhone, table.at).where(sql`former_phone IS NOT NULL`),
      // Finds contents that are still to be emptied, however many are already empty.
      index('inbound_messages_content').on(table.recordedAt).where(sql`content <> '{}'`),
    ],
  )

  /** A flow that a contact was sent and has not answered yet. */
  const flowSessions = define(
    'flow_sessions',
    {
      /** The message that opened it. */
      messageId: text('message_id').primaryKey(),
      contactId: text('contact_id').notNull(),
      lineId: text('line_id').notNull(),
      flowToken: text('flow_token'),
      openedAt: number('opened_at').notNull(),
      closedAt: number('closed_at'),
      /** `refused`: nothing was opened after all. */
      closedBy: text('closed_by').$type<'reply' | 'revalidated' | 'refused'>(),
    },
    // Of all flows, not only of the open ones: then no index is written when one is closed.
    table => [index('flow_sessions_contact').on(table.contactId, table.openedAt)],
  )

  return { contacts, formerUserIds, numberSpellings, inboundMessages, flowSessions }
}
