import { and, eq, getTableColumns, isNull, lt, type SQL } from 'drizzle-orm'
import { digestOf } from '../../src/message/forgotten.ts'
import type { Inbound } from '../records.ts'
import { identities } from './identities.ts'
import type { Connection } from './open.ts'
import { isChannelMessage, isLineThere, valuesOf } from './rows.ts'
import { flowSessions, inboundMessages, lines, messages, workspaces } from './schema.ts'
import type { Verbs } from './verbs.ts'

/** A reply's time is in whole seconds: a reply in the second of the flow still answers it. */
const replyGranularityMs = 1_000

/** The verbs of people: contacts, what they send, and the flows they answer. */
export function contactVerbs(connection: Connection, keepsContents: boolean) {
  const { client, db } = connection
  const people = identities(connection)

  const findWorkspace = client.query<{ workspaceId: string }, [{ channelId: string }]>(
    'SELECT workspace_id AS workspaceId FROM channels WHERE id = $channelId',
  )
  const findInbound = client.query<{ at: number }, [{ channelId: string; id: string; digest: string }]>(
    'SELECT at FROM inbound_messages WHERE channel_id = $channelId AND channel_message_id IN ($id, $digest)',
  )
  const findLine = client.query<{ id: string }, [{ channelId: string; upstreamPhoneId: string }]>(
    `SELECT id FROM lines
     WHERE channel_id = $channelId AND upstream_phone_id = $upstreamPhoneId AND removed_at IS NULL`,
  )
  const putInbound = client.query<never, [typeof inboundMessages.$inferSelect]>(
    `INSERT INTO inbound_messages ${valuesOf(getTableColumns(inboundMessages))}`,
  )

  /**
   * Whether the line belongs only to another workspace: its users are contacts of that workspace. Two workspaces may
   * have connected one account, whose callbacks go to one of them.
   */
  const isLineElsewhere = (workspaceId: string, upstreamPhoneId: string) => {
    const owners = db
      .selectDistinct({ workspaceId: lines.workspaceId })
      .from(lines)
      .where(and(eq(lines.upstreamPhoneId, upstreamPhoneId), isLineThere))
      .all()
    return owners.length > 0 && owners.every(owner => owner.workspaceId !== workspaceId)
  }

  /** The flow that the message with this upstream id opened. */
  const flowOpenedBy = (channelId: string, channelMessageId: string) =>
    db
      .select({ messageId: flowSessions.messageId, flowToken: flowSessions.flowToken })
      .from(messages)
      .innerJoin(lines, eq(lines.seq, messages.lineSeq))
      .innerJoin(flowSessions, eq(flowSessions.messageId, messages.id))
      .where(and(isChannelMessage(channelMessageId), eq(lines.channelId, channelId)))
      .limit(1)
      .get()

  /**
   * Finds the flow by its token; a reply without a token names the message that it answers. The caller chooses the
   * token, and may use it many times, also for one contact. The upstream's message id is unique, so no time is compared
   * for it.
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
      return workspace ? people.save(contact) : null
    },

    recordInbound({ channelId, messages: received, recordedAt }) {
      const channel = findWorkspace.get({ channelId })
      if (!channel) throw new Error('recordInbound: the channel does not exist')
      for (const message of received) {
        const { channelMessageId, kind, at, from, identityChange, upstreamPhoneId, flowReply, content } = message
        // A repeated callback must not restore what is older or erased, or close a flow that was opened later.
        if (findInbound.get({ channelId, id: channelMessageId, digest: digestOf(channelMessageId) })) continue
        const { newContactId, phone, userId, name } = from
        const line = upstreamPhoneId === null ? null : findLine.get({ channelId, upstreamPhoneId })
        const isForeign =
          upstreamPhoneId !== null && line === null && isLineElsewhere(channel.workspaceId, upstreamPhoneId)
        const person = {
          id: newContactId,
          workspaceId: channel.workspaceId,
          phone,
          userId,
          name,
          createdAt: recordedAt,
          updatedAt: recordedAt,
        }
        const isNobody = isForeign || (phone === null && userId === null)
        const contact = isNobody
          ? null
          : identityChange
            ? people.follow(person, identityChange, at)
            : people.save(person, at)
        const formerPhone = identityChange?.formerPhone ?? null
        const isNumberChange = identityChange !== null && phone !== formerPhone
        putInbound.run({
          channelId,
          channelMessageId,
          contactId: contact?.id ?? null,
          lineId: line?.id ?? null,
          kind,
          at,
          recordedAt,
          phone: identityChange === null || isNumberChange ? phone : null,
          formerPhone: isNumberChange ? formerPhone : null,
          content: keepsContents ? content : '{}',
        })
        if (contact) closeFlow(contact.id, channelId, flowReply, at)
      }
    },
  } satisfies Partial<Verbs>
}
