import { Elysia } from 'elysia'
import type { Contact, Message, Template, TimelineEntry } from '../../../db/contract/records.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import { field, list, parseObject } from '../../base/json.ts'
import { failureReason } from '../../graph/answer.ts'
import { closedWindowCode } from '../../graph/codes.ts'
import { causeWords, explanationOf, failureOfReason } from '../../graph/failures.ts'
import { messageNamedBy } from '../../graph/ownWamid.ts'
import { windowEndAt } from '../../inbound/window.ts'
import { dayOf } from '../../message/counts.ts'
import { causesOf } from '../../message/dayNumbers.ts'
import { failureReasonOf, reportedFailure } from '../../message/state.ts'
import { isOpen, isShownAsWaiting } from '../../message/statuses.ts'
import { wholeTimeline } from '../../message/timeline.ts'
import { keyLabelsOf } from '../../operations/apiKeys.ts'
import { messageWithin } from '../../operations/messages.ts'
import { findAll, findPage, findWritten, type MessageList, searcherOf } from '../../reading/messages.ts'
import { pageDefault } from '../../reading/steps.ts'
import { exportFilter, findMeant } from '../../reading/text.ts'
import { contentToSend } from '../../sending/again.ts'
import { keptFault } from '../../sending/answerEvent.ts'
import { explainReported } from '../../sending/explanation.ts'
import type { OpenMessage } from '../../sending/openMessages.ts'
import { requestIn } from '../../sending/schedule.ts'
import { templateRecord } from '../../templates/record.ts'
import { sentValues } from '../../templates/sentValues.ts'
import { parseTemplate } from '../../templates/shape.ts'
import { campaignRoutes } from '../campaigns/routes.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { done } from '../refusals.ts'
import { iso, isoOrNull } from '../shapes.ts'
import { costOfOne } from './againCost.ts'
import { countMessages, knownMs } from './count.ts'
import { csvLines, csvStream, exportUntilAborted } from './csv.ts'
import { filterOf } from './filter.ts'
import { manyAgainRoutes } from './manyAgain.ts'
import {
  choicesAnswer,
  countAnswer,
  countQuery,
  listQuery,
  type MessagesAnswer,
  messageAnswer,
  rowsAnswer,
  rowsQuery,
} from './schemas.ts'
import { seenOf } from './seen.ts'
import { sendersOf } from './senders.ts'
import { listed, shownMessage } from './view.ts'

/** `GET …/messages`, its filters, and one message in full; and what sends many. */
export function messageRoutes(parts: ConsoleParts) {
  const { clock, config, searches, exports } = parts
  const { read } = parts.store
  return new Elysia({ name: 'console-messages', prefix: '/workspaces/:workspaceId' })
    .use(guard(parts))
    .use(manyAgainRoutes(parts))
    .use(campaignRoutes(parts))
    .get(
      '/messages',
      async ({ member, query, request, set }): Promise<MessagesAnswer | Response> => {
        const { workspaceId } = member
        const searcher = searcherOf(read, clock, member.turn)
        const text = messageNamedBy(query.q?.trim() ?? '')
        const written = await findWritten(searcher, workspaceId, text)
        const filter = { ...filterOf(workspaceId, query), ...(written.kind === 'filter' && written.filter) }
        if (query.format === 'csv') {
          set.headers['content-type'] = 'text/csv; charset=utf-8'
          set.headers['content-disposition'] = `attachment; filename="messages-${iso(clock.now()).slice(0, 10)}.csv"`
          const all = written.kind === 'text' ? await exportFilter(searcher, filter, text) : filter
          const found = written.kind === 'messages' ? once(written.messages) : findAll(searcher, all)
          const lines = csvLines({ read, turn: member.turn }, workspaceId, found)
          return new Response(csvStream(lines, exportUntilAborted(exports, member, request)))
        }
        const limit = query.limit ?? pageDefault
        const find = async (): Promise<MessageList> => {
          switch (written.kind) {
            case 'messages':
              return { messages: written.messages, older: null, newer: null, searchedTo: null }
            case 'text':
              return findMeant(searcher, { filter, written: text, cursor: query.older, limit })
            case 'filter':
            case 'nothing': {
              const direction = query.newer === undefined ? 'older' : 'newer'
              return findPage(searcher, { filter, direction, cursor: query.newer ?? query.older, limit })
            }
          }
        }
        const { messages, older, newer, searchedTo } = await searches.search(member, find)
        return {
          messages: await listed(read, workspaceId, messages),
          older,
          newer,
          searchedTo: isoOrNull(searchedTo),
        }
      },
      {
        role: 'viewer',
        query: listQuery,
        summary: 'Search messages',
        description:
          'Newest first. A rare combination of filters is searched in parts: then `searchedTo` is set, and ' +
          'the cursor continues. `format=csv` gives all matches; two exports at once for a user, three for a ' +
          'workspace (429).',
      },
    )
    .get(
      '/message-rows',
      async ({ member: { workspaceId }, query: { ids: given, older, newer, ...filters } }) => {
        const ids = given.split(',')
        const direction = newer === undefined ? 'older' : 'newer'
        const page = { direction, cursor: newer ?? older, limit: ids.length, scan: ids.length } as const
        const { messages } = await read.searchMessages({ ...filterOf(workspaceId, filters), ids, ...page })
        return {
          messages: await listed(read, workspaceId, direction === 'older' ? messages : messages.toReversed()),
        }
      },
      {
        role: 'viewer',
        query: rowsQuery,
        response: rowsAnswer,
        summary: 'Read rows of the list of messages',
        description:
          'Which of these messages are in the list with these filters, behind this cursor: a page that follows ' +
          'changes reads only what has changed.',
      },
    )
    .get(
      '/message-count',
      async ({ member, query }) => {
        const { workspaceId, turn } = member
        const now = clock.now()
        const times = { now, retainedSince: now - (config.messageRetentionMs ?? now) }
        return searches.search(member, () =>
          countMessages(read, searcherOf(read, clock, turn), filterOf(workspaceId, query), times),
        )
      },
      {
        role: 'viewer',
        query: countQuery,
        response: countAnswer,
        summary: 'Count messages',
        description:
          'How many messages fit, when that is known soon, as of days of UTC by status and error: else at least ' +
          'so many, with `isMore`.',
      },
    )
    .get(
      '/message-filters',
      async ({ member: { workspaceId } }) => {
        const since = dayOf(clock.now() - knownMs)
        const [lines, keys, templates, counts] = await Promise.all([
          read.lines(workspaceId),
          read.keys(workspaceId),
          read.templates({ workspaceId, approved: false }),
          read.dailyCounts({ workspaceId, since }),
        ])
        return {
          lines: lines.map(({ id, number, label }) => ({ id, number, label })),
          keys: [...keyLabelsOf(keys)].map(([id, label]) => ({ id, label })),
          templates: [...new Set(templates.map(({ name }) => name))].sort(),
          languages: [...new Set(templates.map(({ language }) => language))].sort(),
          causes: causesOf(counts)
            .filter(({ cause }) => cause !== '')
            .map(({ cause }) => ({ cause, words: causeWords(cause) })),
        }
      },
      {
        role: 'viewer',
        response: choicesAnswer,
        summary: 'List filters',
        description: 'The lines, keys, templates and errors to filter messages by.',
      },
    )
    .get(
      '/messages/:messageId',
      async ({ member, params }) => details(parts, done(await messageWithin(member, params.messageId))),
      {
        role: 'viewer',
        response: messageAnswer,
        summary: 'Show a message',
        description: "With its timeline, and the upstream's request as long as it is stored.",
      },
    )
}

async function* once(messages: readonly Message[]) {
  yield messages
}

async function details({ store: { read }, sending: { outbox } }: ConsoleParts, message: Message) {
  const { workspaceId, lineId, channelId, contactId, againOf } = message
  const [recorded, payload, line, channel, senderOf, repeated, sentAgainAs, cost] = await Promise.all([
    read.timeline(message.id),
    read.messageContent(message.id),
    read.line(lineId),
    read.channel(channelId),
    sendersOf(read, workspaceId, [message]),
    againOf === null ? null : read.statusView(againOf),
    read.sentAgainAs(message.id),
    costOfOne(read, message),
  ])
  const contact = await contactOf(read, message, contactId)
  const contents = new Map(payload === null ? [] : [[message.id, payload]])
  const { template, bubble, said } = await (await seenOf(read, workspaceId, [message], contents))(message)
  const reason = failureReasonOf(message)
  const failure = reason === null ? null : failureOfReason(reason)
  const timeline = await explainReported(read, message, payload, recorded)
  return {
    message: shownMessage(message),
    failure,
    openUntil: isoOrNull(failure?.code === closedWindowCode ? await openUntil(read, message, contact) : null),
    waiting: isShownAsWaiting(message.status) ? waitingOf(outbox.openOf(message.id), recorded) : null,
    line: line && { id: line.id, number: line.number, label: line.label },
    channel: channel && { id: channel.id, accountId: channel.accountId },
    sentBy: senderOf(message),
    contact: contact && { id: contact.id, name: contact.name },
    template: template && { id: template.id, language: template.language },
    ...{ bubble, said },
    content: payload === null ? null : (requestIn(payload) ?? payload),
    canSendAgain: payload !== null && contentToSend(payload) !== null && !isOpen(message.status),
    filled: payload === null || template === null ? null : filledOf(payload, template, timeline, reason ?? ''),
    repeated: repeated?.id ?? null,
    ...{ sentAgainAs, cost },
    attempts: attemptsOf(recorded, message),
    timeline: wholeTimeline(message, timeline).map(entry => ({
      event: entry.kind,
      at: iso(entry.at),
      recordedAt: iso(entry.recordedAt),
      explanation: explanationOf(entry),
      issues: issuesOf(entry),
      detail: entry.detail,
    })),
  }
}

const issuesOf = ({ detail }: TimelineEntry) => [...((detail && keptFault(detail).issues) ?? [])]

/** What fills the template of a message, with what its refusals say of it. */
function filledOf(payload: string, template: Template, timeline: readonly TimelineEntry[], reason: string) {
  const components = list(field(field(parseObject(payload), 'template'), 'components'))
  const shape = parseTemplate(templateRecord(template))
  // Without the code, which stands before it.
  const sentence = reason.replace(/^\d+: /, '')
  const filled = sentValues(components, shape, timeline.flatMap(issuesOf), sentence)
  return filled && { values: { ...filled.values }, wrong: [...filled.wrong] }
}

/** The contact that it was sent to, or the one that has its number now. */
async function contactOf(read: StoreReads, { workspaceId, recipient }: Message, contactId: string | null) {
  if (contactId !== null) return read.contact({ workspaceId, contactId })
  const by = recipient.startsWith('+') ? { phone: recipient } : { userId: recipient }
  const { contacts } = await read.searchContacts({ workspaceId, ...by, limit: 1, scan: 1 })
  return contacts[0] ?? null
}

/** @returns until when the window was open, as far as it is known here, when the message failed */
async function openUntil(read: StoreReads, message: Message, contact: Contact | null) {
  const at = reportedFailure(message)?.at ?? message.gaveUpAt
  return contact && at !== null ? windowEndAt(read, { contactId: contact.id, lineId: message.lineId, at }) : null
}

/** Why a message has no end yet. What lines of another instance wait for is unknown here. */
function waitingOf(open: OpenMessage | null, recorded: readonly TimelineEntry[]) {
  const putOff = recorded.findLast(({ kind }) => kind === 'deferred')?.detail
  return {
    scope: open?.scope ?? ('elsewhere' as const),
    until: isoOrNull(open?.until ?? null),
    refusal: putOff ? failureOfReason(failureReason(keptFault(putOff))) : null,
  }
}

/** Each deferred refusal was an attempt, and so is the last hand-over. */
const attemptsOf = (recorded: readonly { readonly kind: string }[], { dispatchedAt }: Message) =>
  recorded.filter(({ kind }) => kind === 'deferred').length + (dispatchedAt === null ? 0 : 1)
