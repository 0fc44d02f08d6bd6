import type { EpochMs } from '../../src/clock.ts'
import type { Contact, Inbound } from '../records.ts'
import { type Connection, first } from './open.ts'
import { contactColumns, listOf } from './rows.ts'

type IdentityChange = NonNullable<Inbound['identityChange']>

/** Of all the locks that programs agree on in this database. `cont` in ASCII. */
const contactsLock = 0x636f6e74

/**
 * Keeps all others from changing who is who in these workspaces, on any instance, until the transaction ends. In one order, so
 * that two transactions never wait for each other. No row is locked: a send does not wait for a callback.
 *
 * For transactions that are READ COMMITTED: what they read afterwards is what the one before has left. A serializable one
 * would still see the time at which it began to wait.
 */
export async function lockContacts({ query }: Connection, workspaceIds: readonly string[]): Promise<void> {
  await query(
    `SELECT pg_advisory_xact_lock(${contactsLock}, number)
     FROM (SELECT DISTINCT hashtext(id) AS number FROM unnest($1::text[]) AS id ORDER BY number) AS numbers`,
    [workspaceIds],
  )
}

/**
 * Which contact a number or a user id belongs to. A message must never go to the wrong person, so a number is removed
 * from a contact as soon as the upstream shows that another person has it. Callbacks may come days late and in any
 * order. One that is older than the person's last message only fills empty fields.
 *
 * The caller has locked the contacts of the workspace.
 */
export function identities({ query }: Connection) {
  const columns = listOf(contactColumns)
  const one = (text: string, parameters: readonly (string | number | null)[]) =>
    first(query<Contact>(`SELECT ${columns} FROM ${text}`, parameters))

  // By both clocks: a message that is dated years ahead must not make all later ones seem old.
  const isSince = (parameter: string) =>
    `inbound_messages.at > ${parameter} AND inbound_messages.recorded_at > ${parameter}`

  const withPhone = async (workspaceId: string, phone: string | null) =>
    phone === null ? null : one('contacts WHERE workspace_id = $1 AND phone = $2', [workspaceId, phone])

  const withUserId = async (workspaceId: string, userId: string | null) =>
    userId === null ? null : one('contacts WHERE workspace_id = $1 AND user_id = $2', [workspaceId, userId])

  async function change(contact: Contact, fields: Pick<Contact, 'updatedAt'> & Partial<Contact>): Promise<Contact> {
    const { id, phone, userId, name, updatedAt } = { ...contact, ...fields }
    const [changed = contact] = await query<Contact>(
      `UPDATE contacts SET phone = $2, user_id = $3, name = $4, updated_at = $5 WHERE id = $1 RETURNING ${columns}`,
      [id, phone, userId, name, updatedAt],
    )
    return changed
  }

  async function insert(contact: Contact): Promise<Contact> {
    const { id, workspaceId, phone, userId, name, createdAt, updatedAt } = contact
    const [inserted = contact] = await query<Contact>(
      `INSERT INTO contacts (id, workspace_id, phone, user_id, name, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${columns}`,
      [id, workspaceId, phone, userId, name, createdAt, updatedAt],
    )
    return inserted
  }

  async function wroteSince(contactId: string, since: EpochMs): Promise<boolean> {
    const written = query<{ at: EpochMs }>(
      `SELECT at::float8 AS at FROM inbound_messages WHERE contact_id = $1 AND ${isSince('$2')} LIMIT 1`,
      [contactId, since],
    )
    return (await first(written)) !== null
  }

  /**
   * When somebody was last seen with a number, after `since`. Users with a name of their own write without a number as
   * well, which says nothing about whose it is.
   */
  async function phoneShownAt(contactId: string, since: EpochMs): Promise<EpochMs | undefined> {
    const shown = query<{ at: EpochMs }>(
      `SELECT at::float8 AS at FROM inbound_messages WHERE contact_id = $1 AND ${isSince('$2')} AND phone IS NOT NULL
       ORDER BY at DESC LIMIT 1`,
      [contactId, since],
    )
    return (await first(shown))?.at
  }

  async function isPhoneShown(people: readonly (Contact | null)[], since: EpochMs): Promise<boolean> {
    for (const id of new Set(people.flatMap(person => person?.id ?? []))) {
      if ((await phoneShownAt(id, since)) !== undefined) return true
    }
    return false
  }

  /**
   * The contact that has left a number since: what shows the number at an earlier time is about this person, who has
   * another number now. Who has the number today may be a stranger.
   */
  const leftSince = async (workspaceId: string, phone: string | null, since: EpochMs) =>
    phone === null
      ? null
      : one(
          `inbound_messages JOIN contacts ON contacts.id = inbound_messages.contact_id
           WHERE contacts.workspace_id = $1 AND inbound_messages.former_phone = $2 AND ${isSince('$3')}
           ORDER BY inbound_messages.at LIMIT 1`,
          [workspaceId, phone, since],
        )

  /**
   * Merges two contacts of the same person. The history of the other contact moves, and its id finds the one that
   * stays. Messages keep the id that they were sent to.
   */
  async function merge(stays: Contact, goes: Contact, updatedAt: EpochMs): Promise<Contact> {
    for (const table of ['inbound_messages', 'flow_sessions']) {
      await query(`UPDATE ${table} SET contact_id = $1 WHERE contact_id = $2`, [stays.id, goes.id])
    }
    await moveUpdates(goes.id, stays.id)
    await query('UPDATE contacts SET merged_into = $1 WHERE merged_into = $2', [stays.id, goes.id])
    // In this order, because a number belongs to one contact at a time.
    await query('UPDATE contacts SET merged_into = $1, phone = NULL, user_id = NULL, updated_at = $3 WHERE id = $2', [
      stays.id,
      goes.id,
      updatedAt,
    ])
    return change(stays, {
      phone: stays.phone ?? goes.phone,
      userId: stays.userId ?? goes.userId,
      name: stays.name ?? goes.name,
      updatedAt,
    })
  }

  /** The later of two updates of one kind stays, so that no opt-out is lost. */
  async function moveUpdates(from: string, to: string): Promise<void> {
    await query(
      `INSERT INTO upstream_updates (subject, kind, at, recorded_at, detail)
       SELECT $2, kind, at, recorded_at, detail FROM upstream_updates WHERE subject = $1
       ON CONFLICT (subject, kind) DO UPDATE
       SET at = excluded.at, recorded_at = excluded.recorded_at, detail = excluded.detail
       WHERE upstream_updates.at < excluded.at`,
      [from, to],
    )
    await query('DELETE FROM upstream_updates WHERE subject = $1', [from])
  }

  async function mergeAll(found: readonly Contact[], updatedAt: EpochMs): Promise<Contact | undefined> {
    const [oldest, ...others] = [...found].sort((one, other) => one.createdAt - other.createdAt)
    let stays = oldest
    for (const goes of others) stays = stays && (await merge(stays, goes, updatedAt))
    return stays
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
  async function save(contact: Contact, at: EpochMs | null = null): Promise<Contact> {
    const { workspaceId, userId, name, updatedAt } = contact
    const left = at === null ? null : await leftSince(workspaceId, contact.phone, at)
    const sameNumber = left ?? (await withPhone(workspaceId, contact.phone))
    const sameUser = await withUserId(workspaceId, userId)
    const isPhoneLate = at !== null && (await isPhoneShown([sameNumber, sameUser], at))
    const other = userId !== null && sameNumber?.userId != null && sameNumber.userId !== userId ? sameNumber : undefined
    if (other && !isPhoneLate) await change(other, { phone: null, updatedAt })
    const isOnePerson = at !== null && !isPhoneLate && sameNumber?.userId === null && sameUser
    const phone = left || (other && isPhoneLate) ? null : contact.phone
    const known = other
      ? sameUser
      : isOnePerson
        ? await mergeAll([sameNumber, sameUser], updatedAt)
        : (sameNumber ?? sameUser)
    if (!known) return insert({ ...contact, phone })
    const isNameLate = at !== null && (await wroteSince(known.id, at))
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
  async function follow(
    person: Contact,
    { formerPhone, formerUserId }: IdentityChange,
    at: EpochMs,
  ): Promise<Contact | null> {
    const { workspaceId, updatedAt } = person
    const phone = person.phone ?? formerPhone
    const byFormerPhone = phone === formerPhone ? null : await withPhone(workspaceId, formerPhone)
    const told = [formerUserId, person.userId].filter(id => id !== null)
    const isOther = (found: Contact, ids: readonly string[]) =>
      found.userId !== null && ids.length > 0 && !ids.includes(found.userId)
    // Who has shown the former number since has it now.
    const isGivenAway = byFormerPhone && ((await isPhoneShown([byFormerPhone], at)) || isOther(byFormerPhone, told))
    const self: Contact[] = []
    for (const id of told) self.push(...present(await withUserId(workspaceId, id)))
    if (!isGivenAway) self.push(...present(byFormerPhone))
    const ids = [...told, ...self.flatMap(({ userId }) => userId ?? [])]
    const left = await leftSince(workspaceId, phone, at)
    const holder = left ?? (await withPhone(workspaceId, phone))
    const isHolderOther = holder !== null && isOther(holder, ids)
    const isLate = left !== null || (await isPhoneShown([...self, holder], at))
    if (isHolderOther && !isLate) await change(holder, { phone: null, updatedAt })

    const same = holder && !isHolderOther ? [...self, holder] : self
    const unique = [...new Map(same.map(found => [found.id, found])).values()]
    // Before they are one, while each still has its own history.
    const newest = await lastShown(unique, at)
    const known = await mergeAll(unique, updatedAt)
    if (!known) return phone === null || isLate ? null : insert({ ...person, phone })
    const phoneSince = newest ? newest.phone : known.phone === formerPhone ? null : known.phone
    return change(known, {
      phone: isLate ? phoneSince : phone,
      userId: person.userId ?? known.userId,
      name: known.name ?? person.name,
      updatedAt,
    })
  }

  /** Of these contacts, the one that was seen with a number last, after `since`. */
  async function lastShown(people: readonly Contact[], since: EpochMs): Promise<Contact | undefined> {
    let last: { readonly person: Contact; readonly at: EpochMs } | undefined
    for (const person of people) {
      const at = await phoneShownAt(person.id, since)
      if (at !== undefined && (!last || at > last.at)) last = { person, at }
    }
    return last?.person
  }

  return { save, follow }
}

const present = (found: Contact | null): readonly Contact[] => (found ? [found] : [])
