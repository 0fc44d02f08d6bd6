import type { Command } from 'commander'
import type { Message } from '../../db/contract/records.ts'
import { moment } from '../base/clock.ts'
import { isUncertain } from '../message/statuses.ts'
import { Refused } from '../operations/act.ts'
import { settleMessage } from '../operations/messages.ts'
import { addVerb } from './command.ts'
import { CommandError, done, UsageError } from './failure.ts'
import { idOf, oneOf, optional, optionalArgument, required, toggle, workspacesOption } from './inputs.ts'
import { fullMessageView, listMax, readNewest } from './messageList.ts'
import { report } from './output.ts'
import type { Workbench } from './session.ts'
import { instant } from './times.ts'
import { meantWorkspaces } from './workspace.ts'

/** At the same time: they share commits, and sends beside them do not wait. */
const atOnce = 100

/** `waypost message resolve`: one message, or all UNKNOWN ones of a filter. */
export function resolveMessages(message: Command, withStore: Workbench['withStore']): void {
  addVerb(message, {
    name: 'resolve',
    summary: 'settle an UNKNOWN message whose outcome you know, or many by a filter',
    example: 'message resolve msg_… --as sent',
    inputs: {
      message: optionalArgument(idOf('message'), 'the message, msg_…; without it, the UNKNOWN ones of a filter'),
      as: required(oneOf('outcome', ['sent', 'failed']), 'sent or failed'),
      workspace: workspacesOption,
      line: optional(idOf('line'), 'all of this line, line_…'),
      since: optional(instant, 'all since then: 2026-01-31, 2026-01-31T10:00Z, or 30m, 24h, 7d, 2w ago'),
      until: optional(instant, 'all before then'),
      force: toggle('really do it, for many; without --force it says how many it would settle, and changes nothing'),
    },
    oneOf: [['message', 'workspace', 'line', 'since', 'until']],
    async run({ message: messageId, as, workspace, force, ...filter }) {
      const outcome = as === 'sent' ? 'SENT' : 'FAILED'
      const isMany = workspace !== undefined || Object.values(filter).some(value => value !== undefined)
      if (messageId !== undefined && isMany)
        throw new UsageError('A message and a filter are given: name one message, or say which ones')
      return withStore(async ({ store, operator }) => {
        if (messageId !== undefined) {
          const after = done(await settleMessage(operator, messageId, outcome))
          const { id, failureReason } = fullMessageView(after)
          const text = report(`Message resolved: it is ${after.status}`, { id, failure: failureReason })
          return { data: fullMessageView(after), text }
        }
        const workspaceIds = (await meantWorkspaces(store, workspace)).map(({ id }) => id)
        const sought = { workspaceIds, filter: { ...filter, status: isUncertain.statuses } }
        const unknown = await readNewest(store.read, sought, listMax)
        const [newest, oldest] = [unknown.at(0), unknown.at(-1)]
        if (!newest || !oldest)
          return { data: { settled: 0, left: 0 }, text: 'No message of an unknown outcome is meant.' }
        if (!force) {
          const times = `of ${moment(oldest.createdAt)} to ${moment(newest.createdAt)} (UTC)`
          throw new CommandError(`--force settles ${unknown.length} UNKNOWN messages as ${outcome}, ${times}`, {
            code: 'NOT_CONFIRMED',
          })
        }
        const settled = await countDone(unknown, id => settleMessage(operator, id, outcome))
        // A callback has told meanwhile what became of the rest.
        const left = unknown.length - settled
        return {
          data: { settled, left },
          text: report('Messages resolved', { [`now ${outcome}`]: settled, 'settled by callbacks meanwhile': left }),
        }
      })
    },
  })
}

/** Does an act with each of many messages. @returns with how many it was done: it was refused of the others */
export async function countDone(
  messages: readonly Pick<Message, 'id'>[],
  act: (messageId: string) => Promise<Message | Refused>,
): Promise<number> {
  let count = 0
  for (let at = 0; at < messages.length; at += atOnce) {
    const ended = await Promise.all(messages.slice(at, at + atOnce).map(({ id }) => act(id)))
    count += ended.filter(end => !(end instanceof Refused)).length
  }
  return count
}
