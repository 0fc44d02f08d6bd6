import { Elysia } from 'elysia'
import type { Message } from '../../../db/contract/records.ts'
import { GatewayError, invalid, type Refusal } from '../../base/errors.ts'
import { readPhone } from '../../base/phone.ts'
import type { Static } from '../../base/schema.ts'
import { isOpen } from '../../message/statuses.ts'
import { cancelMessage, messageWithin, rescheduleMessage, settleMessage } from '../../operations/messages.ts'
import { checkSendBody } from '../../operations/sends/sendBody.ts'
import { contentToSend, requestAgain } from '../../sending/again.ts'
import type { RequestedContent } from '../../sending/request.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { conflict, done } from '../refusals.ts'
import { againAnswer, againBody, changedMessageAnswer, rescheduleBody, settleBody } from './schemas.ts'
import { submit } from './submit.ts'
import { shownMessage } from './view.ts'

/** Actions on a message: it is settled by hand, cancelled or moved while it waits, and sent again as a new one. */
export function messageActions(parts: ConsoleParts) {
  const { read } = parts.store
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
        response: changedMessageAnswer,
        summary: 'Settle a message',
        description: 'For one of unknown outcome, when you know the outcome.',
      },
    )
    .post(
      '/cancel',
      async ({ member, params }) => ({ message: shownMessage(done(await cancelMessage(member, params.messageId))) }),
      {
        role: 'member',
        response: changedMessageAnswer,
        summary: 'Cancel a scheduled message',
        description: 'It is never sent. 409 once it does not wait for its time any more.',
      },
    )
    .post(
      '/reschedule',
      async ({ member, params, body: { sendAt } }) => {
        const { idempotencyTtlMs } = parts.sending
        const moved = await rescheduleMessage(member, params.messageId, { sendAt, idempotencyTtlMs })
        return { message: shownMessage(done(moved)) }
      },
      {
        role: 'member',
        body: rescheduleBody,
        response: changedMessageAnswer,
        summary: 'Move a scheduled message',
        description: 'To another time. 409 once it does not wait for its time any more.',
      },
    )
    .post(
      '/send-again',
      async ({ member, params, body: { idempotencyKey, values, ...wanted }, request, set }) => {
        const message = done(await messageWithin(member, params.messageId))
        if (isOpen(message.status)) {
          throw conflict('This message is still waiting to be sent.')
        }
        const payload = await read.messageContent(message.id)
        const sent = payload === null ? null : contentToSend(payload)
        if (sent === null) {
          throw conflict('The content of this message is no longer stored.')
        }
        const elsewhere = differing(message, sent.content, wanted)
        const action = Object.keys(elsewhere).length === 0 ? 'message.send-again' : 'message.send-elsewhere'
        const content = values === undefined ? sent.content : filledWith(message, sent.content, values)
        const send = requestAgain(message, { ...sent, content }, idempotencyKey, elsewhere, values)
        const answer = await submit(parts, member, request, send, { action, refused: atLine })
        set.status = answer.isReplay ? 200 : 201
        return answer
      },
      {
        role: 'member',
        body: againBody,
        response: { 200: againAnswer, 201: againAnswer },
        summary: 'Send a message again',
        description:
          'As a new message with the same content, from the same line to the same recipient unless it says ' +
          'otherwise; of a template also with other values.',
      },
    )
}

/**
 * @returns the template with these values
 * @throws GatewayError VALIDATION_ERROR at what is wrong of them
 */
function filledWith({ recipient }: Message, content: RequestedContent, values: object): RequestedContent {
  if (content.type !== 'template') throw refusedAt('/values', 'are of a template alone')
  const { type, name: templateName, language: templateLanguage } = content
  const to = recipient.startsWith('+') ? { phone: recipient } : { userId: recipient }
  const checked = checkSendBody({ type, templateName, templateLanguage, ...to, ...values })
  if (!checked.ok) throw new GatewayError(invalid(checked.issues))
  return checked.value.content
}

/**
 * @returns what the new message has otherwise than the one before
 * @throws GatewayError VALIDATION_ERROR at the field that is wrong
 */
function differing(
  { recipient, lineId }: Message,
  { type }: RequestedContent,
  { phone, phoneNumberId }: Pick<Static<typeof againBody>, 'phone' | 'phoneNumberId'>,
): { phone?: string; lineId?: string } {
  const read = phone === undefined ? null : readPhone(phone)
  if (read?.ok === false) throw refusedAt('/phone', read.problem)
  const isElsewhere = read !== null && read.number !== recipient
  const isOtherLine = phoneNumberId !== undefined && phoneNumberId !== lineId
  if (type === 'reaction' && (isElsewhere || isOtherLine)) {
    const where = isElsewhere ? '/phone' : '/phoneNumberId'
    throw refusedAt(where, 'must stay: a reaction belongs to a message of this conversation')
  }
  return { ...(isElsewhere && { phone: read.number }), ...(isOtherLine && { lineId: phoneNumberId }) }
}

const refusedAt = (path: string, message: string) => new GatewayError(invalid([{ path, message }]))

const lineProblems: { readonly [Reason in Refusal['reason']]?: string } = {
  PHONE_NUMBER_NOT_FOUND: 'names no line of this workspace',
  PHONE_NUMBER_INACTIVE: 'names a line that is not active',
}

/** A form shows the refusal of a line at its field. */
function atLine(refusal: Refusal): Refusal {
  const message = lineProblems[refusal.reason]
  return message === undefined
    ? refusal
    : { ...refusal, details: { ...refusal.details, issues: [{ path: '/phoneNumberId', message }] } }
}
