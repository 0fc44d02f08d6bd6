import type { Contact } from '../records.ts'
import type { StoreReads } from '../store.ts'
import { coalesced } from './coalesce.ts'
import type { Connection } from './open.ts'
import { contactColumns, listOf } from './rows.ts'

/** The recipient of a send. */
export function contactReads({ query }: Connection): Pick<StoreReads, 'contact' | 'contactById'> {
  /** The contact of an id; for a merged one, the contact that it was merged into. */
  const contact = coalesced<string, Contact>(
    id => id,
    async ids => {
      const rows = await query<Contact & { asked: string }>(
        `SELECT named.id AS asked, ${listOf(contactColumns)}
         FROM contacts AS named JOIN contacts ON contacts.id = coalesce(named.merged_into, named.id)
         WHERE named.id = ANY($1::text[])`,
        [ids],
      )
      return new Map(rows.map(({ asked, ...found }) => [asked, found]))
    },
  )
  const contactOf = async (id: string) => (await contact(id)) ?? null

  return {
    async contact({ workspaceId, contactId }) {
      const found = await contactOf(contactId)
      return found?.workspaceId === workspaceId ? found : null
    },

    contactById: id => contactOf(id),
  }
}
