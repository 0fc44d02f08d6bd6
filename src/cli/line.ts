import type { Command } from 'commander'
import type { Line } from '../../db/contract/records.ts'
import type { Store } from '../../db/contract/store.ts'
import { messagingLimitWords } from '../base/messagingLimit.ts'
import { addLine, changeLine, lineFields, removeLine } from '../operations/channels/lines.ts'
import { chooseLine, type LineChoice } from '../sending/line.ts'
import { addNoun, addVerb } from './command.ts'
import { done, UsageError } from './failure.ts'
import {
  argument,
  id,
  idOf,
  lineNumber,
  name,
  optional,
  optionalArgument,
  required,
  toggle,
  wholeOf,
  workspacesOption,
} from './inputs.ts'
import { addList } from './list.ts'
import { type Answer, commandLine, report, withIsoTimes } from './output.ts'
import type { Workbench } from './session.ts'
import { ofWorkspaces } from './workspace.ts'

export function lineCommands(program: Command, workbench: Workbench): void {
  const { withStore } = workbench
  const line = addNoun(program, 'line', 'lines: the phone numbers that messages are sent from')
  const lineArgument = argument(idOf('line'), 'the line, line_…')

  addVerb(line, {
    name: 'add',
    summary: 'add a phone number of a channel as an active line',
    example: 'line add --channel chan_… --upstream-phone-id 1098765432 --number +4930123456',
    inputs: {
      channel: required(idOf('channel'), 'the channel, chan_…'),
      upstreamPhoneId: required(id, "the upstream platform's id of the number"),
      number: required(lineNumber, 'the number itself, +1…'),
    },
    run: ({ channel, upstreamPhoneId, number }) =>
      withStore(async ({ store, operator }) => {
        const added = done(await addLine(operator, channel, { upstreamPhoneId, number }))
        return changed(store, added, 'added', true, commandLine(`key create --workspace ${added.workspaceId}`))
      }),
  })

  addList(line, workbench, {
    summary: 'list the lines',
    example: 'line list',
    inputs: { workspace: workspacesOption },
    read: ({ store }, { workspace }) => ofWorkspaces(store, workspace, id => store.read.lines(id)),
    view: withIsoTimes,
    columns: {
      id: 'id',
      number: 'number',
      label: 'label',
      name: 'name',
      quality: 'quality',
      limit: ({ messagingLimit }) => messagingLimit && messagingLimitWords(messagingLimit),
      active: 'active',
      default: 'isDefault',
      'per second': 'perSecond',
      'pair seconds': 'pairSeconds',
      'direct send': 'directSend',
      workspace: 'workspaceId',
      channel: 'channelId',
      'upstream phone id': 'upstreamPhoneId',
    },
    whenEmpty: () =>
      `No line yet. Add one: ${commandLine('line add --channel chan_… --upstream-phone-id … --number +…')}`,
    updates: ({ store }, { id }) => store.read.updates(id),
  })

  addVerb(line, {
    name: 'remove',
    summary: 'remove a line for good; its messages stay. Refused while messages wait on it',
    example: 'line remove line_…',
    inputs: { line: lineArgument },
    run: ({ line: lineId }) =>
      withStore(async ({ store, operator }) => {
        const removed = done(await removeLine(operator, lineId), { CONFLICT: commandLine(`line deactivate ${lineId}`) })
        return changed(
          store,
          { ...removed, active: false, isDefault: false },
          'removed: its messages can still be read',
        )
      }),
  })

  const change = (lineId: string, what: string, to: Parameters<typeof changeLine>[2]) =>
    withStore(async ({ store, operator }) => {
      const { line, wasDefault } = done(await changeLine(operator, lineId, to))
      return changed(store, line, wasDefault && !line.isDefault ? `${what}: it is no longer the default line` : what)
    })

  addVerb(line, {
    name: 'default',
    summary: 'set the default line, which sends without a phoneNumberId use',
    example: 'line default line_…',
    inputs: { line: lineArgument, off: toggle('the workspace has no default line any more') },
    run: ({ line: lineId, off }) =>
      withStore(async ({ store, operator }) => {
        const choice = await changeLine(operator, lineId, { isDefault: !off })
        const { line } = done(choice, { CONFLICT: `First: ${commandLine(`line activate ${lineId}`)}` })
        return changed(store, line, off ? 'is not the default line' : 'is the default line')
      }),
  })

  addVerb(line, {
    name: 'activate',
    summary: 'let a line send again',
    example: 'line activate line_…',
    inputs: { line: lineArgument },
    run: ({ line }) => change(line, 'activated', { active: true }),
  })

  addVerb(line, {
    name: 'deactivate',
    summary: "stop a line from sending, from the gateway's next request on",
    example: 'line deactivate line_…',
    inputs: { line: lineArgument },
    run: ({ line }) => change(line, 'deactivated', { active: false }),
  })

  addVerb(line, {
    name: 'direct-send',
    summary: 'let sends from a line have a category, as Direct Send; the platform restricts accounts that misuse it',
    example: 'line direct-send line_…',
    inputs: { line: lineArgument, off: toggle('such sends are refused again') },
    run: ({ line, off }) => change(line, off ? 'refuses Direct Send' : 'takes Direct Send', { directSend: !off }),
  })

  addVerb(line, {
    name: 'label',
    summary: 'name a line, beside its number, wherever one is chosen',
    example: 'line label line_… Berlin',
    inputs: {
      line: lineArgument,
      label: optionalArgument(name, 'what you call it'),
      off: toggle('the line has its number alone'),
    },
    run({ line, label = '', off }) {
      if ((label === '') !== off) throw new UsageError('Give either a name or --off')
      return change(line, off ? 'has no name any more' : `is named ${label}`, { label })
    },
  })

  addVerb(line, {
    name: 'set-rate',
    summary: 'set the pace of a line',
    example: 'line set-rate line_… --per-second 250',
    inputs: {
      line: lineArgument,
      perSecond: optional(wholeOf(lineFields.perSecond), 'messages a second; 0: no pacing'),
      pairSeconds: optional(wholeOf(lineFields.pairSeconds), 'seconds between messages to one recipient; 0: no pacing'),
    },
    run({ line, perSecond, pairSeconds }) {
      if (perSecond === undefined && pairSeconds === undefined) {
        throw new UsageError('Give --per-second <n>, --pair-seconds <n>, or both')
      }
      return change(line, 'changed', { perSecond, pairSeconds })
    },
  })
}

/**
 * After every change, reports which line a send without a `phoneNumberId` uses now, because the change may affect that.
 * @param isAdded the line is new
 */
async function changed(store: Store, line: Line, what: string, isAdded = false, next?: string): Promise<Answer> {
  const lines = await store.read.lines(line.workspaceId)
  const choice = chooseLine(lines, null)
  const used = choice.ok ? choice.line : null
  const activeCount = lines.filter(({ active }) => active).length
  const isToChoose = used === null && activeCount > 1
  const others = lines.filter(({ id }) => id !== line.id)
  return {
    data: { ...withIsoTimes(line), unnamedLineId: used?.id ?? null },
    text: report(
      `Line ${line.number} ${what}`,
      { ...details(line), 'sends that name no line': used === null ? 'are refused' : `use ${used.number}, ${used.id}` },
      isToChoose ? chooseDefault(isAdded ? chooseLine(others, null) : null, activeCount) : next,
    ),
  }
}

/** Proposes the line that was used until now: a pasted command must not change the sending number. */
function chooseDefault(before: LineChoice | null, activeCount: number): string {
  const isRefused = `a send without a phoneNumberId is refused,\n      as the workspace has ${activeCount} active lines`
  return before?.ok
    ? `${commandLine(`line default ${before.line.id}`)}: continues with ${before.line.number}. ` +
        `Until a line is the default,\n      ${isRefused}`
    : `${commandLine('line default line_…')}: until a line is the default, ${isRefused}`
}

const details = ({ id, label, active, isDefault, perSecond, pairSeconds, directSend }: Line) => ({
  id,
  ...(label !== null && { label }),
  active,
  default: isDefault,
  'messages a second': perSecond === 0 ? 'not paced' : perSecond,
  'seconds per recipient': pairSeconds === 0 ? 'not paced' : pairSeconds,
  'direct send': directSend,
})
