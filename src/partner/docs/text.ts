import { minuteMs } from '../../base/durations.ts'
import { PARTNER_ERRORS } from '../../base/errors.ts'
import { rateWindowMs } from '../../base/rateLimits.ts'
import { partnerPrefix } from '../../http/calls.ts'
import { bodyBytesMax } from '../../http/limits.ts'
import type { MessageStatus } from '../../message/statuses.ts'
import { idempotencyKeyLengthMax } from '../../operations/sends/sendSchema.ts'
import { valueCharsMax } from '../../templates/limits.ts'
import { filled, markdownTable } from './markdown.ts'
import text from './text.md' with { type: 'text' }

const states: Record<MessageStatus, readonly [meaning: string, next: string]> = {
  SCHEDULED: ['Waits for its `sendAt`; it can be moved and cancelled.', '`QUEUED`, `CANCELLED`, `FAILED`'],
  QUEUED: ['Stored; the upstream platform has not answered yet.', '`SENT`, `FAILED`, `UNKNOWN`'],
  SENT: [
    'The upstream platform accepted it. That does not prove that anybody saw it.',
    '`DELIVERED`, `READ`, `FAILED`',
  ],
  DELIVERED: ['It is on the device.', '`READ`'],
  READ: ['The user opened it.', 'none'],
  FAILED: ['Refused, or not delivered; see `failureReason`.', 'none, unless a delivery is reported after all'],
  UNKNOWN: [
    'Handed over, but the answer was lost. Never resent.',
    '`SENT`, `DELIVERED`, `READ`, `FAILED`: by a later callback, or by an operator',
  ],
  CANCELLED: ['Taken back before its time.', 'none'],
}

const errorRows = Object.entries(PARTNER_ERRORS).map(([code, { status, retryable, meaning }]) => [
  `[\`${code}\`](docs/errors#${code})`,
  [...status].sort().join(', '),
  retryable ? 'yes' : 'no',
  meaning,
])

/** The address in the quick start as it is written here. A reader gets the gateway's own address in its place. */
export const quickStartAddress = 'http://127.0.0.1:8080'

/** The document's front page, in Markdown. A test runs the lines of its quick start. */
export const documentText = filled(text.trimEnd(), {
  quickStartAddress,
  partnerPrefix,
  idempotencyKeyLengthMax,
  minutes: rateWindowMs / minuteMs,
  bodyKib: bodyBytesMax / 1_024,
  valueCharsMax,
  states: markdownTable(
    ['Status', 'Meaning', 'What may follow'],
    Object.entries(states).map(([status, [meaning, next]]) => [`\`${status}\``, meaning, next]),
  ),
  errors: markdownTable(['Code', 'HTTP', 'Retry', 'Meaning'], errorRows),
})
