import { eq, sql } from 'drizzle-orm'
import type { Message, MessageStatusView } from '../records.ts'
import { sharedReads } from '../rules/reads.ts'
import type { StoreReads } from '../store.ts'
import { engineOf } from './engine.ts'
import type { Connection } from './open.ts'
import { listOf, messageColumns, messageTables, statusViewColumns } from './rows.ts'
import { ownTables } from './schema.ts'
import type { SendReads } from './sendReads.ts'

const { contacts } = ownTables
const slot = sql.placeholder

/**
 * All reads but the settings', on a connection that cannot write. Those of the send and status paths are prepared once,
 * and look up one row by a unique key without a LIMIT: its bound parameter would make SQLite plan the statement anew at
 * each run.
 */
export function storeReads({ client, db }: Connection): Omit<StoreReads, keyof SendReads> {
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
  const message = client.query<Message, [{ id: string }]>(
    `SELECT ${listOf(messageColumns)} FROM ${messageTables} WHERE messages.id = $id`,
  )
  const statusView = client.query<MessageStatusView, [{ id: string }]>(
    `SELECT ${listOf(statusViewColumns)} FROM messages WHERE id = $id`,
  )

  return {
    ...sharedReads(engineOf({ client, db })),

    async contact({ workspaceId, contactId }) {
      const found = contactOf(contactId)
      return found?.workspaceId === workspaceId ? found : null
    },

    contactById: async id => contactOf(id),

    message: async id => message.get({ id }),

    statusView: async id => statusView.get({ id }),
  }
}
