import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/clock.ts'
import type { Contact, Inbound } from '../records.ts'
import type { Connection } from './open.ts'
import { contactColumns, listOf, valuesOf } from './rows.ts'
import { contacts, flowSessions, inboundMessages, upstreamUpdates } from './schema.ts'

type IdentityChange = NonNullable<Inbound['identityChange']>

/**
 * Which contact a number or a user id belongs to. A message must never go to the wrong person, so a number is removed
 * from a contact as soon as the upstream shows that another person has it. Callbacks may come days late and in any
 * order. One that is older than the person's last message only fills empty fields.
 */
export function identities({ client, db }: Connection) {
  const columns = listOf(contactColumns)
  const byPhone = client.query<Contact, [{ workspaceId: string; phone: string }]>(
    `SELECT ${columns} FROM contacts WHERE workspace_id = $workspaceId AND phone = $phone`,
  )
  const byUserId = client.query<Contact, [{ workspaceId: string; userId: string }]>(
    `SELECT ${columns} FROM contacts WHERE workspace_id = $workspaceId AND user_id = $userId`,
  )
  const put = client.query<never, [typeof contacts.$inferSelect]>(
    `INSERT INTO contacts ${valuesOf(getTableColumns(contacts))}`,
  )
  const set = client.query<never, [Pick<Contact, 'id' | 'phone' | 'userId' | 'name' | 'updatedAt'>]>(
    `UPDATE contacts SET phone = $phone, user_id = $userId, name = $name, updated_at = $updatedAt WHERE id = $id`,
  )
  // By both clocks: a message that is dated years ahead must not make all later ones seem old.
  const isSince = 'inbound_messages.at > $since AND inbound_messages.recorded_at > $since'
  const writtenSince = client.query<{ at: EpochMs }, [{ contactId: string; since: EpochMs }]>(
    `SELECT at FROM inbound_messages WHERE contact_id = $contactId AND ${isSince} LIMIT 1`,
  )
  const shownSince = client.query<{ at: EpochMs }, [{ contactId: string; since: EpochMs }]>(
    `SELECT at FROM inbound_messages WHERE contact_id = $contactId AND ${isSince} AND phone IS NOT NULL
     ORDER BY at DESC LIMIT 1`,
  )
  const formerSince = client.query<Contact, [{ workspaceId: string; phone: string; since: EpochMs }]>(
    `SELECT ${columns} FROM inbound_messages JOIN contacts ON contacts.id = inbound_messages.contact_id
     WHERE contacts.workspace_id = $workspaceId AND inbound_messages.former_phone = $phone AND ${isSince}
     ORDER BY inbound_messages.at LIMIT 1`,
  )

  const withPhone = (workspaceId: string, phone: string | null) =>
    phone === null ? null : byPhone.get({ workspaceId, phone })

  const withUserId = (workspaceId: string, userId: string | null) =>
    userId === null ? null : byUserId.get({ workspaceId, userId })

  function change(contact: Contact, fields: Pick<Contact, 'updatedAt'> & Partial<Contact>): Contact {
    const changed = { ...contact, ...fields }
    set.run({ ...changed })
    return changed
  }

  function insert(contact: Contact): Contact {
    put.run({ ...contact, mergedInto: null })
    return contact
  }

  const wroteSince = (contactId: string, since: EpochMs) => writtenSince.get({ contactId, since }) !== null

  /**
   * When somebody was last seen with a number, after `since`. Users with a name of their own write without a number as
   * well, which says nothing about whose it is.
   */
  const phoneShownAt = (contactId: string, since: EpochMs) => shownSince.get({ contactId, since })?.at

  /**
   * The contact that has left a number since: what shows the number at an earlier time is about this person, who has
   * another number now. Who has the number today may be a stranger.
   */
  const leftSince = (workspaceId: string, phone: string | null, since: EpochMs) =>
    phone === null ? null : formerSince.get({ workspaceId, phone, since })

  /**
   * Merges two contacts of the same person. The history of the other contact moves, and its id finds the one that
   * stays. Messages keep the id that they were sent to.
   */
  function merge(stays: Contact, goes: Contact, updatedAt: EpochMs): Contact {
    db.update(inboundMessages).set({ contactId: stays.id }).where(eq(inboundMessages.contactId, goes.id)).run()
    db.update(flowSessions).set({ contactId: stays.id }).where(eq(flowSessions.contactId, goes.id)).run()
    moveUpdates(goes.id, stays.id)
    db.update(contacts).set({ mergedInto: stays.id }).where(eq(contacts.mergedInto, goes.id)).run()
    // In this order, because a number belongs to one contact at a time.
    db.update(contacts)
      .set({ mergedInto: stays.id, phone: null, userId: null, updatedAt })
      .where(eq(contacts.id, goes.id))
      .run()
    return change(stays, {
      phone: stays.phone ?? goes.phone,
      userId: stays.userId ?? goes.userId,
      name: stays.name ?? goes.name,
      updatedAt,
    })
  }

  /** The later of two updates of one kind stays, so that no opt-out is lost. */
  function moveUpdates(from: string, to: string): void {
    for (const update of db.select().from(upstreamUpdates).where(eq(upstreamUpdates.subject, from)).all()) {
      const { at, recordedAt, detail } = update
      db.insert(upstreamUpdates)
        .values({ ...update, subject: to })
        .onConflictDoUpdate({
          target: [upstreamUpdates.subject, upstreamUpdates.kind],
          set: { at, recordedAt, detail },
          setWhere: sql`${upstreamUpdates.at} < ${at}`,
        })
        .run()
    }
    db.delete(upstreamUpdates).where(eq(upstreamUpdates.subject, from)).run()
  }

  const mergeAll = (found: readonly Contact[], updatedAt: EpochMs): Contact | undefined => {
    const [oldest, ...others] = [...found].sort((one, other) => one.createdAt - other.createdAt)
    return oldest && others.reduce((stays, goes) => merge(stays, goes, updatedAt), oldest)
  }

  /**
   * Finds the person by phone, else by user id, and adds what is new.
   * - A known user id that writes from another phone has that phone now.
   * - A phone with another user id than that of its contact belongs to another person now. It is removed from the
   *   contact, which is addressed by its user id from then on.
   * - A contact with only a phone and one with a user id are merged when a message shows both together. An operator who
   *   names both changes neither.
   * @param at the upstream's time; null when an operator says it
   */
  function save(contact: Contact, at: EpochMs | null = null): Contact {
    const { workspaceId, userId, name, updatedAt } = contact
    const left = at === null ? null : leftSince(workspaceId, contact.phone, at)
    const sameNumber = left ?? withPhone(workspaceId, contact.phone)
    const sameUser = withUserId(workspaceId, userId)
    const isPhoneLate =
      at !== null && [sameNumber, sameUser].some(found => found && phoneShownAt(found.id, at) !== undefined)
    const other = userId !== null && sameNumber?.userId != null && sameNumber.userId !== userId ? sameNumber : undefined
    if (other && !isPhoneLate) change(other, { phone: null, updatedAt })
    const isOnePerson = at !== null && !isPhoneLate && sameNumber?.userId === null && sameUser
    const phone = left || (other && isPhoneLate) ? null : contact.phone
    const known = other
      ? sameUser
      : isOnePerson
        ? mergeAll([sameNumber, sameUser], updatedAt)
        : (sameNumber ?? sameUser)
    if (!known) return insert({ ...contact, phone })
    const isNameLate = at !== null && wroteSince(known.id, at)
    return change(known, {
      name: isNameLate ? (known.name ?? name) : (name ?? known.name),
      phone: isPhoneLate ? (known.phone ?? phone) : (phone ?? known.phone),
      userId: known.userId ?? (sameUser ? null : userId),
      updatedAt,
    })
  }

  /**
   * Moves a contact to the user's new number or user id. Contacts of this one person are merged.
   * @param person the user's new number and user id
   * @returns null when no contact is known and there is no number to add one
   */
  function follow(person: Contact, { formerPhone, formerUserId }: IdentityChange, at: EpochMs): Contact | null {
    const { workspaceId, updatedAt } = person
    const phone = person.phone ?? formerPhone
    const byFormerPhone = phone === formerPhone ? null : withPhone(workspaceId, formerPhone)
    const told = [formerUserId, person.userId].filter(id => id !== null)
    const isOther = (found: Contact, ids: readonly string[]) =>
      found.userId !== null && ids.length > 0 && !ids.includes(found.userId)
    // Who has shown the former number since has it now.
    const isGivenAway =
      byFormerPhone && (phoneShownAt(byFormerPhone.id, at) !== undefined || isOther(byFormerPhone, told))
    const self = [...told.map(id => withUserId(workspaceId, id)), isGivenAway ? null : byFormerPhone].filter(
      found => found !== null,
    )
    const ids = [...told, ...self.flatMap(({ userId }) => userId ?? [])]
    const left = leftSince(workspaceId, phone, at)
    const holder = left ?? withPhone(workspaceId, phone)
    const isHolderOther = holder !== null && isOther(holder, ids)
    const isLate = left !== null || [...self, holder].some(found => found && phoneShownAt(found.id, at) !== undefined)
    if (isHolderOther && !isLate) change(holder, { phone: null, updatedAt })

    const same = holder && !isHolderOther ? [...self, holder] : self
    const unique = [...new Map(same.map(found => [found.id, found])).values()]
    // Before they are one, while each still has its own history.
    const newest = unique
      .map(({ id, phone }) => ({ phone, shownAt: phoneShownAt(id, at) ?? 0 }))
      .filter(({ shownAt }) => shownAt > 0)
      .sort((one, other) => other.shownAt - one.shownAt)[0]
    const known = mergeAll(unique, updatedAt)
    if (!known) return phone === null || isLate ? null : insert({ ...person, phone })
    const phoneSince = newest ? newest.phone : known.phone === formerPhone ? null : known.phone
    return change(known, {
      phone: isLate ? phoneSince : phone,
      userId: person.userId ?? known.userId,
      name: known.name ?? person.name,
      updatedAt,
    })
  }

  return { save, follow }
}
