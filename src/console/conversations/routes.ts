import { Elysia } from 'elysia'
import type { Conversation } from '../../../db/contract/conversations.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import { saidOf } from '../../inbound/said.ts'
import { lastWindow, timesMax } from '../../inbound/window.ts'
import { isEcho } from '../../message/kinds.ts'
import { contactOf } from '../../operations/contacts.ts'
import { inSteps } from '../../reading/steps.ts'
import { meantBy, shownContact } from '../contacts/schemas.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { done } from '../refusals.ts'
import { iso, isoOrNull } from '../shapes.ts'
import { composeRoutes } from './composeRoutes.ts'
import { conversationPage, sentEntriesOf } from './page.ts'
import {
  conversationAnswer,
  conversationQuery,
  conversationsAnswer,
  conversationsQuery,
  readAnswer,
  readBody,
  unreadAnswer,
} from './schemas.ts'

const pageDefault = 30
/** More unread conversations are told as "99+". */
const countMax = 99

/** The conversations with the people who wrote. */
export function conversationRoutes(parts: ConsoleParts) {
  const { searches } = parts
  const { read } = parts.store
  return new Elysia({ name: 'console-conversations', prefix: '/workspaces/:workspaceId' })
    .use(guard(parts))
    .use(composeRoutes(parts))
    .get(
      '/conversations',
      async ({ member, query: { q, unread, cursor, limit = pageDefault } }) => {
        const { workspaceId, turn } = member
        const filter = { workspaceId, isUnread: unread !== undefined, ...meantBy(q) }
        const { rows, next } = await searches.search(member, () =>
          inSteps<Conversation, number>(turn, { cursor, limit }, async step => {
            const { conversations, next } = await read.conversations({ ...filter, ...step })
            return { rows: conversations, next }
          }),
        )
        return { conversations: await listed(read, rows), next }
      },
      {
        role: 'viewer',
        query: conversationsQuery,
        response: conversationsAnswer,
        summary: 'List conversations',
        description: 'With the people who wrote, who wrote last first, and the last words of either side.',
      },
    )
    .get(
      '/conversation-count',
      async ({ member: { workspaceId } }) => {
        const count = await read.unreadConversations({ workspaceId, max: countMax + 1 })
        return { unread: Math.min(count, countMax), isMore: count > countMax }
      },
      {
        role: 'viewer',
        response: unreadAnswer,
        summary: 'Count unread conversations',
        description: 'Those with something that nobody of the workspace has read.',
      },
    )
    .get(
      '/contacts/:contactId/conversation',
      async ({ member, params: { contactId }, query: { before } }) => {
        const contact = done(await contactOf(member, contactId))
        // Before the entries: what comes meanwhile is not read yet.
        const { upTo, unread } = await read.heard({ contactId: contact.id })
        const [page, times, lines] = await Promise.all([
          conversationPage(read, contact, before),
          read.inboundTimes({ contactId: contact.id, since: 0, limit: timesMax }),
          read.lines(member.workspaceId),
        ])
        const active = lines.filter(line => line.active)
        const last = lastWindow(times, active)
        const windowEndsAt = isoOrNull(last?.endsAt ?? null)
        const phoneNumberId = last?.lineId ?? (active.find(line => line.isDefault) ?? active[0])?.id ?? null
        return { contact: shownContact(contact), ...page, upTo, unread, phoneNumberId, windowEndsAt }
      },
      {
        role: 'viewer',
        query: conversationQuery,
        response: conversationAnswer,
        summary: 'Show a conversation',
        description: 'What was sent to a contact and what it wrote: the last page, or the one before a cursor.',
      },
    )
    .post(
      '/contacts/:contactId/read',
      async ({ member, params, body: { upTo } }) => {
        const { id: contactId, workspaceId } = done(await contactOf(member, params.contactId))
        return { wasUnread: await member.write.readConversation({ workspaceId, contactId, upTo }) }
      },
      {
        role: 'member',
        body: readBody,
        response: readAnswer,
        summary: 'Mark a conversation as read',
        description: 'For the whole workspace, up to `upTo` of what was shown. The person is not told.',
      },
    )
}

async function listed(read: StoreReads, conversations: readonly Conversation[]) {
  const sent = await sentEntriesOf(
    read,
    conversations.flatMap(({ lastSent }) => lastSent ?? []),
  )
  return conversations.map(({ contact, heardAt, unread, lastReceived, lastSent }) => {
    const ours = lastSent && lastSent.createdAt > lastReceived.at ? sent.get(lastSent.id)?.sent : null
    const { type, text } = saidOf(lastReceived)
    return {
      contact: shownContact(contact),
      unread,
      heardAt: iso(heardAt),
      last: ours
        ? { isOurs: true, type: ours.type, words: ours.words ?? ours.templateName, status: ours.status }
        : { isOurs: isEcho(lastReceived.kind), type, words: text, status: null },
    }
  })
}
