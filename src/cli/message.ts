import type { Command } from 'commander'
import type { Message, TimelineEntry } from '../../db/records.ts'
import { systemClock } from '../clock.ts'
import { isoTime, isoTimeOrNull } from '../isoTime.ts'
import { failureReasonOf, type MessageTimes, timesOf } from '../message/state.ts'
import { addNoun, addVerb } from './command.ts'
import { CommandError, found } from './failure.ts'
import { argument, id, limitOption, oneOf, optional, required, workspaceOption } from './inputs.ts'
import { card, commandLine, moment, report, table } from './output.ts'
import type { Workbench } from './session.ts'
import { findWorkspace } from './workspace.ts'

const listDefault = 50

const status = oneOf('status', ['QUEUED', 'SENT', 'DELIVERED', 'READ', 'FAILED', 'UNKNOWN'])

export function messageCommands(program: Command, { withStore }: Workbench): void {
  const message = addNoun(program, 'message', 'messages: what was sent and what became of it')
  const messageArgument = argument(id, 'the message, msg_…')

  addVerb(message, {
    name: 'list',
    summary: 'list the messages of a workspace, newest first',
    example: 'message list --workspace ws_… --status FAILED',
    inputs: {
      workspace: workspaceOption,
      status: optional(status, 'only those of this status'),
      limit: limitOption(listDefault),
    },
    run: ({ workspace, status = null, limit }) =>
      withStore(async ({ store }) => {
        const { id } = await findWorkspace(store, workspace)
        const messages = await store.read.messages({ workspaceId: id, status, most: limit })
        return {
          data: messages.map(messageView),
          text: table(
            ['id', 'type', 'status', 'to', 'created (UTC)', 'failure'],
            messages.map(message => [
              message.id,
              message.type,
              message.status,
              message.recipient,
              moment(message.createdAt),
              failureReasonOf(message),
            ]),
            status === null ? 'No message yet.' : `No message is ${status}.`,
          ),
        }
      }),
  })

  addVerb(message, {
    name: 'show',
    summary: 'show a message and its timeline',
    example: 'message show msg_…',
    inputs: { message: messageArgument },
    run: ({ message: messageId }) =>
      withStore(async ({ store }) => {
        const message = found(await store.read.message(messageId), 'message', messageId)
        const timeline = fullTimeline(message, await store.read.timeline(messageId))
        return {
          data: { ...messageView(message), timeline: timeline.map(entryView) },
          text: [
            card(`${message.type} to ${message.recipient}: ${message.status}`, details(message)),
            '',
            table(
              ['at (UTC)', 'event', 'detail'],
              timeline.map(({ at, kind, detail }) => [moment(at), kind, detail && JSON.stringify(detail)]),
              '',
            ),
            ...(message.status === 'UNKNOWN' ? ['', unknownAdvice(message.id)] : []),
          ].join('\n'),
        }
      }),
  })

  addVerb(message, {
    name: 'resolve',
    summary: 'settle a message whose outcome is UNKNOWN, when you know what became of it',
    example: 'message resolve msg_… --as sent',
    inputs: {
      message: messageArgument,
      as: required(oneOf('outcome', ['sent', 'failed']), 'sent or failed'),
    },
    run: ({ message: messageId, as }) =>
      withStore(async ({ store }) => {
        const before = found(await store.read.message(messageId), 'message', messageId)
        if (before.status !== 'UNKNOWN') {
          throw new CommandError(`Only an UNKNOWN message can be resolved; this one is ${before.status}`)
        }
        const now = systemClock.now()
        const outcome = as === 'sent' ? 'SENT' : 'FAILED'
        // A callback may settle it in this very moment: the state machine then keeps the callback's word.
        await store.write.recordEvent({
          messageId,
          event: { kind: 'resolved', at: now, as: outcome, reason: 'Resolved as failed by the operator.' },
          detail: { as: outcome },
          recordedAt: now,
        })
        const after = found(await store.read.message(messageId), 'message', messageId)
        return {
          data: messageView(after),
          text: report(`Message resolved: it is ${after.status}`, details(after)),
        }
      }),
  })
}

const unknownAdvice = (messageId: string) =>
  `It was handed over and the answer was lost; a callback may still settle it, and it is never sent again.\n` +
  `If you know what became of it: ${commandLine(`message resolve ${messageId} --as sent`)} (or failed)`

/** The events that were recorded, after the one that made the message. */
function fullTimeline({ createdAt }: Message, recorded: readonly TimelineEntry[]): TimelineEntry[] {
  return [{ kind: 'queued', at: createdAt, recordedAt: createdAt, detail: null }, ...recorded]
}

const entryView = ({ kind, at, recordedAt, detail }: TimelineEntry) => ({
  event: kind,
  at: isoTime(at),
  recordedAt: isoTime(recordedAt),
  detail,
})

const shownTimes = ({ sentAt, deliveredAt, readAt }: MessageTimes) => ({
  sentAt: isoTimeOrNull(sentAt),
  deliveredAt: isoTimeOrNull(deliveredAt),
  readAt: isoTimeOrNull(readAt),
})

const messageView = (message: Message) => ({
  id: message.id,
  status: message.status,
  channelMessageId: message.channelMessageId,
  failureReason: failureReasonOf(message),
  ...shownTimes(timesOf(message)),
  createdAt: isoTime(message.createdAt),
  type: message.type,
  recipient: message.recipient,
  contactId: message.contactId,
  workspaceId: message.workspaceId,
  channelId: message.channelId,
  lineId: message.lineId,
})

const details = (message: Message) => ({
  id: message.id,
  'upstream id': message.channelMessageId,
  line: message.lineId,
  failure: failureReasonOf(message),
})
