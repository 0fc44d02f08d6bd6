import { eq, inArray, lt, max, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/base/clock.ts'
import { eventAbout, type NewEvent } from '../contract/events.ts'
import type { Contact, Inbound } from '../contract/records.ts'
import type { StoreWrites } from '../contract/store.ts'
import { notHeard } from './conversations.ts'
import { changed, type Engine, prepared } from './engine.ts'
import { formerNames } from './formerNames.ts'
import { sightings } from './sightings.ts'

type Spelling = Parameters<StoreWrites['keepSpelling']>[0]

/** A contact as the upstream or an operator names it. A username is null when the person has none. */
type Named = Omit<Contact, 'username' | 'blockedOn'> & Pick<Inbound['from'], 'username'>
type IdentityChange = NonNullable<Inbound['identityChange']>

/**
 * Where an identity comes from: a message of the person, which is kept with the number that it shows; what the upstream
 * says of the person beside, of which the contact keeps the time; or an operator.
 */
type Source = 'message' | 'word' | 'operator'

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
  const ids = formerNames(engine, tables.formerUserIds)
  const spellings = formerNames(engine, tables.numberSpellings)
  const { withPhone, withUserId, wroteSince, wrotePhoneSince, isPhoneShown, leftSince, lastShown } = sightings(engine)

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

  const put = prepared(() => {
    const { blockedOn: _, ...named } = contactColumns
    const slots = Object.keys(named).map(field => [field, sql.placeholder(field)])
    return db.insert(contacts).values(Object.fromEntries(slots)).returning(contactColumns)
  })
  const insert = ({ username = null, ...contact }: Named): Promise<Contact> => changed(put({ ...contact, username }))

  const mergeAll = contactMerging(engine, change)

  /**
   * Who has a number, which may be another spelling of one. A spelling that somebody writes from later is a number of
   * its own: another person has it.
   * @param writtenAt the upstream's time of the message that is from it; null: there is none
   * @returns the number as the upstream writes it, and its contact
   */
  async function holderOf(workspaceId: string, phone: string | null, writtenAt: EpochMs | null) {
    if (phone === null) return { number: null, holder: null }
    const [holder, spelt] = await Promise.all([withPhone(workspaceId, phone), spellings.leaving(workspaceId, phone)])
    if (holder || !spelt) return { number: phone, holder }
    if (writtenAt === null || writtenAt <= spelt.at)
      return { number: spelt.current, holder: await withPhone(workspaceId, spelt.current) }
    await spellings.giveBack(workspaceId, phone)
    return { number: phone, holder }
  }

  /** Keeps that the upstream has told whose number it is, or was: what is older and comes later does not count. */
  const noteToldAt = async (people: readonly (Contact | null | undefined)[], toldAt: EpochMs) => {
    for (const id of people.flatMap(person => person?.id ?? []))
      await db.update(contacts).set({ phoneToldAt: toldAt }).where(eq(contacts.id, id))
  }

  /**
   * Finds the person by phone, else by user id, and adds what is new.
   * - A known user id that writes from another phone has that phone now.
   * - A phone with another user id than that of its contact belongs to another person now. It is removed from the
   *   contact, which is addressed by its user id from then on.
   * - A contact with only a phone and one with a user id are merged when a message shows both together. An operator who
   *   names both changes neither.
   * - A word beside messages gives a name to who has none, and changes none.
   * @param at the upstream's time; null when an operator says it
   * @param told gets the events of what changed
   */
  async function save(contact: Named, at: EpochMs | null, told: NewEvent[], source: Source): Promise<Contact> {
    const { workspaceId, name, updatedAt } = contact
    // What needs no answer of another question is asked together: on PostgreSQL it is one trip.
    const [userId, { number, holder }] = await Promise.all([
      ids.currentOf(workspaceId, contact.userId),
      holderOf(workspaceId, contact.phone, source === 'message' ? at : null),
    ])
    const [left, sameUser] = await Promise.all([
      at === null ? null : leftSince(workspaceId, number, at),
      withUserId(workspaceId, userId),
    ])
    const sameNumber = left ?? holder
    // The user has another id since, and perhaps another number.
    const isLeft = at !== null && userId !== contact.userId
    const isPhoneLate = at !== null && (isLeft || (await isPhoneShown([sameNumber, sameUser], at)))
    const other = userId !== null && sameNumber?.userId != null && sameNumber.userId !== userId ? sameNumber : undefined
    if (other && !isPhoneLate) await change(other, { phone: null, updatedAt }, told)
    const isOnePerson = at !== null && !isPhoneLate && sameNumber?.userId === null && sameUser
    const phone = left || isLeft || (sameNumber && isPhoneLate) ? null : number
    const known = other
      ? sameUser
      : isOnePerson
        ? await mergeAll([sameNumber, sameUser], updatedAt, told)
        : isPhoneLate
          ? (sameUser ?? sameNumber)
          : (sameNumber ?? sameUser)
    const isWord = source === 'word'
    const saved = known ? await change(known, await fieldsOf(known), told) : await insert({ ...contact, phone, userId })
    if (isWord && at !== null && number !== null && userId !== null && !isPhoneLate)
      await noteToldAt([saved, other], Math.min(at, updatedAt))
    return saved

    async function fieldsOf(known: Contact) {
      const isNameLate = at !== null && (await wroteSince(known.id, at))
      const isUsernameKept =
        contact.username === undefined || isNameLate || isLeft || (isWord && known.username !== null)
      return {
        username: isUsernameKept ? known.username : contact.username,
        name: isNameLate || isWord ? (known.name ?? name) : (name ?? known.name),
        phone: isPhoneLate ? (known.phone ?? phone) : (phone ?? known.phone),
        userId: known.userId ?? (sameUser ? null : userId),
        updatedAt,
      }
    }
  }

  /** Adds to a contact what a word of the upstream says of the person. Nobody becomes a contact by it. */
  async function recognise(person: Named, at: EpochMs, told: NewEvent[]): Promise<void> {
    const { workspaceId, phone, userId } = person
    const { holder } = await holderOf(workspaceId, phone, null)
    const isKnown = holder ?? (await withUserId(workspaceId, await ids.currentOf(workspaceId, userId)))
    if (isKnown) await save(person, at, told, 'word')
  }

  /**
   * Keeps how the upstream writes a number, as the answer to a send shows it. The contacts of both are one, but for
   * those with different user ids: there, who was shown with the number last has it.
   */
  async function spell({ workspaceId, spelling, number, ...times }: Spelling, told: NewEvent[]): Promise<void> {
    const { at, recordedAt: updatedAt } = times
    const speller = await withPhone(workspaceId, spelling)
    // Somebody's own number: a message came from it since.
    if (speller && (await wrotePhoneSince(speller.id, at))) return
    const same = await spellings.change(workspaceId, { former: spelling, current: number, ...times })
    if (same === null) return spellings.keepSince(workspaceId, spelling, updatedAt)
    const current = (await spellings.currentOf(workspaceId, number)) ?? number
    const found: Contact[] = []
    for (const one of new Set([current, ...same])) found.push(...present(await withPhone(workspaceId, one)))
    const users = found.filter(({ userId }) => userId !== null)
    const last = (await lastShown(users, 0)) ?? users[0]
    const isOther = ({ userId }: Contact) => userId !== null && userId !== last?.userId
    for (const other of found.filter(isOther)) await change(other, { phone: null, updatedAt }, told)
    const known = await mergeAll(
      found.filter(one => !isOther(one)),
      updatedAt,
      told,
    )
    if (known) await change(known, { phone: current, updatedAt }, told)
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
    const shown = person.phone ?? (person.userId === null ? formerPhone : null)
    const { number: phone, holder: has } = await holderOf(workspaceId, shown, at)
    const before = shown === formerPhone ? null : await holderOf(workspaceId, formerPhone, null)
    const byFormerPhone = before?.holder ?? null
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
    const holder = left ?? has
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
    const phoneBefore = isLeft ? phoneOfId : known.phone === (before?.number ?? formerPhone) ? null : known.phone
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

  return { change, save, follow, recognise, spell, holderOf }
}

const present = (found: Contact | null): readonly Contact[] => (found ? [found] : [])

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
function contactMerging({ db, tables }: Engine, change: Change) {
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
    const { heardSeq, spokenSeq, readSeq, unreadAt, doneSeq, takenBy, phoneToldAt } = contacts
    const ofBoth = (mark: SQL) =>
      sql`(SELECT ${mark} FROM ${contacts} WHERE ${inArray(contacts.id, [stays.id, goes.id])})`
    // What nobody has read of one stays unread, even if later words of the other then count again. So what is open.
    const earlier = (mark: SQLWrapper) =>
      ofBoth(sql`coalesce(min(CASE WHEN ${heardSeq} > ${mark} THEN ${mark} END), max(${mark}))`)
    const marks = {
      ...{ heardSeq: ofBoth(max(heardSeq)), spokenSeq: ofBoth(sql`max(${spokenSeq})`) },
      ...{ readSeq: earlier(readSeq), doneSeq: earlier(doneSeq) },
      ...{ unreadAt: ofBoth(max(unreadAt)), phoneToldAt: ofBoth(max(phoneToldAt)) },
      takenBy: sql`coalesce(${takenBy}, (SELECT taken_by FROM ${contacts} WHERE ${eq(contacts.id, goes.id)}))`,
      blockedOn: [...new Set([...stays.blockedOn, ...goes.blockedOn])],
    }
    await db.update(contacts).set(marks).where(eq(contacts.id, stays.id))
    // In this order, because a number belongs to one contact at a time.
    const merged = { ...notHeard, blockedOn: [], mergedInto: stays.id, phone: null, userId: null, updatedAt }
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

/** What an event shows of a contact. */
export const toldContact = ({ id, phone, userId, name, username }: Contact) => ({ id, phone, userId, name, username })

/** @param changed its fields that have another value now */
const contactUpdated = (contact: Contact, changed: readonly string[]): NewEvent =>
  eventAbout(contact.id, {
    workspaceId: contact.workspaceId,
    type: 'contact.updated',
    at: contact.updatedAt,
    recordedAt: contact.updatedAt,
    data: { contact: toldContact(contact), changed },
  })
