import type { MessageStatusView } from '../../db/contract/records.ts'
import { namedFieldsOf } from '../../db/messageFields.ts'
import type { EpochMs } from '../base/clock.ts'
import { failureOfReason } from '../graph/failures.ts'
import { forgotten } from '../message/forgotten.ts'
import { pricingOf } from '../message/pricing.ts'
import { failureReasonOf, timesOf } from '../message/state.ts'

/** The view of a message that callers get; the operator sees this and more. */
export function messageView(message: MessageStatusView) {
  const { sentAt, deliveredAt, readAt } = timesOf(message)
  const failureReason = failureReasonOf(message)
  return {
    id: message.id,
    status: message.status,
    channelMessageId: message.channelMessageId,
    failureReason,
    error: failureReason === null ? null : errorOf(failureReason),
    pricing: pricingOf(message.pricing),
    sentAt: shownTime(sentAt),
    deliveredAt: shownTime(deliveredAt),
    readAt: shownTime(readAt),
    createdAt: new Date(message.createdAt).toISOString(),
    sendAt: shownTime(message.dueAt),
    ...namedFieldsOf(message),
    to: addressOf(message),
    lineId: message.lineId,
  }
}

/** @returns a failure in its parts */
function errorOf(reason: string) {
  const { code, explanation } = failureOfReason(reason)
  const details = code === null ? reason : reason.slice(`${code}: `.length)
  return { code, title: explanation?.short ?? details, details }
}

/** @returns who a message was sent to, as far as that is known */
function addressOf({ recipient, contactId }: Pick<MessageStatusView, 'recipient' | 'contactId'>) {
  const isPhone = recipient.startsWith('+')
  return { phone: isPhone ? recipient : null, contactId, userId: isPhone || recipient === forgotten ? null : recipient }
}

const shownTime = (at: EpochMs | null) => (at === null ? null : new Date(at).toISOString())
