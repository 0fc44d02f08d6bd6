import { and, asc, eq, isNotNull, max, or, sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/base/clock.ts'
import type { NewEvent } from '../contract/events.ts'
import type { Contact, Inbound } from '../contract/records.ts'
import { contactUpdated } from './contactEvents.ts'
import { contactMerging } from './contactMerging.ts'
import { changed, type Engine, first, prepared } from './engine.ts'
import { userIds } from './userIds.ts'

/** A contact as the upstream or an operator names it. A username is null when the person has none. */
type Named = Omit<Contact, 'username'> & Pick<Inbound['from'], 'username'>
type IdentityChange = NonNullable<Inbound['identityChange']>

/**
 * Which contact a number or a user id belongs to. A message must never go to the wrong person, so a number is removed
 * from a contact as soon as the upstream shows that another person has it. Callbacks may come days late and in any
 * order. One that is older than the person's last message only fills empty fields, and changes no username: an empty
 * one may be one that was given up. A username is never what a person is found by.
 *
 * The caller has locked the contacts of the workspace.
 */
export function identities(engine: Engine) {
  const {
    db,
    tables,
    columns: { contactColumns },
  } = engine
  const ids = userIds({ db, tables })
  const { contacts, inboundMessages } = tables

  const { at, formerPhone, recordedAt } = inboundMessages
  const [workspaceId, phone, contactId, since] = ['workspaceId', 'phone', 'contactId', 'since'].map(sql.placeholder)

  // By both clocks: a message dated years ahead must not make all later ones seem old.
  const isSince = and(sql`${at} > ${since}`, sql`${recordedAt} > ${since}`)
  const isTheirs = and(sql`${inboundMessages.contactId} = ${contactId}`, isSince)
  const isItsOwn = sql`${contacts.workspaceId} = ${workspaceId}`

  const byPhone = prepared(() =>
    db
      .select(contactColumns)
      .from(contacts)
      .where(and(isItsOwn, sql`${contacts.phone} = ${phone}`)),
  )
  const byUserId = prepared(() =>
    db
      .select(contactColumns)
      .from(contacts)
      .where(and(isItsOwn, sql`${contacts.userId} = ${sql.placeholder('userId')}`)),
  )
  // No query has a LIMIT: its bound parameter would make SQLite plan the statement again at each run.
  const written = prepared(() =>
    db
      .select({ at: max(at) })
      .from(inboundMessages)
      .where(isTheirs),
  )
  const shown = prepared(() =>
    db
      .select({ at: max(at) })
      .from(inboundMessages)
      .where(and(isTheirs, isNotNull(inboundMessages.phone))),
  )
  const left = prepared(() =>
    db
      .select(contactColumns)
      .from(inboundMessages)
      .innerJoin(contacts, eq(contacts.id, inboundMessages.contactId))
      // A person who was erased has neither: what comes late about an old number must not bring anything back.
      .where(
        and(
          isItsOwn,
          sql`${formerPhone} = ${phone}`,
          isSince,
          or(isNotNull(contacts.phone), isNotNull(contacts.userId)),
        ),
      )
      // Which of several changes in one second counts must not be random.
      .orderBy(asc(at), asc(recordedAt), asc(inboundMessages.channelMessageId)),
  )
  const set = prepared(() => {
    const [userId, name, username, updatedAt, id] = ['userId', 'name', 'username', 'updatedAt', 'id'].map(
      slot => sql`${sql.placeholder(slot)}`,
    )
    return db
      .update(contacts)
      .set({ phone: sql`${phone}`, userId, name, username, updatedAt })
      .where(sql`${contacts.id} = ${id}`)
      .returning(contactColumns)
  })

  const withPhone = async (workspaceId: string, phone: string | null) =>
    phone === null ? null : first(byPhone({ workspaceId, phone }))

  const withUserId = async (workspaceId: string, userId: string | null) =>
    userId === null ? null : first(byUserId({ workspaceId, userId }))

  async function change(
    contact: Contact,
    fields: Pick<Contact, 'updatedAt'> & Partial<Contact>,
    told: NewEvent[],
  ): Promise<Contact> {
    const after = await changed(set({ ...contact, ...fields }))
    const changes = (['phone', 'userId', 'name', 'username'] as const).filter(field => contact[field] !== after[field])
    if (changes.length > 0) told.push(contactUpdated(after, changes))
    return after
  }

  const insert = (contact: Named): Promise<Contact> =>
    changed(db.insert(contacts).values(contact).returning(contactColumns))

  const mergeAll = contactMerging(engine, change)

  const wroteSince = async (contactId: string, since: EpochMs) =>
    (await first(written({ contactId, since })))?.at != null

  /**
   * When somebody was last seen with a number, after `since`. Users with a username also write without a number, which
   * does not show whose number it is.
   */
  const phoneShownAt = async (contactId: string, since: EpochMs) =>
    (await first(shown({ contactId, since })))?.at ?? undefined

  async function isPhoneShown(people: readonly (Contact | null)[], since: EpochMs): Promise<boolean> {
    for (const id of new Set(people.flatMap(person => person?.id ?? []))) {
      if ((await phoneShownAt(id, since)) !== undefined) return true
    }
    return false
  }

  /**
   * The contact that has given up a number since: an event that shows the number at an earlier time is about this
   * person, who has another number now. The number's current owner may be a stranger.
   */
  const leftSince = async (workspaceId: string, phone: string | null, since: EpochMs) =>
    phone === null ? null : first(left({ workspaceId, phone, since }))

  /**
   * Finds the person by phone, else by user id, and adds what is new.
   * - A known user id that writes from another phone has that phone now.
   * - A phone with another user id than that of its contact belongs to another person now. It is removed from the
   *   contact, which is addressed by its user id from then on.
   * - A contact with only a phone and one with a user id are merged when a message shows both together. An operator who
   *   names both changes neither.
   * @param at the upstream's time; null when an operator says it
   * @param told gets the events of what changed
   */
  async function save(contact: Named, at: EpochMs | null, told: NewEvent[]): Promise<Contact> {
    const { workspaceId, name, updatedAt } = contact
    const userId = await ids.currentOf(workspaceId, contact.userId)
    const left = at === null ? null : await leftSince(workspaceId, contact.phone, at)
    const sameNumber = left ?? (await withPhone(workspaceId, contact.phone))
    const sameUser = await withUserId(workspaceId, userId)
    // The user has another id since, and perhaps another number.
    const isLeft = at !== null && userId !== contact.userId
    const isPhoneLate = at !== null && (isLeft || (await isPhoneShown([sameNumber, sameUser], at)))
    const other = userId !== null && sameNumber?.userId != null && sameNumber.userId !== userId ? sameNumber : undefined
    if (other && !isPhoneLate) await change(other, { phone: null, updatedAt }, told)
    const isOnePerson = at !== null && !isPhoneLate && sameNumber?.userId === null && sameUser
    const phone = left || isLeft || (other && isPhoneLate) ? null : contact.phone
    const known = other
      ? sameUser
      : isOnePerson
        ? await mergeAll([sameNumber, sameUser], updatedAt, told)
        : isLeft
          ? (sameUser ?? sameNumber)
          : (sameNumber ?? sameUser)
    if (!known) return insert({ ...contact, phone, userId })
    const isNameLate = at !== null && (await wroteSince(known.id, at))
    const isUsernameKept = contact.username === undefined || isNameLate || isLeft
    const fields = {
      username: isUsernameKept ? known.username : contact.username,
      name: isNameLate ? (known.name ?? name) : (name ?? known.name),
      phone: isPhoneLate ? (known.phone ?? phone) : (phone ?? known.phone),
      userId: known.userId ?? (sameUser ? null : userId),
      updatedAt,
    }
    return change(known, fields, told)
  }

  /**
   * Moves a contact to the user's new number or user id. Contacts of this one person are merged. A new user id without
   * a number ends the number that is known: the user may have left it to a stranger. Telling it again does not.
   * @param person the user's new number and user id
   * @param told gets the events of what changed
   * @returns null when no contact is known and there is no number to add one
   */
  async function follow(
    person: Named,
    { formerPhone, formerUserId }: IdentityChange,
    at: EpochMs,
    told: NewEvent[],
  ): Promise<Contact | null> {
    const { workspaceId, updatedAt } = person
    const phone = person.phone ?? formerPhone
    const byFormerPhone = phone === formerPhone ? null : await withPhone(workspaceId, formerPhone)
    const idChange = { former: formerUserId, current: person.userId, at, recordedAt: updatedAt }
    const news = await ids.change(workspaceId, idChange)
    const userId = await ids.currentOf(workspaceId, person.userId)
    // What is told of an id that was left meanwhile says nothing of the number of today.
    const isLeft = userId !== person.userId
    const all = [...(news ?? []), formerUserId, await ids.currentOf(workspaceId, formerUserId), person.userId, userId]
    const named = [...new Set(all.filter(id => id !== null))]
    const isOther = (found: Contact, ids: readonly string[]) =>
      found.userId !== null && ids.length > 0 && !ids.includes(found.userId)
    // The contact that has shown the former number since then has it now.
    const isGivenAway = byFormerPhone && ((await isPhoneShown([byFormerPhone], at)) || isOther(byFormerPhone, named))
    const self: Contact[] = []
    for (const id of named) self.push(...present(await withUserId(workspaceId, id)))
    if (!isGivenAway) self.push(...present(byFormerPhone))
    const theirs = [...named, ...self.flatMap(found => found.userId ?? [])]
    const left = await leftSince(workspaceId, phone, at)
    const holder = left ?? (await withPhone(workspaceId, phone))
    const isHolderOther = holder !== null && isOther(holder, theirs)
    const isLate = left !== null || isLeft || (await isPhoneShown([...self, holder], at))
    if (isHolderOther && !isLate) await change(holder, { phone: null, updatedAt }, told)

    const same = holder && !isHolderOther ? [...self, holder] : self
    const unique = [...new Map(same.map(found => [found.id, found])).values()]
    // Before the merge, while each still has its own history.
    const newest = await lastShown(unique, at)
    const known = await mergeAll(unique, updatedAt, told)
    if (!known) return phone === null || isLate || news === null ? null : insert({ ...person, phone, userId })
    // Before the merge too: the number of who has the id now counts, not that of who had an earlier one.
    const phoneOfId = unique.find(found => found.userId === userId)?.phone ?? null
    const phoneBefore = isLeft ? phoneOfId : known.phone === formerPhone ? null : known.phone
    const phoneNow = phone === null && news === null ? known.phone : phone
    const isUsernameKept = person.username === undefined || isLeft || (await wroteSince(known.id, at))
    const fields = {
      username: isUsernameKept ? known.username : person.username,
      phone: isLate ? (newest ? newest.phone : phoneBefore) : phoneNow,
      userId: userId ?? known.userId,
      name: known.name ?? person.name,
      updatedAt,
    }
    return change(known, fields, told)
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
