import { Elysia } from 'elysia'
import { invalid } from '../base/errors.ts'
import { closed, Type } from '../base/schema.ts'
import { partnerPrefix } from '../http/calls.ts'
import { Refused } from '../operations/act.ts'
import { cancelMessage, rescheduleMessage } from '../operations/messages.ts'
import { readSendAt, sendAtProblem } from '../sending/sendAt.ts'
import type { SubmissionParts } from '../sending/submission.ts'
import { bodyReader } from './body.ts'
import { answer, jsonBody } from './docs/operation.ts'
import type { Endpoint, EndpointContext, Outcome } from './endpoint.ts'
import { messageAnswer, messageEnvelope, messageExample } from './message.ts'
import { messageIdParameter, noMessage } from './status.ts'

interface Context extends EndpointContext {
  readonly params: { readonly messageId: string }
}

const bodySchema = closed(
  {
    sendAt: Type.String({
      description: 'The new time, with its offset from UTC: 1 minute to 35 days ahead.',
      examples: ['2026-03-01T11:00:00+01:00'],
    }),
  },
  { title: 'MessageChange', description: 'What changes of a message that waits for its time.' },
)
const readBody = bodyReader(bodySchema)

/** A body without a time is refused before the message is looked for, as a wrong field is. */
const noTime = invalid([{ path: '/sendAt', message: sendAtProblem }])

const scheduled = { status: 'SCHEDULED', channelMessageId: null, sentAt: null, createdAt: '2026-03-01T08:00:00.000Z' }

/** `PATCH` and `DELETE /messages/:messageId` (docs/partner-api.md#scheduling). */
export function scheduledRoutes(parts: Pick<SubmissionParts, 'clock' | 'idempotencyTtlMs'>, endpoint: Endpoint) {
  const answered = (message: Awaited<ReturnType<typeof cancelMessage>>): Outcome =>
    message instanceof Refused
      ? { ok: false, refusal: message }
      : { ok: true, status: 200, body: messageAnswer(message, false), messageId: message.id }

  const answerChange = endpoint<Context>('PATCH /messages/:messageId', async (caller, { params: { messageId } }) => {
    // `send` and `check` are calls of another method.
    if (!messageId.startsWith('msg_')) return noMessage
    const { sendAt } = await readBody(caller, parts.clock)
    if (readSendAt(sendAt) === null) return { ok: false, refusal: noTime }
    // One of a line that the key is not made for looks as if there were none.
    if ((await caller.read.statusView(messageId))?.workspaceId !== caller.workspaceId) return noMessage
    const { idempotencyTtlMs } = parts
    return answered(await rescheduleMessage(caller.actor, messageId, { sendAt, idempotencyTtlMs }))
  })
  const answerCancel = endpoint<Context>('DELETE /messages/:messageId', async (caller, { params: { messageId } }) => {
    if ((await caller.read.statusView(messageId))?.workspaceId !== caller.workspaceId) return noMessage
    return answered(await cancelMessage(caller.actor, messageId))
  })

  const path = `${partnerPrefix}/messages/:messageId`
  return new Elysia({ name: 'partner-scheduled' })
    .patch(path, ({ request, server, params }) => answerChange({ request, server, params }), {
      // The endpoint reads the body itself, and only for an authenticated caller.
      parse: 'none',
      detail: {
        operationId: 'rescheduleMessage',
        summary: 'Move a scheduled message',
        tags: ['Messages'],
        description:
          'To another time. 409 `CONFLICT` once it does not wait for its time any more; the sentence says its status.',
        parameters: [messageIdParameter],
        requestBody: jsonBody(bodySchema, {
          later: { summary: 'To another time', value: { sendAt: '2026-03-01T11:00:00+01:00' } },
        }),
        responses: {
          200: answer('The message, with its new time.', messageEnvelope, {
            moved: messageExample('Moved', { ...scheduled, sendAt: '2026-03-01T10:00:00.000Z' }),
          }),
        },
      },
    })
    .delete(path, ({ request, server, params }) => answerCancel({ request, server, params }), {
      detail: {
        operationId: 'cancelMessage',
        summary: 'Cancel a scheduled message',
        tags: ['Messages'],
        description:
          'It is never sent. 409 `CONFLICT` once it does not wait for its time any more; the sentence says its ' +
          'status. Of a cancellation and a release at the same moment one wins, and the answer says which.',
        parameters: [messageIdParameter],
        responses: {
          200: answer('The message, which is `CANCELLED`.', messageEnvelope, {
            cancelled: messageExample('Cancelled', {
              ...{ ...scheduled, status: 'CANCELLED', sendAt: '2026-03-01T10:00:00.000Z' },
            }),
          }),
        },
      },
    })
}
