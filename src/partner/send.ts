import { Elysia } from 'elysia'
import { GatewayError } from '../errors.ts'
import { readJson } from '../http/body.ts'
import { callerOf, partnerPrefix } from '../http/guard.ts'
import type { SendRequest } from '../messages/request.ts'
import { type SenderParts, sendMessage } from '../messages/send.ts'
import { wire } from '../schema.ts'
import { messageEnvelope, messageView } from './message.ts'
import { checkSendBody, sendBodySchema, withHeaderKey } from './sendBody.ts'

const sendBody = wire<typeof sendBodySchema, SendRequest>(sendBodySchema, checkSendBody)

/** `POST /messages/send` (contract, "Send a message"). */
export const sendRoute = (parts: SenderParts) =>
  new Elysia({ name: 'partner-send' }).post(
    `${partnerPrefix}/messages/send`,
    async ({ body, request, set }) => {
      const { workspaceId } = callerOf(request)
      const asked = withHeaderKey(body, request.headers.get('idempotency-key'))
      const outcome = await sendMessage(parts, workspaceId, asked)
      switch (outcome.kind) {
        case 'created':
          set.status = 201
          return messageView(outcome.message, false)
        case 'replayed':
          return messageView(outcome.message, true)
        case 'refused':
          throw new GatewayError(outcome.refusal)
      }
    },
    {
      parse: ({ request }) => readJson(request),
      body: sendBody,
      response: { 200: messageEnvelope, 201: messageEnvelope },
      detail: { operationId: 'sendMessage', summary: 'Send a message', tags: ['Partner API'] },
    },
  )
