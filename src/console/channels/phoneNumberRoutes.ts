import { Elysia } from 'elysia'
import { Type } from '../../base/schema.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { picked, shape, textOrNull, wired } from '../shapes.ts'

const phoneNumberSchema = shape('PhoneNumber', {
  id: Type.String({ description: 'For `phoneNumberId` of a send (`line_…`).' }),
  number: Type.String({ description: '`+` and digits.' }),
  label: textOrNull,
  channelId: Type.String(),
  active: Type.Boolean(),
  isDefault: Type.Boolean({ description: 'Whether sends that name no line use it.' }),
})

const phoneNumbersAnswer = wired('PhoneNumberList', { phoneNumbers: Type.Array(phoneNumberSchema) })

/** The lines of a workspace, by which a caller of the partner API finds `phoneNumberId` (docs/partner-api.md#lines). */
export function phoneNumberRoutes(parts: ConsoleParts) {
  const { read } = parts.store
  return new Elysia({ name: 'console-phone-numbers', prefix: '/workspaces/:workspaceId' }).use(guard(parts)).get(
    '/phone-numbers',
    async ({ member }) => {
      const lines = await read.lines(member.workspaceId)
      return { phoneNumbers: lines.map(line => picked(phoneNumberSchema, line)) }
    },
    {
      role: 'viewer',
      response: phoneNumbersAnswer,
      summary: 'List phone numbers',
      description: 'All lines of the workspace, by id.',
    },
  )
}
