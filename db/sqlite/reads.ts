import { and, asc, desc, eq, getTableColumns, gt, gte, isNull, ne, sql } from 'drizzle-orm'
import type { Message, MessageStatusView } from '../records.ts'
import type { StoreReads } from '../store.ts'
import { auditReads } from './auditReads.ts'
import { contactSearch } from './contactSearch.ts'
import { waitingFor } from './erasure.ts'
import { memberReads } from './members.ts'
import { messageReads } from './messageReads.ts'
import { messageSearch } from './messageSearch.ts'
import type { Connection } from './open.ts'
import {
  channelColumns,
  contactColumns,
  isChannelThere,
  keyColumns,
  listOf,
  messageColumns,
  messageTables,
  statusViewColumns,
} from './rows.ts'
import {
  apiKeys,
  callbackReceipts,
  channels,
  contacts,
  flowSessions,
  inboundMessages,
  mediaUploads,
  messageEvents,
  messages,
  properties,
  rateWindows,
  templates,
  upstreamUpdates,
  workspaces,
} from './schema.ts'
import { secondFactorReads } from './secondFactor.ts'
import type { SettingsReads } from './settings.ts'
import { userReads } from './users.ts'

const slot = sql.placeholder

/** Of what others make grow: events of one message, flows of one contact. Shown to the operator, nothing is decided by it. */
const shownMax = 1_000

/**
 * All reads but the settings', on a connection that cannot write. Those of the send and status paths are prepared once,
 * and look up one row by a unique key without a LIMIT: its bound parameter would make SQLite plan the statement anew at
 * each run.
 */
export function storeReads({ client, db }: Connection): Omit<StoreReads, keyof SettingsReads> {
  const contact = db
    .select()
    .from(contacts)
    .where(eq(contacts.id, slot('contactId')))
    .prepare()
  /** The contact of an id; of one that was merged, the contact that it turned out to be. */
  const contactOf = (contactId: string) => {
    const named = contact.get({ contactId })
    const found = named?.mergedInto ? contact.get({ contactId: named.mergedInto }) : named
    if (!found) return null
    const { mergedInto, ...shown } = found
    return shown
  }
  const media = db
    .select({ mediaId: mediaUploads.mediaId })
    .from(mediaUploads)
    .where(
      and(
        eq(mediaUploads.lineId, slot('lineId')),
        eq(mediaUploads.link, slot('link')),
        eq(mediaUploads.format, slot('format')),
        gt(mediaUploads.expiresAt, slot('at')),
      ),
    )
    .prepare()
  const message = client.query<Message, [{ id: string }]>(
    `SELECT ${listOf(messageColumns)} FROM ${messageTables} WHERE messages.id = $id`,
  )
  const statusView = client.query<MessageStatusView, [{ id: string }]>(
    `SELECT ${listOf(statusViewColumns)} FROM messages WHERE id = $id`,
  )

  return {
    property: async name => db.select().from(properties).where(eq(properties.name, name)).limit(1).get()?.value ?? null,

    workspaces: async () => db.select().from(workspaces).orderBy(asc(workspaces.id)).all(),

    workspace: async id => db.select().from(workspaces).where(eq(workspaces.id, id)).limit(1).get() ?? null,

    keys: async workspaceId =>
      db
        .select(keyColumns)
        .from(apiKeys)
        .where(eq(apiKeys.workspaceId, workspaceId))
        .orderBy(asc(apiKeys.createdAt))
        .all(),

    channels: async workspaceId =>
      db
        .select(channelColumns)
        .from(channels)
        .where(and(isChannelThere, workspaceId === null ? undefined : eq(channels.workspaceId, workspaceId)))
        .orderBy(asc(channels.id))
        .all(),

    callbackReceipts: async () => db.select().from(callbackReceipts).all(),

    template: async id => db.select().from(templates).where(eq(templates.id, id)).limit(1).get() ?? null,

    async templates({ workspaceId, approved, name }) {
      const rows = db
        .select({ template: templates })
        .from(templates)
        .innerJoin(channels, eq(channels.id, templates.channelId))
        .where(
          and(
            eq(channels.workspaceId, workspaceId),
            isChannelThere,
            approved ? eq(templates.status, 'APPROVED') : ne(templates.status, 'DELETED'),
            name === undefined ? undefined : eq(templates.name, name),
          ),
        )
        .orderBy(asc(templates.name), asc(templates.language), asc(templates.id))
        .all()
      return rows.map(row => row.template)
    },

    async contact({ workspaceId, contactId }) {
      const found = contactOf(contactId)
      return found?.workspaceId === workspaceId ? found : null
    },

    contactById: async id => contactOf(id),

    waitingFor: async query => waitingFor(db, query),

    ...contactSearch({ client, db }),

    contacts: async ({ workspaceId, limit }) =>
      db
        .select(contactColumns)
        .from(contacts)
        .where(and(eq(contacts.workspaceId, workspaceId), isNull(contacts.mergedInto)))
        .orderBy(desc(contacts.id))
        .limit(limit)
        .all(),

    message: async id => message.get({ id }),

    statusView: async id => statusView.get({ id }),

    ...messageReads({ client, db }),
    ...messageSearch({ client, db }),
    ...auditReads({ client, db }),
    ...userReads({ client, db }),
    ...memberReads({ client, db }),
    ...secondFactorReads({ client, db }),

    async timeline(messageId) {
      const { messageSeq, ...shown } = getTableColumns(messageEvents)
      const rows = db
        .select(shown)
        .from(messages)
        .innerJoin(messageEvents, eq(messageSeq, messages.seq))
        .where(eq(messages.id, messageId))
        .orderBy(asc(messageEvents.at), asc(messageEvents.recordedAt))
        .limit(shownMax)
        .all()
      return rows.map(({ detail, ...entry }) => ({
        ...entry,
        detail: detail === '' ? null : JSON.parse(detail),
      }))
    },

    async inbound({ contactId, limit }) {
      const rows = db
        .select()
        .from(inboundMessages)
        .where(eq(inboundMessages.contactId, contactId))
        .orderBy(desc(inboundMessages.at))
        .limit(limit)
        .all()
      return rows.map(({ channelMessageId, lineId, kind, at, recordedAt, content }) => ({
        channelMessageId,
        lineId,
        kind,
        at,
        recordedAt,
        content: JSON.parse(content),
      }))
    },

    async updates(subject) {
      const rows = db
        .select()
        .from(upstreamUpdates)
        .where(eq(upstreamUpdates.subject, subject))
        .orderBy(desc(upstreamUpdates.at))
        .all()
      return rows.map(({ kind, at, detail }) => ({ kind, at, detail: JSON.parse(detail) }))
    },

    flowSessions: async contactId =>
      db
        .select()
        .from(flowSessions)
        .where(eq(flowSessions.contactId, contactId))
        .orderBy(desc(flowSessions.openedAt))
        .limit(shownMax)
        .all(),

    async media({ at, ...link }) {
      const upload = media.get({ ...link, at })
      return upload?.mediaId ?? null
    },

    rateWindows: async startedSince =>
      db.select().from(rateWindows).where(gte(rateWindows.startsAt, startedSince)).all(),
  }
}
