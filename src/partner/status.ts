import { Elysia } from 'elysia'
import type { StoreReads } from '../../db/store.ts'
import { answer } from './docs/operation.ts'
import { type Endpoint, type EndpointContext, type Outcome, partnerPrefix } from './endpoint.ts'
import { exampleMessage, messageAnswer, messageEnvelope, messageExample } from './message.ts'

interface StatusContext extends EndpointContext {
  readonly params: { readonly messageId: string }
}

const noMessage: Outcome = { ok: false, refusal: { reason: 'NOT_FOUND', message: 'No message has this id.' } }

/** `GET /messages/:messageId` (docs/partner-api.md#status). */
export function statusRoute(read: StoreReads, endpoint: Endpoint) {
  const answerStatus = endpoint<StatusContext>(async ({ workspaceId }, { params }) => {
    const message = await read.statusView(params.messageId)
    // A message of another workspace and one that does not exist look the same.
    if (message?.workspaceId !== workspaceId) return noMessage
    return { ok: true, status: 200, body: messageAnswer(message, false), messageId: message.id }
  })
  return new Elysia({ name: 'partner-status' }).get(
    `${partnerPrefix}/messages/:messageId`,
    ({ request, server, params }) => answerStatus({ request, server, params }),
    {
      detail: {
        operationId: 'getMessage',
        summary: 'Get the status of a message',
        tags: ['Messages'],
        description:
          'Poll this to see whether a message was delivered and read. While `deliveredAt` is null, the ' +
          'delivery callback may simply not have arrived yet. `idempotentReplay` is always false here.',
        parameters: [
          {
            name: 'messageId',
            in: 'path',
            required: true,
            description: "The service message id that send returned, not the upstream platform's `channelMessageId`.",
            schema: { type: 'string' },
            example: exampleMessage.id,
          },
        ],
        responses: {
          200: answer('The message as it stands now.', messageEnvelope, {
            read: messageExample('Opened by the user', {
              status: 'READ',
              deliveredAt: '2026-03-01T09:30:02.000Z',
              readAt: '2026-03-01T09:31:15.000Z',
            }),
            failed: messageExample('Failed after it was accepted', {
              status: 'FAILED',
              failureReason: '131026: Message undeliverable',
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
