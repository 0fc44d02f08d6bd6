import { Elysia } from 'elysia'
import { GatewayError } from '../../base/errors.ts'
import { givenRequestId } from '../../http/headers.ts'
import { messageWithin, settleMessage } from '../../operations/messages.ts'
import { contentToSend, requestAgain } from '../../sending/again.ts'
import { sendMessage } from '../../sending/submission.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { conflict, done } from '../refusals.ts'
import { againAnswer, againBody, settleBody, settledAnswer } from './schemas.ts'
import { shownMessage } from './view.ts'

/** Actions on a message: settling it by hand, and sending it again as a new one. */
export function messageActions(parts: ConsoleParts) {
  const { store, sending } = parts
  const { read } = store
  return new Elysia({ name: 'console-message-actions', prefix: '/workspaces/:workspaceId/messages/:messageId' })
    .use(guard(parts))
    .post(
      '/settle',
      async ({ member, params, body: { as } }) => ({
        message: shownMessage(done(await settleMessage(member, params.messageId, as))),
      }),
      {
        role: 'member',
        body: settleBody,
        response: settledAnswer,
        summary: 'Settle a message',
        description: 'For one of unknown outcome, when you know the outcome.',
      },
    )
    .post(
      '/send-again',
      async ({ member, params, body: { idempotencyKey }, request, set }) => {
        const { workspaceId } = member
        const message = done(await messageWithin(member, params.messageId))
        if (message.status === 'QUEUED') {
          throw conflict('This message is still waiting to be sent.')
        }
        const payload = await read.messageContent(message.id)
        const sent = payload === null ? null : contentToSend(payload)
        if (sent === null) {
          throw conflict('The content of this message is no longer stored.')
        }
        const caller = {
          workspaceId,
          keyId: null,
          scope: workspaceId,
          requestId: givenRequestId(request),
          traceparent: null,
          settings: null,
        }
        const outcome = await sendMessage(sending, caller, requestAgain(message, sent, idempotencyKey))
        if (outcome.kind === 'refused') throw new GatewayError(outcome.refusal)
        const { id, status } = outcome.message
        const isReplay = outcome.kind === 'replayed'
        if (!isReplay) await member.write.noteAction({ action: 'message.send-again', subject: id })
        set.status = isReplay ? 200 : 201
        return { messageId: id, status, isReplay }
      },
      {
        role: 'member',
        body: againBody,
        response: { 200: againAnswer, 201: againAnswer },
        summary: 'Send a message again',
        description: 'As a new message with the same content, from the same line to the same recipient.',
      },
    )
}
