import type { Refusal } from '../base/errors.ts'
import { failureReason, type UpstreamFault } from '../graph/answer.ts'
import { monthEnd } from '../message/plan.ts'

/** `Retry-After` when the queue or the disk is full: long enough for the queue to get shorter, short enough to wait. */
const busyRetryMs = 5_000

/** @returns the refusal of a send that could not be accepted for now. @param why a sentence */
export const busy = (why: string): Refusal => ({
  reason: 'SERVICE_UNAVAILABLE',
  message: `${why} Nothing was accepted; try again shortly.`,
  retryAfterMs: busyRetryMs,
})

export const queueFull = busy('Too many messages of this line are waiting to be sent.')

/** Begins the problem of a file: what follows are the code and the words of the upstream. */
export const fileRefused = 'the upstream platform refused the file'

export const keyConflict: Refusal = {
  reason: 'IDEMPOTENCY_CONFLICT',
  message: 'This idempotency key was used before with a different body. Use a new key for a new message.',
}

export const lineRemoved: Refusal = {
  reason: 'PHONE_NUMBER_NOT_FOUND',
  message: 'The line was removed while the message was sent.',
}

export const planExceeded = (limit: number, used: number, now: number): Refusal => ({
  reason: 'PLAN_LIMIT_EXCEEDED',
  message: 'The monthly message limit of this workspace is reached.',
  details: { limit, used, resetsAt: new Date(monthEnd(now)).toISOString() },
})

export const windowClosed: Refusal = {
  reason: 'WINDOW_CLOSED',
  message:
    "The recipient's 24-hour window on the line is not open: send a template, or wait until the recipient writes.",
}

export function upstreamRefusal(messageId: string, fault: UpstreamFault): Refusal {
  // An upstream that was not reached, or not asked, refuses nothing.
  const isRefused = fault.errorClass !== 'unreachable' && fault.errorClass !== 'expired'
  const what = isRefused ? 'The upstream platform refused the message' : 'The message was not sent'
  return graphRefusal(what, messageId, fault)
}

/** @param what was not done with the message; null: it is about none */
export function graphRefusal(what: string, messageId: string | null, fault: UpstreamFault): Refusal {
  const { code, subcode, title, details, traceId, retryable, issues } = fault
  return {
    reason: 'CHANNEL_GRAPH_ERROR',
    status: fault.fault === 'request' ? 400 : 502,
    message: `${what}: ${failureReason(fault)}`,
    details: {
      ...(messageId !== null && { messageId }),
      ...{ code, subcode, title, details, traceId, retryable },
      ...(issues && { issues }),
    },
  }
}
