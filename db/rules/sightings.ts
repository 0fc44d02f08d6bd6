import { and, asc, eq, isNotNull, max, or, sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/base/clock.ts'
import type { Contact } from '../contract/records.ts'
import { type Engine, first, prepared } from './engine.ts'

/** Who has a number or a user id, and when somebody was seen with one: what the messages of a workspace show. */
export function sightings({ db, tables, columns: { contactColumns } }: Engine) {
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
      .select({
        at: max(at),
        toldAt: sql<unknown>`(SELECT ${contacts.phoneToldAt} FROM ${contacts} WHERE ${contacts.id} = ${contactId})`,
      })
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
  const withPhone = async (workspaceId: string, phone: string | null) =>
    phone === null ? null : first(byPhone({ workspaceId, phone }))

  const withUserId = async (workspaceId: string, userId: string | null) =>
    userId === null ? null : first(byUserId({ workspaceId, userId }))

  const wroteSince = async (contactId: string, since: EpochMs) =>
    (await first(written({ contactId, since })))?.at != null

  /**
   * When somebody was last seen with a number, after `since`, or told to have one or none. Users with a username also
   * write without a number, which does not show whose number it is.
   */
  async function phoneShownAt(contactId: string, since: EpochMs): Promise<EpochMs | undefined> {
    const { at = null, toldAt } = (await first(shown({ contactId, since }))) ?? {}
    const last = Math.max(at ?? since, Number(toldAt ?? since))
    return last > since ? last : undefined
  }

  /** Whether somebody wrote with a number since. */
  const wrotePhoneSince = async (contactId: string, since: EpochMs) =>
    (await first(shown({ contactId, since })))?.at != null

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

  /** Of these contacts, the one that was seen with a number last, after `since`. */
  async function lastShown(people: readonly Contact[], since: EpochMs): Promise<Contact | undefined> {
    let last: { readonly person: Contact; readonly at: EpochMs } | undefined
    for (const person of people) {
      const at = await phoneShownAt(person.id, since)
      if (at !== undefined && (!last || at > last.at)) last = { person, at }
    }
    return last?.person
  }

  return { withPhone, withUserId, wroteSince, wrotePhoneSince, isPhoneShown, leftSince, lastShown }
}
