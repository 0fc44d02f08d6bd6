import { sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/base/clock.ts'
import type { NewEvent } from '../contract/events.ts'
import type { Contact, Inbound } from '../contract/records.ts'
import { contactUpdated } from './contactEvents.ts'
import { contactMerging } from './contactMerging.ts'
import { changed, type Engine, prepared } from './engine.ts'
import { sightings } from './sightings.ts'
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
  const { contacts } = tables
  const ids = userIds({ db, tables })
  const { withPhone, withUserId, wroteSince, isPhoneShown, leftSince, lastShown } = sightings(engine)

  const set = prepared(() => {
    const [phone, userId, name, username, updatedAt, id] = [
      'phone',
      'userId',
      'name',
      'username',
      'updatedAt',
      'id',
    ].map(slot => sql`${sql.placeholder(slot)}`)
    return db
      .update(contacts)
      .set({ phone, userId, name, username, updatedAt })
      .where(sql`${contacts.id} = ${id}`)
      .returning(contactColumns)
  })

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
    const phone = left || isLeft || (sameNumber && isPhoneLate) ? null : contact.phone
    const known = other
      ? sameUser
      : isOnePerson
        ? await mergeAll([sameNumber, sameUser], updatedAt, told)
        : isPhoneLate
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
    // Who has a user id alone now has left the number.
    const phone = person.phone ?? (person.userId === null ? formerPhone : null)
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

  return { save, follow }
}

const present = (found: Contact | null): readonly Contact[] => (found ? [found] : [])
