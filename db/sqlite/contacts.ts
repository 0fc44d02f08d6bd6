import { and, eq, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Contact, Inbound } from '../records.ts'
import { channels, contacts, flowSessions, inboundMessages, lines, messages, workspaces } from '../schema.ts'
import type { Connection } from './open.ts'
import type { Verbs } from './verbs.ts'

/** A reply's time is in whole seconds: one of the same second as the flow still answers it. */
const replyGranularityMs = 1_000

/** The verbs of people: contacts, what they send, and the flows they answer. */
export function contactVerbs({ db }: Connection): Pick<Verbs, 'saveContact' | 'recordInbound'> {
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
   * another phone has that phone now: the old one may be somebody else's. A phone and a user id that two contacts have
   * already stay where they are: which of the two is right cannot be known.
   */
  function save(contact: Contact): Contact {
    const { workspaceId, phone, userId, name, updatedAt } = contact
    const byPhone = find(workspaceId, 'phone', phone)
    const byUser = find(workspaceId, 'userId', userId)
    const known = byPhone ?? byUser
    if (!known) return db.insert(contacts).values(contact).returning().get()
    return db
      .update(contacts)
      .set({
        name: name ?? known.name,
        phone: byPhone ? known.phone : (phone ?? known.phone),
        userId: known.userId ?? (byUser ? null : userId),
        updatedAt,
      })
      .where(eq(contacts.id, known.id))
      .returning()
      .get()
  }

  const isKnown = (channelId: string, channelMessageId: string) =>
    db
      .select({ id: inboundMessages.channelMessageId })
      .from(inboundMessages)
      .where(and(eq(inboundMessages.channelId, channelId), eq(inboundMessages.channelMessageId, channelMessageId)))
      .limit(1)
      .get() !== undefined

  /** By the flow's token; a reply without one still names the message that it answers. */
  function closeFlow(contactId: string, channelId: string, reply: Inbound['flowReply'], at: number) {
    if (!reply) return
    const close = (session: SQL | undefined) =>
      db
        .update(flowSessions)
        .set({ closedAt: at, closedBy: 'reply' })
        .where(and(session, isNull(flowSessions.closedAt), lt(flowSessions.openedAt, at + replyGranularityMs)))
        .returning({ id: flowSessions.messageId })
        .all()
    // A token is the partner's choice and may be used for many contacts; the upstream's message id is unique.
    const byToken = and(eq(flowSessions.contactId, contactId), eq(flowSessions.flowToken, reply.flowToken ?? ''))
    if (reply.flowToken !== null && close(byToken).length > 0) return
    if (reply.openedBy === null) return
    const opener = db
      .select({ id: messages.id })
      .from(messages)
      .where(
        and(
          sql`${messages.channelMessageId} IS NOT NULL`,
          eq(messages.channelMessageId, reply.openedBy),
          eq(messages.channelId, channelId),
        ),
      )
      .limit(1)
      .get()
    if (opener) close(eq(flowSessions.messageId, opener.id))
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
        const contact =
          phone === null && userId === null
            ? null
            : save({
                id: newContactId,
                workspaceId: channel.workspaceId,
                phone,
                userId,
                name,
                createdAt: recordedAt,
                updatedAt: recordedAt,
              })
        const line =
          upstreamPhoneId === null
            ? undefined
            : db
                .select({ id: lines.id })
                .from(lines)
                .where(and(eq(lines.channelId, channelId), eq(lines.upstreamPhoneId, upstreamPhoneId)))
                .limit(1)
                .get()
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
      return null
    },
  }
}
