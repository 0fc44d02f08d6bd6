import { Elysia } from 'elysia'
import type { MessageStatusView } from '../../db/contract/records.ts'
import { invalid } from '../base/errors.ts'
import { Type } from '../base/schema.ts'
import { partnerPrefix } from '../http/calls.ts'
import { endsWaitFor, gotThrough } from '../message/statuses.ts'
import { exampleMessage, examplePricing } from '../sending/messageSchema.ts'
import { answer, queryParameters } from './docs/operation.ts'
import type { Endpoint, EndpointContext, Outcome } from './endpoint.ts'
import { messageAnswer, messageEnvelope, messageExample } from './message.ts'
import { lenientQuery } from './query.ts'
import { type Waiting, waitParameter } from './waiting.ts'

interface StatusContext extends EndpointContext {
  readonly params: { readonly messageId: string }
}

export const noMessage: Outcome = { ok: false, refusal: { reason: 'NOT_FOUND', message: 'No message has this id.' } }

export const messageIdParameter = {
  name: 'messageId',
  in: 'path' as const,
  required: true,
  description: "The service message id that send returned, not the upstream platform's `channelMessageId`.",
  schema: { type: 'string' as const },
  example: exampleMessage.id,
}

type Awaited = keyof typeof endsWaitFor
const awaited = Object.keys(endsWaitFor) as Awaited[]

/** Whether there is nothing more to wait for. The upstream tells no more of a reaction than that it was sent. */
const hasEnd = ({ status, type }: MessageStatusView, end: Awaited) =>
  endsWaitFor[end](status) || (type === 'reaction' && gotThrough(status))

const querySchema = Type.Object(
  {
    wait: waitParameter('the state that `for` names'),
    for: Type.Optional(
      Type.Enum(awaited, {
        description:
          'Which state to wait for; `DELIVERED` by default. `FAILED` ends every wait, and `UNKNOWN` one for `SENT`.',
      }),
    ),
  },
  { additionalProperties: false },
)
const checkQuery = lenientQuery(querySchema)

/** `GET /messages/:messageId` (docs/partner-api.md#status). */
export function statusRoute(endpoint: Endpoint, waiting: Waiting) {
  const answerStatus = endpoint<StatusContext>(
    'GET /messages/:messageId',
    async ({ workspaceId, keyId, read, renew }, { request, params: { messageId } }) => {
      const checked = checkQuery(request)
      if (!checked.ok) return { ok: false, refusal: invalid(checked.issues) }
      const { wait = 0, for: end = 'DELIVERED' } = checked.value
      let message = await read.statusView(messageId)
      // A message of another workspace and one that does not exist look the same.
      if (message?.workspaceId !== workspaceId) return noMessage
      if (wait > 0 && !hasEnd(message, end)) {
        const wish = {
          keyId,
          workspaceId,
          subjects: ['messages'],
          messageId,
          waitMs: wait * 1_000,
          signal: request.signal,
          renew,
        } as const
        const waited = await waiting.for(wish, async () => {
          message = await read.statusView(messageId)
          return message === null || hasEnd(message, end) ? true : null
        })
        if (!waited.ok) return waited
        if (message === null) return noMessage
      }
      return { ok: true, status: 200, body: messageAnswer(message, false), messageId }
    },
  )
  return new Elysia({ name: 'partner-status' }).get(
    `${partnerPrefix}/messages/:messageId`,
    ({ request, server, params }) => answerStatus({ request, server, params }),
    {
      detail: {
        operationId: 'getMessage',
        summary: 'Get the status of a message',
        tags: ['Messages'],
        description:
          'Poll this, or wait with `wait`, to see whether a message was delivered and read. While `deliveredAt` is ' +
          'null, the delivery callback may simply not have arrived yet: with `wait`, the answer comes as soon as it ' +
          'has, or after that many seconds. `idempotentReplay` is always false here.',
        parameters: [messageIdParameter, ...(queryParameters(querySchema) ?? [])],
        responses: {
          200: answer('The message as it stands now.', messageEnvelope, {
            read: messageExample('Opened by the user', {
              status: 'READ',
              deliveredAt: '2026-03-01T09:30:02.000Z',
              pricing: examplePricing,
              readAt: '2026-03-01T09:31:15.000Z',
            }),
            failed: messageExample('Failed after it was accepted', {
              status: 'FAILED',
              failureReason: '131026: Message undeliverable',
              error: { code: 131026, title: 'Number cannot be reached', details: 'Message undeliverable' },
            }),
            unknown: messageExample('Handed over, the answer was lost', {
              status: 'UNKNOWN',
              channelMessageId: null,
              sentAt: null,
            }),
          }),
        },
      },
    },
  )
}
