import { Elysia } from 'elysia'
import type { Line } from '../../../db/contract/records.ts'
import { nameLengthMax } from '../../base/names.ts'
import { closed, Type, wire } from '../../base/schema.ts'
import { latestMessages, lineHealth } from '../../operations/channels/lineHealth.ts'
import { addLine, changeLine, lineFields, removeLine } from '../../operations/channels/lines.ts'
import { chooseLine } from '../../sending/line.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { done } from '../refusals.ts'
import { orNull, shape, wired } from '../shapes.ts'
import { healthSchema, healthView } from './lineHealth.ts'
import { lineSchema, lineView } from './schemas.ts'

const newLineBody = wired('NewLine', {
  channelId: Type.String(),
  upstreamPhoneId: lineFields.upstreamPhoneId,
  number: lineFields.number,
  name: Type.Optional(lineFields.name),
})
const changeBody = wire(
  closed(
    {
      active: Type.Optional(Type.Boolean()),
      isDefault: Type.Optional(Type.Boolean({ description: 'Only an active line can be the default.' })),
      perSecond: Type.Optional(lineFields.perSecond),
      pairSeconds: Type.Optional(lineFields.pairSeconds),
      directSend: Type.Optional(lineFields.directSend),
      label: Type.Optional(
        Type.String({ maxLength: nameLengthMax, description: 'What the workspace calls it. Empty: nothing.' }),
      ),
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
      async ({ member, body: { channelId, ...line } }) => lineView(done(await addLine(member, channelId, line))),
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
      async ({ member, params, body }) => lineView(done(await changeLine(member, params.lineId, body)).line),
      {
        role: 'admin',
        body: changeBody,
        response: lineAnswer,
        summary: 'Change a line',
        description: 'Only the given fields. A default line that is deactivated is no longer the default.',
      },
    )
    .delete('/:lineId', async ({ member, params }) => lineView(done(await removeLine(member, params.lineId))), {
      role: 'admin',
      response: lineAnswer,
      summary: 'Remove a line',
      description: 'Removes it for good; its messages stay. Refused while messages wait on it.',
    })
}
