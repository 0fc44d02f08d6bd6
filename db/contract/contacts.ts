import type { EpochMs } from '../../src/base/clock.ts'
import type { ContactSearch, FoundContacts } from './queries.ts'
import type { Contact } from './records.ts'

/** The reads of the store that find contacts. */
export interface ContactReads {
  /** The id of a merged contact finds the contact that it was merged into. */
  contact(query: { workspaceId: string; contactId: string }): Promise<Contact | null>
  /** In any workspace: only for the operator. */
  contactById(contactId: string): Promise<Contact | null>
  contacts(query: { workspaceId: string; limit: number }): Promise<Contact[]>
  /**
   * The contacts that have these numbers or user ids of the upstream's, or had these user ids, by number, by its other
   * spellings and by user id.
   */
  contactsAt(query: { workspaceId: string; addresses: readonly string[] }): Promise<ReadonlyMap<string, Contact>>
  /** The user ids that the user with this one had before, the last first. */
  formerUserIds(query: { workspaceId: string; userId: string }): Promise<readonly string[]>
  /** How the upstream writes a number that was sent to in this way, and when that was kept; null: as it was sent. */
  spelling(query: {
    workspaceId: string
    spelling: string
  }): Promise<{ readonly number: string; readonly recordedAt: EpochMs } | null>
  /** A number as the upstream writes it, and then all other spellings of it that sends have shown, the last first. */
  spellings(query: { workspaceId: string; number: string }): Promise<readonly string[]>
  /** A bounded step of a search. */
  searchContacts(search: ContactSearch): Promise<FoundContacts>
}
