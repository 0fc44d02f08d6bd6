import { Elysia } from 'elysia'
import { Type, wire } from '../../schema.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'

const phoneNumberSchema = Type.Object(
  {
    id: Type.String({ description: 'For `phoneNumberId` of a send (`line_…`).' }),
    number: Type.String({ description: '`+` and digits.' }),
    channelId: Type.String(),
    active: Type.Boolean(),
    isDefault: Type.Boolean({ description: 'Whether sends that name no line use it.' }),
  },
  { additionalProperties: false, title: 'PhoneNumber' },
)

const phoneNumbersAnswer = wire(
  Type.Object(
    { phoneNumbers: Type.Array(phoneNumberSchema) },
    { additionalProperties: false, title: 'PhoneNumberList' },
  ),
)

/** The lines of a workspace, by which a caller of the partner API finds `phoneNumberId` (docs/partner-api.md#lines). */
export function phoneNumberRoutes(parts: ConsoleParts) {
  const { read } = parts.store
  return new Elysia({ name: 'console-phone-numbers', prefix: '/workspaces/:workspaceId' }).use(guard(parts)).get(
    '/phone-numbers',
    async ({ member }) => {
      const lines = await read.lines(member.workspaceId)
      return {
        phoneNumbers: lines.map(({ id, number, channelId, active, isDefault }) => ({
          id,
          number,
          channelId,
          active,
          isDefault,
        })),
      }
    },
    {
      role: 'viewer',
      response: phoneNumbersAnswer,
      detail: { summary: 'List phone numbers', description: 'All lines of the workspace, by id.' },
    },
  )
}
