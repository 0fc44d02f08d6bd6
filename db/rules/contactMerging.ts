import { eq, inArray, lt, max, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/base/clock.ts'
import type { NewEvent } from '../contract/events.ts'
import type { Contact } from '../contract/records.ts'
import { notHeard } from './conversations.ts'
import type { Engine } from './engine.ts'

/** Stores fields of a contact, and adds the event of what changed to `told`. */
type Change = (
  contact: Contact,
  fields: Pick<Contact, 'updatedAt'> & Partial<Contact>,
  told: NewEvent[],
) => Promise<Contact>

/**
 * @returns what merges contacts that turned out to be of one person into the oldest of them, and gives undefined for
 *   none. The caller has locked the contacts of the workspace
 */
export function contactMerging({ db, tables }: Engine, change: Change) {
  const { contacts, flowSessions, inboundMessages, upstreamUpdates } = tables

  /**
   * Merges two contacts of the same person. The history of the other contact moves, and its id finds the one that
   * stays. Messages keep the id that they were sent to.
   */
  async function merge(
    stays: Contact,
    goes: Contact,
    { username, updatedAt }: Pick<Contact, 'username' | 'updatedAt'>,
    told: NewEvent[],
  ): Promise<Contact> {
    for (const table of [inboundMessages, flowSessions]) {
      await db.update(table).set({ contactId: stays.id }).where(eq(table.contactId, goes.id))
    }
    await moveUpdates(goes.id, stays.id)
    await db.update(contacts).set({ mergedInto: stays.id }).where(eq(contacts.mergedInto, goes.id))
    const { heardSeq, readSeq, doneSeq, takenBy, phoneToldAt } = contacts
    const ofBoth = (mark: SQL) =>
      sql`(SELECT ${mark} FROM ${contacts} WHERE ${inArray(contacts.id, [stays.id, goes.id])})`
    // What nobody has read of one stays unread, even if later words of the other then count again. So what is open.
    const earlier = (mark: SQLWrapper) =>
      ofBoth(sql`coalesce(min(CASE WHEN ${heardSeq} > ${mark} THEN ${mark} END), max(${mark}))`)
    const marks = {
      ...{ heardSeq: ofBoth(max(heardSeq)), readSeq: earlier(readSeq), doneSeq: earlier(doneSeq) },
      phoneToldAt: ofBoth(max(phoneToldAt)),
      takenBy: sql`coalesce(${takenBy}, (SELECT taken_by FROM ${contacts} WHERE ${eq(contacts.id, goes.id)}))`,
    }
    await db.update(contacts).set(marks).where(eq(contacts.id, stays.id))
    // In this order, because a number belongs to one contact at a time.
    const merged = { ...notHeard, mergedInto: stays.id, phone: null, userId: null, updatedAt }
    await db.update(contacts).set(merged).where(eq(contacts.id, goes.id))
    const all = {
      phone: stays.phone ?? goes.phone,
      userId: stays.userId ?? goes.userId,
      name: stays.name ?? goes.name,
      username,
      updatedAt,
    }
    return change(stays, all, told)
  }

  /** The later of two updates of one kind stays, so that no opt-out is lost. */
  async function moveUpdates(from: string, to: string): Promise<void> {
    const isMoved = eq(upstreamUpdates.subject, from)
    for (const update of await db.select().from(upstreamUpdates).where(isMoved)) {
      const { at, recordedAt, detail } = update
      await db
        .insert(upstreamUpdates)
        .values({ ...update, subject: to })
        .onConflictDoUpdate({
          target: [upstreamUpdates.subject, upstreamUpdates.kind],
          set: { at, recordedAt, detail },
          setWhere: lt(upstreamUpdates.at, at),
        })
    }
    await db.delete(upstreamUpdates).where(isMoved)
  }

  async function mergeAll(
    found: readonly Contact[],
    updatedAt: EpochMs,
    told: NewEvent[],
  ): Promise<Contact | undefined> {
    const [oldest, ...others] = [...found].sort((one, other) => one.createdAt - other.createdAt)
    const [{ username = null } = {}] = found
      .filter(one => one.username !== null)
      .sort((one, other) => other.updatedAt - one.updatedAt)
    let stays = oldest
    for (const goes of others) stays = stays && (await merge(stays, goes, { username, updatedAt }, told))
    return stays
  }

  return mergeAll
}
