import { Elysia } from 'elysia'
import type { Line } from '../../../db/records.ts'
import { latestMessages, lineHealth } from '../../channels/lineHealth.ts'
import { lineNumberOf } from '../../channels/lineNumber.ts'
import { newLine, pairSecondsMax, perSecondMax } from '../../channels/lines.ts'
import { closed, Type, wire } from '../../schema.ts'
import { chooseLine } from '../../sending/line.ts'
import { guard, type MemberCaller } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { conflict, found, ownOf, unknown, wrongField } from '../refusals.ts'
import { orNull, shape, wired } from '../shapes.ts'
import { healthSchema, healthView } from './lineHealth.ts'
import { removedThing } from './removal.ts'
import { channelOf } from './routes.ts'
import { lineSchema, lineView, upstreamId } from './schemas.ts'

/** Longer than any number; lineNumberOf checks the form. */
const numberLengthMax = 40

const newLineBody = wired('NewLine', {
  channelId: Type.String(),
  upstreamPhoneId: upstreamId,
  number: Type.String({ minLength: 1, maxLength: numberLengthMax, description: 'With its country code, `+49…`.' }),
})
const changeBody = wire(
  closed(
    {
      active: Type.Optional(Type.Boolean()),
      isDefault: Type.Optional(Type.Boolean({ description: 'Only an active line can be the default.' })),
      perSecond: Type.Optional(Type.Integer({ minimum: 0, maximum: perSecondMax })),
      pairSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: pairSecondsMax })),
    },
    { minProperties: 1, title: 'LineChange' },
  ),
)
const lineAnswer = wire(lineSchema)
const linesAnswer = wired('LineList', {
  lines: Type.Array(shape('ListedLine', { ...lineSchema.properties, health: healthSchema })),
  unnamedLineId: orNull(Type.String(), {
    description: 'The line for sends that name none; null: they are refused.',
  }),
})

/** The lines of a workspace: the phone numbers that messages are sent from. */
export function lineRoutes(parts: ConsoleParts) {
  const { store, clock } = parts
  const { read } = store
  const lineOf = async (member: MemberCaller, lineId: string) => ownOf(member, await read.line(lineId), 'line')

  return new Elysia({ name: 'console-lines', prefix: '/workspaces/:workspaceId/lines' })
    .use(guard(parts))
    .get(
      '',
      async ({ member }) => {
        const { workspaceId } = member
        const [lines, channels] = await Promise.all([read.lines(workspaceId), read.channels(workspaceId)])
        const latest = await latestMessages(read, workspaceId, lines)
        const choice = chooseLine(lines, null)
        const listed = (line: Line) => ({
          ...lineView(line),
          health: healthView(lineHealth(line, latest, channels, clock.now())),
        })
        return { lines: lines.map(listed), unnamedLineId: choice.ok ? choice.line.id : null }
      },
      { role: 'viewer', response: linesAnswer, summary: 'List lines' },
    )
    .post(
      '',
      async ({ member, body }) => {
        const channel = await channelOf(parts, member, body.channelId)
        const number = lineNumberOf(body.number)
        if (number === null) {
          const message = 'must be a number with its country code, as in +4930123456'
          throw wrongField('/number', message)
        }
        const line = newLine(channel, { upstreamPhoneId: body.upstreamPhoneId, number }, clock.now())
        const addition = await member.write.addLine(line)
        switch (addition.outcome) {
          case 'added':
            return lineView(addition.line)
          case 'unknownChannel':
            throw unknown('channel')
          case 'taken':
            throw conflict('The channel already has a line with this phone id.')
        }
      },
      {
        role: 'admin',
        body: newLineBody,
        response: lineAnswer,
        summary: 'Add a line',
        description: 'A phone number of a channel, active from now on.',
      },
    )
    .patch(
      '/:lineId',
      async ({ member, params, body }) => {
        const { id } = await lineOf(member, params.lineId)
        const { isDefault, active, perSecond, pairSeconds } = body
        const change = {
          ...(active !== undefined && { active }),
          ...(perSecond !== undefined && { perSecond }),
          ...(pairSeconds !== undefined && { pairSeconds }),
        }
        if (Object.keys(change).length > 0 || isDefault === undefined) {
          const changed = await member.write.changeLine({ lineId: id, ...change })
          if (isDefault === undefined) return lineView(found(changed, 'line').line)
        }
        const choice = await member.write.setDefaultLine({ lineId: id, isDefault })
        switch (choice.outcome) {
          case 'changed':
            return lineView(choice.line)
          case 'unknownLine':
            throw unknown('line')
          case 'inactive':
            throw conflict('The line is inactive, so it cannot be the default. Activate it first.')
        }
      },
      {
        role: 'admin',
        body: changeBody,
        response: lineAnswer,
        summary: 'Change a line',
        description: 'Only the given fields. A default line that is deactivated is no longer the default.',
      },
    )
    .delete(
      '/:lineId',
      async ({ member, params }) => {
        const { id } = await lineOf(member, params.lineId)
        return lineView(removedThing(await member.write.removeLine({ lineId: id, at: clock.now() }), 'line'))
      },
      {
        role: 'admin',
        response: lineAnswer,
        summary: 'Remove a line',
        description: 'Removes it for good; its messages stay. Refused while messages wait on it.',
      },
    )
}
