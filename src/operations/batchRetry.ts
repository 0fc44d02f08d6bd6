import type { Message, TimelineEntry } from '../../db/contract/records.ts'
import type { EpochMs } from '../base/clock.ts'
import { dayMs } from '../base/durations.ts'
import { field } from '../base/json.ts'
import { isPermissionCode } from '../graph/codes.ts'
import { CODES, type ErrorClass } from '../graph/codeTable.ts'
import { failureOfReason } from '../graph/failures.ts'
import { failureReasonOf, reportedFailure } from '../message/state.ts'
import { hasFailed } from '../message/statuses.ts'
import type { HeldBackReason } from '../sending/releaser.ts'

/** Whether a message that failed so may be sent again: a refusal that can pass, and that says that nothing was sent. */
const passes: Readonly<Record<ErrorClass | 'unreachable' | 'expired', boolean>> = {
  throttleApp: true,
  throttleLine: true,
  throttlePair: true,
  retry: true,
  maintenance: true,
  // It does not promise that nothing was sent.
  vague: false,
  permanent: false,
  holdRequest: true,
  holdAccount: true,
  accountStop: true,
  token: true,
  unreachable: true,
  expired: true,
}

/** Why a message did not leave when its time had come, and may at another time. It was not handed over. */
const passingReasons: readonly string[] = [
  'PLAN_LIMIT_EXCEEDED',
  'TEMPLATE_NOT_APPROVED',
  'PHONE_NUMBER_INACTIVE',
  'UNAUTHORIZED',
  'LATE',
] satisfies readonly HeldBackReason[]

/** The platform keeps marketing from a person (docs/upstream.md#error-codes). */
const tooMuchMarketing = 131049
const marketingRestMs = dayMs

const passesWith = (code: number) =>
  passes[CODES.get(code)?.errorClass ?? (isPermissionCode(code) ? 'accountStop' : 'permanent')]

/**
 * @param timeline of the message, read only where the reason has no code
 * @returns whether an item of a batch is sent again when people ask for it
 */
export async function mayRetry(
  message: Message,
  now: EpochMs,
  timeline: (messageId: string) => Promise<readonly TimelineEntry[]>,
): Promise<boolean> {
  // What was lost once may have arrived, whatever was made of it since.
  if (!hasFailed(message.status) || message.lostAt !== null) return false
  const reason = failureReasonOf(message)
  const { code } = failureOfReason(reason ?? '')
  if (code === tooMuchMarketing) {
    const failedAt = reportedFailure(message)?.at ?? message.gaveUpAt ?? message.createdAt
    return now - failedAt >= marketingRestMs
  }
  if (code !== null) return passesWith(code)
  if (reportedFailure(message)) return false
  const end = (await timeline(message.id)).find(({ kind }) => ['refused', 'expired', 'heldBack'].includes(kind))
  const why = field(end?.detail, 'reason')
  const codeOfFile = field(end?.detail, 'code')
  if (end?.kind === 'heldBack')
    return (
      field(end.detail, 'retryable') === true ||
      (typeof codeOfFile === 'number' && passesWith(codeOfFile)) ||
      (typeof why === 'string' && passingReasons.includes(why))
    )
  const errorClass = field(end?.detail, 'errorClass')
  return typeof errorClass === 'string' && Object.hasOwn(passes, errorClass) && passes[errorClass as ErrorClass]
}
