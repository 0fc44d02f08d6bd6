import { Elysia } from 'elysia'
import type { Clock } from '../base/clock.ts'
import { GatewayError, invalid } from '../base/errors.ts'
import type { Checked } from '../base/schema.ts'
import { cardBodyCharsMax, codeCharsMax, couponCharsMax, rowsMax } from '../base/upstreamLimits.ts'
import { isJson, notJson, readJson } from '../http/body.ts'
import { partnerPrefix } from '../http/calls.ts'
import { givenRequestId } from '../http/headers.ts'
import type { KeyCaller } from '../http/keys.ts'
import type { RequestHead, Room } from '../http/requestHead.ts'
import { checkSendBody, keyInHeader } from '../operations/sends/sendBody.ts'
import { idempotencyKeyLengthMax, sendBodySchema } from '../operations/sends/sendSchema.ts'
import { examplePricing } from '../sending/messageSchema.ts'
import type { SendCaller, SendRequest } from '../sending/request.ts'
import { submitMessage } from '../sending/schedule.ts'
import type { SendOutcome, SubmissionParts } from '../sending/submission.ts'
import { flowDataDepthMax, flowTokenCharsMax, givenCharsMax, linkCharsMax, valueCharsMax } from '../templates/limits.ts'
import type { PartnerCaller } from './caller.ts'
import { filled, markdownTable } from './docs/markdown.ts'
import { answer, jsonBody } from './docs/operation.ts'
import type { Endpoint } from './endpoint.ts'
import { interactiveLimits } from './interactiveLimits.ts'
import { messageAnswer, messageEnvelope, messageExample } from './message.ts'
import description from './sendDescription.md' with { type: 'text' }
import { sendExamples } from './sendExamples.ts'

/** Markdown for the send operation: what the fields alone cannot say. */
const sendDescription = filled(description, {
  cardBodyCharsMax,
  codeCharsMax,
  couponCharsMax,
  flowDataDepthMax,
  flowTokenCharsMax,
  givenCharsMax,
  linkCharsMax,
  rowsMax,
  valueCharsMax,
  limits: markdownTable(
    ['Kind', 'Field', 'At most'],
    interactiveLimits.map(({ kind, field, max, unit }) => [kind ?? 'all', `\`${field}\``, `${max} ${unit}`]),
  ),
})

const unknown = { status: 'UNKNOWN', channelMessageId: null, sentAt: null }
const queued = { status: 'QUEUED', channelMessageId: null, sentAt: null }
const delivered = { status: 'DELIVERED', deliveredAt: '2026-03-01T09:30:02.000Z', pricing: examplePricing }

/**
 * Reads and checks body and header together, so that all problems come in one answer.
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE; VALIDATION_ERROR for what is no JSON
 */
export async function readSend(request: Request, clock: Clock, room?: Room): Promise<Checked<SendRequest>> {
  if (!isJson(request.headers.get('content-type'))) throw new GatewayError(notJson)
  return checkSendBody(await readJson(request, clock, room), keyInHeader(request))
}

async function readGoodSend(request: Request, clock: Clock, room: Room): Promise<SendRequest> {
  const checked = await readSend(request, clock, room)
  if (!checked.ok) throw new GatewayError(invalid(checked.issues))
  return checked.value
}

/**
 * Sends what the body of a request asks for, which was read before: the caller is the one of the last look.
 * @throws GatewayError UNAUTHORIZED when the key was revoked meanwhile
 */
export function sendFor(
  parts: SubmissionParts,
  caller: PartnerCaller,
  request: RequestHead,
  send: SendRequest,
): Promise<SendOutcome> {
  const given = { requestId: givenRequestId(request), traceparent: request.headers.get('traceparent') }
  const renew = async () => senderOf(await caller.renew())
  const senderOf = ({ workspaceId, keyId, lineIds, onOptOut, scope, settings }: KeyCaller): SendCaller => ({
    ...{ workspaceId, keyId, lineIds, onOptOut, scope, settings },
    ...given,
    renew,
  })
  return submitMessage(parts, senderOf(caller), send)
}

/** `POST /messages/send` (docs/partner-api.md#sending). */
export function sendRoute(parts: SubmissionParts, endpoint: Endpoint) {
  const answerSend = endpoint('POST /messages/send', async (caller, { request }) => {
    const send = await caller.body((whole, room) => readGoodSend(whole, parts.clock, room))
    const outcome = await sendFor(parts, caller, request, send)
    switch (outcome.kind) {
      case 'created':
        return { ok: true, status: 201, body: messageAnswer(outcome.message, false), messageId: outcome.message.id }
      case 'replayed':
        return { ok: true, status: 200, body: messageAnswer(outcome.message, true), messageId: outcome.message.id }
      case 'refused':
        return { ok: false, refusal: outcome.refusal }
    }
  })
  return new Elysia({ name: 'partner-send' }).post(
    `${partnerPrefix}/messages/send`,
    ({ request, server }) => answerSend({ request, server }),
    {
      // The endpoint reads the body itself, and only for an authenticated caller.
      parse: 'none',
      detail: {
        operationId: 'sendMessage',
        summary: 'Send a message',
        tags: ['Messages'],
        description: sendDescription,
        parameters: [
          {
            name: 'Idempotency-Key',
            in: 'header',
            // Without an example: viewers would put it into every sample, although the sample's body has a key.
            description:
              'In place of `idempotencyKey` in the body, or equal to it; two different keys are refused. For example ' +
              '`order-1001-confirmation`.',
            schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyLengthMax },
          },
        ],
        requestBody: jsonBody(sendBodySchema, sendExamples),
        responses: {
          201: answer(
            'A new message: sent; or still waiting for its turn (`QUEUED`); ' +
              'or handed over, with the answer lost (`UNKNOWN`).',
            messageEnvelope,
            {
              sent: messageExample('Accepted by the upstream platform'),
              queued: messageExample('Still waiting for its turn', queued),
              unknown: messageExample('Handed over, the answer was lost', unknown),
            },
          ),
          200: answer('An idempotent replay: nothing new was sent; the original as it stands now.', messageEnvelope, {
            replay: messageExample('Replay of a delivered message', { ...delivered, idempotentReplay: true }),
          }),
        },
      },
    },
  )
}
