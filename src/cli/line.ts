import type { Command } from 'commander'
import type { Line } from '../../db/records.ts'
import { systemClock } from '../clock.ts'
import { newId } from '../ids.ts'
import { isoTime } from '../isoTime.ts'
import { pairSecondsDefault, perSecondDefault } from '../messages/pacing.ts'
import { addNoun, addVerb } from './command.ts'
import { CommandError, found, UsageError } from './failure.ts'
import { argument, id, lineNumber, optional, required, whole, workspaceOption } from './inputs.ts'
import { commandLine, report, table } from './output.ts'
import type { Workbench } from './session.ts'
import { findWorkspace } from './workspace.ts'

/** A hundred times the upstream's largest throughput: whoever wants more turns the pacing off. */
const perSecondMax = 100_000
/** Anything slower than one message an hour to a recipient is not a pace any more. */
const pairSecondsMax = 3_600

export function lineCommands(program: Command, { withStore }: Workbench): void {
  const line = addNoun(program, 'line', 'lines: the phone numbers that messages are sent from')
  const lineArgument = argument(id, 'the line, line_…')

  addVerb(line, {
    name: 'add',
    summary: 'add a phone number of a channel as an active line',
    inputs: {
      channel: required(id, 'the channel, chan_…'),
      upstreamPhoneId: required(id, "the upstream platform's id of the number"),
      number: required(lineNumber, 'the number itself, +1…'),
    },
    run: ({ channel, upstreamPhoneId, number }) =>
      withStore(async ({ store }) => {
        const { workspaceId } = found(await store.read.channel(channel), 'channel', channel)
        const addition = await store.write.addLine({
          id: newId('line'),
          workspaceId,
          channelId: channel,
          upstreamPhoneId,
          number,
          active: true,
          perSecond: perSecondDefault,
          pairSeconds: pairSecondsDefault,
          createdAt: systemClock.now(),
        })
        if (addition.outcome !== 'added') {
          throw new CommandError(
            addition.outcome === 'taken'
              ? `The channel has a line with the upstream phone id ${upstreamPhoneId} already`
              : `No channel with the id ${channel}`,
          )
        }
        return {
          data: lineView(addition.line),
          text: report(
            `Line ${number} added`,
            details(addition.line),
            commandLine(`key create --workspace ${workspaceId}`),
          ),
        }
      }),
  })

  addVerb(line, {
    name: 'list',
    summary: 'list the lines of a workspace',
    inputs: { workspace: workspaceOption },
    run: ({ workspace }) =>
      withStore(async ({ store }) => {
        const lines = await store.read.lines((await findWorkspace(store, workspace)).id)
        return {
          data: lines.map(lineView),
          text: table(
            ['id', 'number', 'active', 'per second', 'pair seconds', 'channel', 'upstream phone id'],
            lines.map(({ id, number, active, perSecond, pairSeconds, channelId, upstreamPhoneId }) => [
              id,
              number,
              active,
              perSecond,
              pairSeconds,
              channelId,
              upstreamPhoneId,
            ]),
            `No line yet. Add one: ${commandLine('line add --channel chan_… --upstream-phone-id … --number +…')}`,
          ),
        }
      }),
  })

  const change = (lineId: string, done: string, to: { active?: boolean; perSecond?: number; pairSeconds?: number }) =>
    withStore(async ({ store }) => {
      const changed = found(await store.write.changeLine({ lineId, ...to }), 'line', lineId)
      return { data: lineView(changed), text: report(`Line ${changed.number} ${done}`, details(changed)) }
    })

  addVerb(line, {
    name: 'activate',
    summary: 'let a line send again',
    inputs: { line: lineArgument },
    run: ({ line }) => change(line, 'activated', { active: true }),
  })

  addVerb(line, {
    name: 'deactivate',
    summary: "keep a line from sending, from the gateway's next request on",
    inputs: { line: lineArgument },
    run: ({ line }) => change(line, 'deactivated', { active: false }),
  })

  addVerb(line, {
    name: 'set-rate',
    summary: 'set the pace of a line',
    inputs: {
      line: lineArgument,
      perSecond: optional(whole(0, perSecondMax), 'messages a second; 0: no pacing'),
      pairSeconds: optional(whole(0, pairSecondsMax), 'seconds between messages to one recipient; 0: no pacing'),
    },
    run({ line, perSecond, pairSeconds }) {
      if (perSecond === undefined && pairSeconds === undefined) {
        throw new UsageError('Give --per-second <n>, --pair-seconds <n>, or both')
      }
      return change(line, 'changed', {
        ...(perSecond !== undefined && { perSecond }),
        ...(pairSeconds !== undefined && { pairSeconds }),
      })
    },
  })
}

const lineView = ({ createdAt, ...line }: Line) => ({ ...line, createdAt: isoTime(createdAt) })

const details = ({ id, active, perSecond, pairSeconds }: Line) => ({
  id,
  active,
  'messages a second': perSecond === 0 ? 'not paced' : perSecond,
  'seconds per recipient': pairSeconds === 0 ? 'not paced' : pairSeconds,
})
