import { Elysia } from 'elysia'
import type { StoreReads } from '../../db/store.ts'
import { GatewayError } from '../errors.ts'
import { callerOf, partnerPrefix } from '../http/guard.ts'
import { messageEnvelope, messageView } from './message.ts'

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
      response: { 200: messageEnvelope },
      detail: { operationId: 'getMessage', summary: 'Get the status of a message', tags: ['Partner API'] },
    },
  )
