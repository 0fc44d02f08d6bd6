import { Elysia } from 'elysia'
import { described, orNull, type Static, Type } from '../base/schema.ts'
import { partnerPrefix } from '../http/calls.ts'
import { lineFields } from '../operations/channels/lines.ts'
import { answer } from './docs/operation.ts'
import type { Endpoint } from './endpoint.ts'

const lineSchema = described('Line', 'A phone number that the workspace sends from.', {
  id: Type.String({ description: 'What a send names in `phoneNumberId` (`line_…`).' }),
  number: Type.String({ description: 'With its country code.' }),
  name: orNull(Type.String(), { description: 'What users see, as the upstream platform told. Null: it did not.' }),
  label: lineFields.label,
  quality: lineFields.quality,
  messagingLimit: lineFields.messagingLimit,
  active: Type.Boolean({ description: 'Whether anything is sent from it.' }),
  isDefault: Type.Boolean({ description: 'Whether sends that name no line go out from it.' }),
})
const listEnvelope = described('LineList', 'The lines of the workspace.', {
  success: Type.Literal(true),
  data: Type.Array(lineSchema, { description: 'In the order in which they were added.' }),
})

/** `GET /lines` (docs/partner-api.md#lines). */
export function linesRoute(endpoint: Endpoint) {
  const answerList = endpoint('GET /lines', async ({ workspaceId, read }) => {
    const lines = await read.lines(workspaceId)
    const data: Static<typeof lineSchema>[] = lines.map(
      ({ id, number, name, label, quality, messagingLimit, active, isDefault }) => ({
        ...{ id, number, name, label, quality, messagingLimit, active, isDefault },
      }),
    )
    return { ok: true, status: 200, body: { success: true, data } }
  })
  return new Elysia({ name: 'partner-lines' }).get(
    `${partnerPrefix}/lines`,
    ({ request, server }) => answerList({ request, server }),
    {
      detail: {
        operationId: 'listLines',
        summary: 'List lines',
        tags: ['Messages'],
        description:
          'The phone numbers that the key may send from, all in one answer. A send names one in `phoneNumberId`.',
        responses: {
          200: answer('The lines.', listEnvelope, {
            lines: {
              summary: 'One line, which is the default',
              value: {
                success: true,
                data: [
                  {
                    id: 'line_01jd4v7m9xf5ksxj1q5y8p0c3e',
                    number: '+15550783881',
                    name: 'Acme',
                    label: 'Berlin',
                    quality: 'GREEN',
                    messagingLimit: 'TIER_2K',
                    active: true,
                    isDefault: true,
                  },
                ],
              },
            },
          }),
        },
      },
    },
  )
}
