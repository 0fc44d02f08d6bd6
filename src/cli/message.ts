import type { Command } from 'commander'
import type { Message, TimelineEntry } from '../../db/contract/records.ts'
import type { StoreReads } from '../../db/contract/store.ts'
import { messageFieldNames } from '../../db/messageFields.ts'
import { jsonText } from '../base/terminal.ts'
import { messageNamedBy } from '../graph/ownWamid.ts'
import { pricingOf, pricingText } from '../message/pricing.ts'
import { failureReasonOf } from '../message/state.ts'
import { isUncertain } from '../message/statuses.ts'
import { wholeTimeline } from '../message/timeline.ts'
import { referenceField } from '../operations/fields.ts'
import { explainReported } from '../sending/explanation.ts'
import { addNoun, wordsOf } from './command.ts'
import { CommandError, found } from './failure.ts'
import { argument, reference } from './inputs.ts'
import { addReading } from './list.ts'
import { fullMessageView, listMessages } from './messageList.ts'
import { resolveMessages } from './messageResolve.ts'
import { scheduledMessages } from './messageSchedule.ts'
import { sendCommand } from './messageSend.ts'
import { card, commandLine, table, withIsoTimes } from './output.ts'
import type { Workbench } from './session.ts'
import { settleWaiting } from './settleWaiting.ts'

export function messageCommands(program: Command, workbench: Workbench): void {
  const { withStore } = workbench
  const message = addNoun(program, 'message', 'messages: what was sent, and its status')

  listMessages(message, withStore)
  settleWaiting(message, withStore)
  sendCommand(message, workbench)

  addReading(message, workbench, {
    name: 'show',
    summary: 'show a message, its content and its timeline',
    example: 'message show msg_…',
    inputs: {
      message: argument(
        { ...reference(referenceField), of: 'message' },
        "the message: msg_…, the upstream platform's id, or an idempotency key",
      ),
    },
    async read({ store: { read } }, { message: given }) {
      const message = await referred(read, given)
      const [recorded, payload] = await Promise.all([read.timeline(message.id), read.messageContent(message.id)])
      const timeline = wholeTimeline(message, await explainReported(read, message, payload, recorded))
      return { message, timeline, content: contentOf(payload) }
    },
    view: ({ message, timeline, content }) => ({
      ...fullMessageView(message),
      content,
      timeline: timeline.map(entryView),
    }),
    parts: ({ message, timeline, content }) => [
      card(`${message.type} to ${message.recipient}: ${message.status}`, details(message)),
      content === null ? 'Its content is no longer stored.' : `Content: ${jsonText(content)}`,
      table({ 'at (UTC)': 'at', event: 'kind', detail: ({ detail }) => detail && JSON.stringify(detail) }, timeline),
      ...(isUncertain(message.status) ? [unknownAdvice(message.id)] : []),
    ],
  })

  resolveMessages(message, withStore)
  scheduledMessages(message, workbench)
}

const unknownAdvice = (messageId: string) =>
  `It was handed over and the answer was lost; a callback may still settle it, and it is never sent again.\n` +
  `If you know the outcome: ${commandLine(`message resolve ${messageId} --as sent`)} (or failed)`

const entryView = ({ kind, at, recordedAt, detail }: TimelineEntry) =>
  withIsoTimes({ event: kind, at, recordedAt, detail })

/** @throws CommandError when there is no such message, or more than one */
async function referred(read: StoreReads, given: string): Promise<Message> {
  const messages = await read.messagesReferred({ reference: messageNamedBy(given) })
  if (messages.length > 1) {
    const ids = messages.map(({ id, workspaceId }) => `${id} of ${workspaceId}`).join(', ')
    throw new CommandError(`Several messages have ${given}: ${ids}. Name one by its id`, { code: 'CONFLICT' })
  }
  return found(messages[0] ?? null, 'message', given)
}

/** The upstream's request, which contains what the recipient sees. */
const contentOf = (payload: string | null): unknown => (payload === null ? null : JSON.parse(payload))

const details = (message: Message) => ({
  id: message.id,
  'upstream id': message.channelMessageId,
  line: message.lineId,
  'sent with key': message.apiKeyId,
  ...Object.fromEntries(fieldWords.map(([name, words]) => [words, message[name]])),
  failure: failureReasonOf(message),
  price: pricingText(pricingOf(message.pricing)),
})

/** What a send brings of a message, without what stands above it: `idempotencyKey` is its `idempotency key`. */
const fieldWords = messageFieldNames
  .filter(name => name !== 'type' && name !== 'recipient')
  .map(name => [name, wordsOf(name)] as const)
