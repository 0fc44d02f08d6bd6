import type { MessageStatusView } from '../../db/contract/records.ts'
import { callerFieldsOf } from '../../db/messageFields.ts'
import type { EpochMs } from '../base/clock.ts'
import { failureReasonOf, timesOf } from '../message/state.ts'

/** The view of a message that callers get; the operator sees this and more. */
export function messageView(message: MessageStatusView) {
  const { sentAt, deliveredAt, readAt } = timesOf(message)
  return {
    id: message.id,
    status: message.status,
    channelMessageId: message.channelMessageId,
    failureReason: failureReasonOf(message),
    sentAt: shownTime(sentAt),
    deliveredAt: shownTime(deliveredAt),
    readAt: shownTime(readAt),
    createdAt: new Date(message.createdAt).toISOString(),
    ...callerFieldsOf(message),
  }
}

const shownTime = (at: EpochMs | null) => (at === null ? null : new Date(at).toISOString())
