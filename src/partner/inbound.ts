import { Elysia } from 'elysia'
import type { InboundMessage } from '../../db/contract/inbound.ts'
import { invalid, type Refusal } from '../base/errors.ts'
import { numberIn } from '../base/ids.ts'
import { closed, type Static, Type } from '../base/schema.ts'
import { partnerPrefix } from '../http/calls.ts'
import { exampleImage, exampleInbound } from '../inbound/inboundSchema.ts'
import { inboundView } from '../inbound/view.ts'
import { nextOf, noPosition, positionAfter } from '../reading/cursor.ts'
import { pageDefault, pageMax } from '../reading/steps.ts'
import type { PartnerCaller } from './caller.ts'
import { answer, queryParameters } from './docs/operation.ts'
import type { Endpoint, EndpointContext, Outcome } from './endpoint.ts'
import { inboundEnvelope, inboundListEnvelope } from './inboundAnswers.ts'
import { strictQuery } from './query.ts'

/** Messages that one request looks at: reads of SQLite run on the thread that sends. */
const scanMax = 2_000
/** Longer than any id. */
export const idLengthMax = 128

const raw = Type.Optional(
  Type.Boolean({ description: "`true` adds the upstream platform's original, as `raw`. Default: false." }),
)
const id = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: idLengthMax, description }))
const listQuery = closed({
  after: id('Only what came after this message: `next` of the page before, or the last id that you have seen.'),
  contactId: id('Only what this contact sent.'),
  lineId: id('Only what came to this line.'),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: pageMax, description: `Messages of a page. Default: ${pageDefault}.` }),
  ),
  raw,
})
const checkListQuery = strictQuery(listQuery)
const oneQuery = closed({ raw })
const checkOneQuery = strictQuery(oneQuery)

const noMessage: Refusal = { reason: 'NOT_FOUND', message: 'No message of a user has this id.' }

/** The id is part of the path. */
export interface InboundContext extends EndpointContext {
  readonly params: { readonly inboundId: string }
}

/** @returns the message of a user with this id; a refusal, the same for one that the caller does not see */
export async function inboundOf(
  { workspaceId, read }: Pick<PartnerCaller, 'workspaceId' | 'read'>,
  inboundId: string,
): Promise<InboundMessage | Refusal> {
  const seq = numberIn('inb', workspaceId, inboundId)
  return (seq === null ? null : await read.inboundMessage({ workspaceId, seq })) ?? noMessage
}

/** Of the API document. */
export const inboundIdParameter = {
  name: 'inboundId',
  in: 'path',
  required: true,
  description: "The service id of the message, not the upstream platform's `channelMessageId`.",
  schema: { type: 'string' },
  example: exampleInbound.id,
} as const

/** `GET /inbound` and `GET /inbound/:inboundId` (docs/partner-api.md#inbound-messages). */
export function inboundRoutes(endpoint: Endpoint) {
  const refused = (refusal: Refusal): Outcome => ({ ok: false, refusal })

  const answerList = endpoint('GET /inbound', async (caller, { request }) => {
    const { workspaceId, read } = caller
    const query = checkListQuery(request)
    if (!query.ok) return refused(invalid(query.issues))
    const { after, contactId, lineId, limit = pageDefault, raw = false } = query.value
    const from = await positionAfter(read, 'inb', workspaceId, after)
    if (from === null) return refused(invalid([noPosition]))
    const contact = contactId === undefined ? null : await read.contact({ workspaceId, contactId })
    if (contactId !== undefined && !contact) return refused(noContact)
    if (lineId !== undefined && !(await read.lines(workspaceId)).some(line => line.id === lineId))
      return refused(noLine)
    const filter = { contactId: contact?.id, lineId }
    const { messages, upTo } = await read.inboundMessages({ workspaceId, ...filter, after: from, limit, scan: scanMax })
    const body: Static<typeof inboundListEnvelope> = {
      success: true,
      data: messages.map(message => inboundView(workspaceId, message, raw)),
      next: nextOf('inb', workspaceId, upTo),
    }
    return { ok: true, status: 200, body }
  })

  const answerOne = endpoint<InboundContext>(
    'GET /inbound/:inboundId',
    async (caller, { request, params: { inboundId } }) => {
      const query = checkOneQuery(request)
      if (!query.ok) return refused(invalid(query.issues))
      const message = await inboundOf(caller, inboundId)
      if ('reason' in message) return refused(message)
      const data = inboundView(caller.workspaceId, message, query.value.raw)
      const body: Static<typeof inboundEnvelope> = { success: true, data }
      return { ok: true, status: 200, body }
    },
  )

  return new Elysia({ name: 'partner-inbound' })
    .get(`${partnerPrefix}/inbound`, ({ request, server }) => answerList({ request, server }), {
      detail: {
        operationId: 'listInbound',
        summary: 'List what users sent',
        tags: ['Inbound'],
        description:
          'What users sent to the workspace, in the order in which it came, and from before a line was connected as ' +
          'far as the upstream platform told: `sentAt` says when. Begin without `after` at the oldest that is kept. ' +
          'What the business sent in the app is not among it.',
        parameters: queryParameters(listQuery),
        responses: {
          200: answer('A page of messages.', inboundListEnvelope, {
            page: {
              summary: 'A text and an image; more follow',
              value: { success: true, data: [exampleInbound, exampleImage], next: exampleImage.id },
            },
          }),
        },
      },
    })
    .get(
      `${partnerPrefix}/inbound/:inboundId`,
      ({ request, server, params }) => answerOne({ request, server, params }),
      {
        detail: {
          operationId: 'getInbound',
          summary: 'Get a message that a user sent',
          tags: ['Inbound'],
          description: 'The same as in the list.',
          parameters: [inboundIdParameter, ...queryParameters(oneQuery)],
          responses: {
            200: answer('The message.', inboundEnvelope, {
              text: { summary: 'A text that answers a message', value: { success: true, data: exampleInbound } },
            }),
          },
        },
      },
    )
}

const noContact: Refusal = { reason: 'NOT_FOUND', message: 'contactId names no contact of this workspace.' }
const noLine: Refusal = { reason: 'PHONE_NUMBER_NOT_FOUND', message: 'lineId names no line of this workspace.' }
