import { Elysia } from 'elysia'
import type { Conversation, ConversationState } from '../../../db/contract/conversations.ts'
import type { RelatedEntry } from '../../../db/contract/inbound.ts'
import type { Message } from '../../../db/contract/records.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import { wantsNoMarketing } from '../../inbound/preferences.ts'
import { saidAfter, saidOf } from '../../inbound/said.ts'
import { tellAllOpen, timesMax, usualLine, windowEnds } from '../../inbound/window.ts'
import { isEcho } from '../../message/kinds.ts'
import { heardAt, sentAt } from '../../message/saidAt.ts'
import { contactOf } from '../../operations/contacts.ts'
import { searchedWords } from '../../reading/searchedWords.ts'
import { inSteps } from '../../reading/steps.ts'
import { shownContact } from '../contacts/routes.ts'
import { guard, type MemberCaller } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { conflict, done, found, wrongField } from '../refusals.ts'
import { iso, isoOrNull } from '../shapes.ts'
import { composeRoutes } from './composeRoutes.ts'
import { findHits } from './hits.ts'
import { conversationPage, sentEntriesOf } from './page.ts'
import {
  changedAnswer,
  conversationAnswer,
  conversationQuery,
  conversationsAnswer,
  conversationsQuery,
  countMax,
  countsAnswer,
  type Entry,
  hitsAnswer,
  hitsQuery,
  type listShows,
  readAnswer,
  readBody,
  stateBody,
  takeBody,
  toldAnswer,
} from './schemas.ts'

const pageDefault = 30
/** Of the unread conversations, so many are looked at whether somebody answered: few milliseconds. */
const countScan = 200

/** The conversations with the people who wrote. */
export function conversationRoutes(parts: ConsoleParts) {
  const { feed, searches } = parts
  const { read } = parts.store
  return new Elysia({ name: 'console-conversations', prefix: '/workspaces/:workspaceId' })
    .use(guard(parts))
    .use(composeRoutes(parts))
    .get(
      '/conversations',
      async ({ member, query: { q = '', show, unread, line, cursor, limit = pageDefault } }) => {
        const { workspaceId, turn } = member
        const state = show && stateOf(show, member.user.id)
        const filter = { workspaceId, state, isUnread: unread !== undefined, lineId: line, words: searchedWords(q) }
        const { rows, next } = await searches.search(member, () =>
          inSteps<Conversation, number>(turn, { cursor, limit }, async step => {
            const { conversations, next } = await read.conversations({ ...filter, ...step })
            return { rows: conversations, next }
          }),
        )
        return { conversations: await listed(read, workspaceId, rows), next }
      },
      {
        role: 'viewer',
        query: conversationsQuery,
        response: conversationsAnswer,
        summary: 'List conversations',
        description:
          'With the people who wrote, or to whom members did, and the last words of either side: the last word first.',
      },
    )
    .get(
      '/conversation-hits',
      async ({ member, query: { q, contactId, cursor, limit = pageDefault } }) => {
        const { workspaceId, turn } = member
        const contact = contactId === undefined ? null : done(await contactOf(member, contactId))
        const query = { workspaceId, contact, written: q, cursor, limit }
        return searches.search(member, () => findHits(parts, turn, query))
      },
      {
        role: 'viewer',
        query: hitsQuery,
        response: hitsAnswer,
        summary: 'Search what was written',
        description:
          'By the words of it, some of which may be the name or number of the person. It is searched in parts: a ' +
          'page has what was found in some time, also nothing, and `next` goes on. Nothing deleted is found.',
      },
    )
    .get(
      '/conversation-count',
      async ({ member: { workspaceId, user } }) => {
        const bounds = { max: countMax + 1, scan: countScan }
        const { unread, isUnreadMore, ...counts } = await read.conversationCounts({
          ...{ workspaceId, userId: user.id, ...bounds },
        })
        return { unread: Math.min(unread, countMax), isMore: isUnreadMore || unread > countMax, ...counts }
      },
      {
        role: 'viewer',
        response: countsAnswer,
        summary: 'Count conversations',
        description: 'Those with something that nobody of the workspace has read or answered, and those of each list.',
      },
    )
    .get(
      '/contacts/:contactId/conversation',
      async ({ member, params: { contactId }, query: { around, ...place } }) => {
        const contact = done(await contactOf(member, contactId))
        // Before the entries: what comes meanwhile is not read yet.
        const { upTo, unread, unreadFrom, sorted } = await read.heard({
          workspaceId: member.workspaceId,
          contactId: contact.id,
        })
        const [page, times, lines, updates, workspace] = await Promise.all([
          conversationPage(read, contact, around === undefined ? place : { around: Date.parse(around) }),
          read.inboundTimes({ contactId: contact.id, since: 0, limit: timesMax }),
          read.lines(member.workspaceId),
          read.updates(contact.id),
          read.workspace(member.workspaceId),
        ])
        const noMarketing = wantsNoMarketing(updates)
        const active = lines.filter(line => line.active)
        const ends = windowEnds(times)
        const isRestClosed = tellAllOpen(times, member.clock.now())
        const phoneNumberId = usualLine(times, active)?.id ?? null
        return {
          ...{ contact: shownContact(contact), ...page, upTo, unread, ...sorted, phoneNumberId, noMarketing },
          unreadFrom: unreadFrom && { number: unreadFrom.seq, at: iso(unreadFrom.at) },
          onOptOut: found(workspace, 'workspace').onOptOut,
          lines: lines.map(({ id, number, label, active }) => ({
            ...{ id, number, label, active, windowEndsAt: isoOrNull(ends.get(id) ?? null) },
            isWindowKnown: isRestClosed || ends.has(id),
          })),
        }
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
    .post(
      '/contacts/:contactId/unread',
      async ({ member, params, body: { upTo } }) => {
        const { id: contactId, workspaceId } = done(await contactOf(member, params.contactId))
        const change = { workspaceId, contactId, upTo, at: member.clock.now() }
        return { wasChanged: await member.write.unreadConversation(change) }
      },
      {
        role: 'member',
        body: readBody,
        response: changedAnswer,
        summary: 'Mark a conversation as unread',
        description:
          'The last message of an open one of which all is read, which is that of `upTo`: for the whole workspace, ' +
          'until somebody reads it or answers. What came after is unread by itself.',
      },
    )
    .post(
      '/contacts/:contactId/conversation/state',
      async ({ member, params, body: { doneUpTo: upTo } }) => {
        const { id: contactId, workspaceId } = done(await contactOf(member, params.contactId))
        const of = { workspaceId, contactId }
        const wasChanged = await (upTo === null
          ? member.write.reopenConversation(of)
          : member.write.finishConversation({ ...of, upTo }))
        return { wasChanged }
      },
      {
        role: 'member',
        body: stateBody,
        response: changedAnswer,
        summary: 'Mark a conversation as done, or open it',
        description: 'It stays open when the person wrote something after `doneUpTo`. Nobody has one that is done.',
      },
    )
    .post(
      '/contacts/:contactId/conversation/taker',
      async ({ member, params, body: { takenBy, insteadOf } }) => {
        const { id: contactId, workspaceId } = done(await contactOf(member, params.contactId))
        const byUserId = member.user.id
        const change = { workspaceId, contactId, byUserId, takenBy, insteadOf }
        const outcome = await member.write.takeConversation(change)
        if (outcome === 'othersMeanwhile') throw conflict('Somebody else has changed who has it. Look again.')
        if (outcome === 'mayNotAnswer') throw wrongField('/takenBy', 'is no member who may answer')
        const tell = (kind: 'given' | 'takenOver', to: string | null) => {
          if (outcome === 'changed' && to !== null && to !== byUserId)
            feed.give(workspaceId, { kind, contactId, by: nameOf(member), to })
        }
        tell('given', takenBy)
        tell('takenOver', insteadOf)
        return { wasChanged: outcome === 'changed' }
      },
      {
        role: 'member',
        body: takeBody,
        response: changedAnswer,
        summary: 'Take a conversation, give it to a member, or give it back',
        description:
          'Who takes one opens it. Who gets it, and who loses it, is told by a sign. 409 when somebody else has it ' +
          'than `insteadOf` says.',
      },
    )
    .post(
      '/contacts/:contactId/writing',
      async ({ member, params }) => {
        const { id: contactId, workspaceId } = done(await contactOf(member, params.contactId))
        feed.give(workspaceId, { kind: 'writing', contactId, by: nameOf(member), to: null })
        return { isTold: true }
      },
      {
        role: 'member',
        response: toldAnswer,
        summary: 'Tell the others that the user is writing',
        description: 'By a sign in the events of the workspace, which nobody keeps.',
      },
    )
}

const nameOf = ({ user: { id: userId, name, email } }: MemberCaller) => ({ userId, name: name ?? email })

const wordsSent = (message: Message, { type, said, words, templateName, status, by }: NonNullable<Entry['sent']>) => ({
  // A sound may be a voice message.
  ...{ at: iso(sentAt(message)), isOurs: true, type: said?.type ?? type, words: words ?? templateName, status, by },
})

function wordsReceived(received: RelatedEntry) {
  const { type, text } = lastWords(received)
  return { at: iso(heardAt(received)), isOurs: isEcho(received.kind), type, words: text, status: null, by: null }
}

/** As the message is now. */
function lastWords(received: RelatedEntry): Pick<ReturnType<typeof saidOf>, 'type' | 'text'> {
  const { edited, deleted } = received.related
  if (deleted) return { type: 'revoke', text: null }
  const { type, text } = saidOf(received)
  return { type, text: (edited && saidAfter(edited)) ?? text }
}

const stateOf = (show: (typeof listShows)[number], userId: string): ConversationState =>
  show === 'mine' ? { takenBy: userId } : show

async function listed(read: StoreReads, workspaceId: string, conversations: readonly Conversation[]) {
  const sent = await sentEntriesOf(
    read,
    workspaceId,
    conversations.flatMap(({ lastSent }) => lastSent ?? []),
  )
  return conversations.flatMap(({ contact, unread, upTo, sorted, lastReceived, lastSent }) => {
    // What was tried is shown, and what became of it: a member must see that an answer failed.
    const isOurs = lastSent !== null && sentAt(lastSent) > (lastReceived ? heardAt(lastReceived) : 0)
    const ours = isOurs ? sent.get(lastSent.id)?.sent : null
    const last = ours && lastSent ? wordsSent(lastSent, ours) : lastReceived && wordsReceived(lastReceived)
    return last ? [{ contact: shownContact(contact), unread, upTo, ...sorted, last }] : []
  })
}
