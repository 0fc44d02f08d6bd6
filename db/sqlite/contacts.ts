import { and, eq, gt, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/clock.ts'
import type { Contact, Inbound } from '../records.ts'
import { workspaces } from '../schema/accounts.ts'
import { channels, lines } from '../schema/channels.ts'
import { contacts, flowSessions, inboundMessages } from '../schema/contacts.ts'
import { messages } from '../schema/messages.ts'
import type { Connection } from './open.ts'
import type { Verbs } from './verbs.ts'

/** A reply's time is in whole seconds: one of the same second as the flow still answers it. */
const replyGranularityMs = 1_000

/** The verbs of people: contacts, what they send, and the flows they answer. */
export function contactVerbs({ db }: Connection) {
  const find = (workspaceId: string, column: 'phone' | 'userId', value: string | null) =>
    value === null
      ? undefined
      : db
          .select()
          .from(contacts)
          .where(and(eq(contacts.workspaceId, workspaceId), eq(contacts[column], value)))
          .limit(1)
          .get()

  /**
   * Finds the person by phone, else by user id, and fills in what is new. Whoever is known by the user id and writes from
   * another phone has that phone now. A phone that comes with another user id than its contact has is somebody else's
   * now, and leaves that contact, which is written to by its user id from then on: a message must never go to the wrong
   * person. Between a contact of a phone alone and one of a user id it cannot be known who is right: both stay as they
   * are.
   * @param at when it was so, for a callback that may come days late: what is older than the last that somebody wrote
   * fills only gaps
   */
  function save(contact: Contact, at: EpochMs | null = null): Contact {
    const { workspaceId, userId, name, updatedAt } = contact
    const byPhone = find(workspaceId, 'phone', contact.phone)
    const byUser = find(workspaceId, 'userId', userId)
    const isPhoneLate = at !== null && [byPhone, byUser].some(found => found && wroteFromPhoneSince(found.id, at))
    const other = userId !== null && byPhone?.userId != null && byPhone.userId !== userId ? byPhone : undefined
    if (other && !isPhoneLate) {
      db.update(contacts).set({ phone: null, updatedAt }).where(eq(contacts.id, other.id)).run()
    }
    const phone = other && isPhoneLate ? null : contact.phone
    const known = other ? byUser : (byPhone ?? byUser)
    if (!known) {
      return db
        .insert(contacts)
        .values({ ...contact, phone })
        .returning()
        .get()
    }
    const isNameLate = at !== null && wroteSince(known.id, at)
    return db
      .update(contacts)
      .set({
        name: isNameLate ? (known.name ?? name) : (name ?? known.name),
        phone: isPhoneLate ? (known.phone ?? phone) : (phone ?? known.phone),
        userId: known.userId ?? (byUser ? null : userId),
        updatedAt,
      })
      .where(eq(contacts.id, known.id))
      .returning()
      .get()
  }

  const wroteSince = (contactId: string, at: EpochMs, further?: SQL) =>
    db
      .select({ at: inboundMessages.at })
      .from(inboundMessages)
      .where(
        and(
          eq(inboundMessages.contactId, contactId),
          // By both clocks: a message that is dated years ahead must not make all that follow late.
          gt(inboundMessages.at, at),
          gt(inboundMessages.recordedAt, at),
          further,
        ),
      )
      .limit(1)
      .get() !== undefined

  /** Users with a name of their own write without a number as well, which says nothing about whose it is. */
  const wroteFromPhoneSince = (contactId: string, at: EpochMs) =>
    wroteSince(contactId, at, sql`${inboundMessages.content} ->> '$.from' IS NOT NULL`)

  const isKnown = (channelId: string, channelMessageId: string) =>
    db
      .select({ id: inboundMessages.channelMessageId })
      .from(inboundMessages)
      .where(and(eq(inboundMessages.channelId, channelId), eq(inboundMessages.channelMessageId, channelMessageId)))
      .limit(1)
      .get() !== undefined

  const lineOf = (channelId: string, upstreamPhoneId: string) =>
    db
      .select({ id: lines.id })
      .from(lines)
      .where(and(eq(lines.channelId, channelId), eq(lines.upstreamPhoneId, upstreamPhoneId)))
      .limit(1)
      .get()

  /**
   * Whether the line is another workspace's alone: whoever writes there is a contact of that one. Two workspaces may have
   * connected one account, whose callbacks go to one of them.
   */
  const isLineElsewhere = (workspaceId: string, upstreamPhoneId: string) => {
    const owners = db
      .selectDistinct({ workspaceId: lines.workspaceId })
      .from(lines)
      .where(eq(lines.upstreamPhoneId, upstreamPhoneId))
      .all()
    return owners.length > 0 && owners.every(owner => owner.workspaceId !== workspaceId)
  }

  /** The flow that the message with this upstream id opened. */
  const flowOpenedBy = (channelId: string, channelMessageId: string) =>
    db
      .select({ messageId: flowSessions.messageId, flowToken: flowSessions.flowToken })
      .from(messages)
      .innerJoin(flowSessions, eq(flowSessions.messageId, messages.id))
      .where(
        and(
          sql`${messages.channelMessageId} IS NOT NULL`,
          eq(messages.channelMessageId, channelMessageId),
          eq(messages.channelId, channelId),
        ),
      )
      .limit(1)
      .get()

  /**
   * By the flow's token; a reply without one still names the message that it answers. A token is the partner's choice and
   * may be used many times, also for one contact; the upstream's message id is unique, and no clock is asked for it.
   */
  function closeFlow(contactId: string, channelId: string, reply: Inbound['flowReply'], at: number) {
    if (!reply) return
    const { flowToken, openedBy } = reply
    const close = (session: SQL | undefined) =>
      db
        .update(flowSessions)
        .set({ closedAt: at, closedBy: 'reply' })
        .where(and(session, isNull(flowSessions.closedAt)))
        .returning({ id: flowSessions.messageId })
        .all()
    const named = openedBy === null ? undefined : flowOpenedBy(channelId, openedBy)
    if (flowToken !== null && named?.flowToken !== flowToken) {
      const before = lt(flowSessions.openedAt, at + replyGranularityMs)
      const byToken = and(eq(flowSessions.contactId, contactId), eq(flowSessions.flowToken, flowToken), before)
      if (close(byToken).length > 0) return
    }
    if (named) close(eq(flowSessions.messageId, named.messageId))
  }

  return {
    saveContact(contact) {
      const workspace = db
        .select({ id: workspaces.id })
        .from(workspaces)
        .where(eq(workspaces.id, contact.workspaceId))
        .limit(1)
        .get()
      return workspace ? save(contact) : null
    },

    recordInbound({ channelId, messages: received, recordedAt }) {
      const channel = db.select().from(channels).where(eq(channels.id, channelId)).limit(1).get()
      if (!channel) throw new Error('recordInbound: the channel does not exist')
      for (const { channelMessageId, kind, at, sender, upstreamPhoneId, flowReply, content } of received) {
        // A repeated callback must neither bring back an older name nor close a flow that was opened since.
        if (isKnown(channelId, channelMessageId)) continue
        const { newContactId, phone, userId, name } = sender
        const line = upstreamPhoneId === null ? undefined : lineOf(channelId, upstreamPhoneId)
        const isForeign =
          upstreamPhoneId !== null && line === undefined && isLineElsewhere(channel.workspaceId, upstreamPhoneId)
        const contact =
          isForeign || (phone === null && userId === null)
            ? null
            : save(
                {
                  id: newContactId,
                  workspaceId: channel.workspaceId,
                  phone,
                  userId,
                  name,
                  createdAt: recordedAt,
                  updatedAt: recordedAt,
                },
                at,
              )
        db.insert(inboundMessages)
          .values({
            channelId,
            channelMessageId,
            contactId: contact?.id ?? null,
            lineId: line?.id ?? null,
            kind,
            at,
            recordedAt,
            content,
          })
          .run()
        if (contact) closeFlow(contact.id, channelId, flowReply, at)
      }
    },
  } satisfies Partial<Verbs>
}
