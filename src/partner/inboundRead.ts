import { Elysia } from 'elysia'
import { invalid, type Refusal } from '../base/errors.ts'
import { closed, Type } from '../base/schema.ts'
import { partnerPrefix } from '../http/calls.ts'
import type { UnderWay } from '../http/underWay.ts'
import { exampleInbound } from '../inbound/inboundSchema.ts'
import { type MarkedRead, type MarkReadParts, markRead } from '../inbound/markRead.ts'
import { graphRefusal } from '../sending/refusals.ts'
import { bodyReader } from './body.ts'
import { answer, jsonBody } from './docs/operation.ts'
import type { Endpoint } from './endpoint.ts'
import { type InboundContext, inboundIdParameter, inboundOf } from './inbound.ts'
import { readEnvelope } from './inboundAnswers.ts'

const bodySchema = closed(
  {
    typing: Type.Optional(
      Type.Boolean({
        description:
          'Shows the user that an answer is being written: until it comes, or for 25 seconds. Default: false.',
      }),
    ),
  },
  { title: 'InboundRead', description: 'How a message is marked as read.' },
)
const readBody = bodyReader(bodySchema, { isOptional: true })

/** `POST /inbound/:inboundId/read` (docs/partner-api.md#read-marks). */
export function inboundReadRoute(parts: MarkReadParts & { readonly marks: UnderWay }, endpoint: Endpoint) {
  const { marks } = parts
  const answerRead = endpoint<InboundContext>(
    'POST /inbound/:inboundId/read',
    async (caller, { params: { inboundId } }) => {
      const { typing = false } = await readBody(caller, parts.clock)
      const { workspaceId } = caller
      const message = await inboundOf(caller, inboundId)
      if ('reason' in message) return { ok: false, refusal: message }
      const marked = await marks.run(workspaceId, () => markRead(parts, message, typing))
      if ('reason' in marked) return { ok: false, refusal: marked }
      if (marked.outcome !== 'marked') return { ok: false, refusal: refusalOf(inboundId, marked) }
      return { ok: true, status: 200, body: { success: true, data: { id: inboundId, read: true, typing } } }
    },
  )

  return new Elysia({ name: 'partner-inbound-read' }).post(
    `${partnerPrefix}/inbound/:inboundId/read`,
    ({ request, server, params }) => answerRead({ request, server, params }),
    {
      // The endpoint reads the body itself, and only for an authenticated caller.
      parse: 'none',
      detail: {
        operationId: 'readInbound',
        summary: 'Mark a message as read',
        tags: ['Inbound'],
        description:
          'Shows the user that the message was read, and every earlier one of the conversation; with `typing` also ' +
          'that an answer is being written. Repeating it does no harm, and shows `typing` anew. The body may be left ' +
          'out. Messages of more than 30 days ago are refused: the upstream platform marks none of them.',
        parameters: [inboundIdParameter],
        requestBody: {
          ...jsonBody(bodySchema, {
            typing: { summary: 'Read, and an answer is being written', value: { typing: true } },
          }),
          required: false,
        },
        responses: {
          200: answer('Marked by the upstream platform.', readEnvelope, {
            read: {
              summary: 'Read, and an answer is being written',
              value: { success: true, data: { id: exampleInbound.id, read: true, typing: true } },
            },
          }),
        },
      },
    },
  )
}

const unmarkable = (message: string): Refusal => invalid([{ path: '/inboundId', message }])

function refusalOf(inboundId: string, marked: Exclude<MarkedRead, { outcome: 'marked' }>): Refusal {
  switch (marked.outcome) {
    case 'tooOld':
      return unmarkable('is a message of more than 30 days ago: the upstream platform marks none of them')
    case 'noId':
      return unmarkable('is a message without an id of the upstream platform: it had none, or was erased')
    case 'noLine':
      return { reason: 'PHONE_NUMBER_NOT_FOUND', message: 'The line that the message came to is not connected.' }
    case 'inactiveLine':
      return { reason: 'PHONE_NUMBER_INACTIVE', message: 'The line that the message came to is inactive.' }
    case 'notMarked':
      return graphRefusal('The message was not marked as read', inboundId, marked.fault)
  }
}
