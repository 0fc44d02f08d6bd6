import type { Command } from 'commander'
import { moment } from '../base/clock.ts'
import { loadConfig } from '../config/config.ts'
import { isScheduled } from '../message/statuses.ts'
import { cancelMessage, rescheduleMessage } from '../operations/messages.ts'
import { addVerb } from './command.ts'
import { CommandError, done, UsageError } from './failure.ts'
import { argument, idOf, optional, optionalArgument, required, text, toggle, workspacesOption } from './inputs.ts'
import { fullMessageView, listMax, readNewest } from './messageList.ts'
import { countDone } from './messageResolve.ts'
import { report } from './output.ts'
import type { Workbench } from './session.ts'
import { meantWorkspaces } from './workspace.ts'

/** `waypost message cancel` and `reschedule`: what waits for its time. */
export function scheduledMessages(message: Command, { withStore, environment }: Workbench): void {
  addVerb(message, {
    name: 'cancel',
    summary: 'cancel a SCHEDULED message before its time, or all of a line or workspace',
    example: 'message cancel msg_…',
    inputs: {
      message: optionalArgument(idOf('message'), 'the message, msg_…; without it, the SCHEDULED ones of a filter'),
      workspace: workspacesOption,
      line: optional(idOf('line'), 'all of this line, line_…'),
      force: toggle('really do it, for many; without --force it says how many it would cancel, and changes nothing'),
    },
    oneOf: [['message', 'workspace', 'line']],
    async run({ message: messageId, workspace, line, force }) {
      if (messageId !== undefined && (workspace !== undefined || line !== undefined))
        throw new UsageError('A message and a filter are given: name one message, or say which ones')
      return withStore(async ({ store, operator }) => {
        if (messageId !== undefined) {
          const data = fullMessageView(done(await cancelMessage(operator, messageId)))
          return { data, text: report('Message cancelled', { id: data.id }) }
        }
        const workspaceIds = (await meantWorkspaces(store, workspace)).map(({ id }) => id)
        const sought = { workspaceIds, filter: { line, status: isScheduled.statuses } }
        const scheduled = await readNewest(store.read, sought, listMax)
        if (scheduled.length > 0 && !force) {
          const times = scheduled.map(({ dueAt, createdAt }) => dueAt ?? createdAt)
          const range = `of ${moment(Math.min(...times))} to ${moment(Math.max(...times))} (UTC)`
          throw new CommandError(`--force cancels ${scheduled.length} SCHEDULED messages, ${range}`, {
            code: 'NOT_CONFIRMED',
          })
        }
        const cancelled = await countDone(scheduled, id => cancelMessage(operator, id))
        // Those were released meanwhile.
        const left = scheduled.length - cancelled
        return {
          data: { cancelled, left },
          text: report('Messages cancelled', { cancelled, 'released meanwhile': left }),
        }
      })
    },
  })

  addVerb(message, {
    name: 'reschedule',
    summary: 'move a SCHEDULED message to another time',
    example: 'message reschedule msg_… --send-at 2026-03-01T09:00:00+01:00',
    inputs: {
      message: argument(idOf('message'), 'the message, msg_…'),
      sendAt: required(text('time'), 'the new time, with its offset from UTC'),
    },
    run: ({ message: messageId, sendAt }) =>
      withStore(async ({ operator }) => {
        const { idempotencyTtlMs } = loadConfig(environment())
        const data = fullMessageView(done(await rescheduleMessage(operator, messageId, { sendAt, idempotencyTtlMs })))
        return { data, text: report('Message moved', { id: data.id, 'to be sent at': data.sendAt }) }
      }),
  })
}
