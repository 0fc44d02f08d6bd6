import { Elysia } from 'elysia'
import type { StoreReads } from '../../db/store.ts'
import { GatewayError } from '../errors.ts'
import { answer } from '../http/docs/answer.ts'
import { callerOf, partnerPrefix } from '../http/guard.ts'
import { exampleMessage, messageEnvelope, messageExample, messageView } from './message.ts'

/** `GET /messages/:messageId` (contract, "Get message status"). */
export const statusRoute = (read: StoreReads) =>
  new Elysia({ name: 'partner-status' }).get(
    `${partnerPrefix}/messages/:messageId`,
    async ({ params, request }) => {
      const { workspaceId } = callerOf(request)
      const message = await read.message(params.messageId)
      // A message of another workspace and one that does not exist look the same.
      if (message?.workspaceId !== workspaceId) {
        throw new GatewayError({ reason: 'NOT_FOUND', message: 'No message has this id.' })
      }
      return messageView(message, false)
    },
    {
      detail: {
        operationId: 'getMessage',
        summary: 'Get the status of a message',
        tags: ['Messages'],
        description:
          'Polling this is the way to learn of delivery and reading. While `deliveredAt` is null the news may simply not ' +
          'have arrived. `idempotentReplay` is always false here.',
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
