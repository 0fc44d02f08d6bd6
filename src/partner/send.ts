import { Elysia } from 'elysia'
import { GatewayError, invalid } from '../errors.ts'
import { readJson } from '../http/body.ts'
import { answer } from '../http/docs/answer.ts'
import { callerOf, partnerPrefix } from '../http/guard.ts'
import type { SendRequest } from '../messages/request.ts'
import { type SenderParts, sendMessage } from '../messages/send.ts'
import { wire } from '../schema.ts'
import { messageEnvelope, messageExample, messageView } from './message.ts'
import { checkSendBody } from './sendBody.ts'
import { sendDescription } from './sendDescription.ts'
import { idempotencyKeyLengthMax, sendBodySchema } from './sendSchema.ts'

const queued = { status: 'QUEUED', channelMessageId: null, sentAt: null }
const delivered = { status: 'DELIVERED', deliveredAt: '2026-03-01T09:30:02.000Z' }

/**
 * Reads and checks body and header together, so that all problems come in one answer.
 * @throws GatewayError VALIDATION_ERROR, PAYLOAD_TOO_LARGE
 */
async function readSend(request: Request): Promise<SendRequest> {
  const checked = checkSendBody(await readJson(request), request.headers.get('idempotency-key'))
  if (!checked.ok) throw new GatewayError(invalid(checked.issues))
  return checked.value
}

/** For the document: what arrives here has been checked by `readSend`. */
const sendBody = wire<typeof sendBodySchema, SendRequest>(sendBodySchema, value => ({
  ok: true,
  value: value as SendRequest,
}))

/** `POST /messages/send` (contract, "Send a message"). */
export const sendRoute = (parts: SenderParts) =>
  new Elysia({ name: 'partner-send' }).post(
    `${partnerPrefix}/messages/send`,
    async ({ body, request, set }) => {
      const { workspaceId } = callerOf(request)
      const outcome = await sendMessage(parts, workspaceId, body)
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
      parse: ({ request }) => readSend(request),
      body: sendBody,
      detail: {
        operationId: 'sendMessage',
        summary: 'Send a message',
        tags: ['Messages'],
        description: sendDescription,
        parameters: [
          {
            name: 'Idempotency-Key',
            in: 'header',
            description: 'In place of `idempotencyKey` in the body, or equal to it; two different keys are refused.',
            schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyLengthMax },
            example: 'order-1001-confirmation',
          },
        ],
        responses: {
          201: answer('A new message: sent, or (`QUEUED`) still waiting for its turn.', messageEnvelope, {
            sent: messageExample('Accepted by the upstream platform'),
            queued: messageExample('Still waiting for its turn', queued),
          }),
          200: answer('An idempotent replay: nothing new was sent; the original as it stands now.', messageEnvelope, {
            replay: messageExample('Replay of a delivered message', { ...delivered, idempotentReplay: true }),
          }),
        },
      },
    },
  )
