import { secondMs } from '../base/durations.ts'
import type { Refusal } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import type { BatchReason } from '../message/batches.ts'
import type { SendOutcome } from '../sending/submission.ts'
import { stopOfCode } from './stops.ts'

/** What becomes of an item after its send. */
export type ItemOutcome = SettledOutcome | AgainOutcome
interface SettledOutcome {
  readonly kind: 'settled'
  readonly state: 'sent' | 'failed' | 'skipped' | 'cancelled'
  readonly reason: BatchReason | null
}
/** Not now: the same again, with the same id of its message. */
interface AgainOutcome {
  readonly kind: 'again'
  readonly waitMs: number
  /** And the batch pauses itself. */
  readonly stop: BatchReason | null
  /** What becomes of it after `triesMax`; left out: the fault is not the item's, and it is tried on. */
  readonly atLast?: SettledOutcome
}

/** After what nobody can judge, as a database that does not answer. */
const unsureMs = 5 * secondMs

/** The others of its batch wait meanwhile: about a minute. */
export const triesMax = 12

/** @param tries of the item so far, with this one */
export const afterTries = (outcome: ItemOutcome, tries: number): ItemOutcome =>
  outcome.kind === 'again' && outcome.atLast && tries >= triesMax ? outcome.atLast : outcome

export const sent: ItemOutcome = { kind: 'settled', state: 'sent', reason: null }
export const unsure: AgainOutcome = { kind: 'again', waitMs: unsureMs, stop: null }

const leaves = (
  state: 'failed' | 'skipped',
  { reason, message }: Pick<Refusal, 'reason' | 'message'>,
): SettledOutcome => ({
  kind: 'settled',
  state,
  reason: { code: reason, message },
})
const stops = (code: string, { message }: Refusal): ItemOutcome => ({
  kind: 'again',
  waitMs: 0,
  stop: { code, message },
})

/**
 * @param own fields of the item: what is wrong with these concerns it alone. What all items share would refuse each of
 *   them, so the batch pauses itself instead
 */
export function outcomeOf(outcome: SendOutcome, own: JsonObject): ItemOutcome {
  if (outcome.kind !== 'refused') return sent
  const { refusal } = outcome
  const names = (...fields: readonly string[]) => fields.some(field => field in own)
  switch (refusal.reason) {
    case 'CHANNEL_GRAPH_ERROR':
      // There is a message, which has failed; or a file could not be uploaded for it.
      return typeof refusal.details?.messageId === 'string' ? sent : outcomeOfUpload(refusal)
    case 'PLAN_LIMIT_EXCEEDED':
      return stops('plan', refusal)
    case 'PHONE_NUMBER_REQUIRED':
    case 'PHONE_NUMBER_NOT_FOUND':
    case 'PHONE_NUMBER_INACTIVE':
    case 'NO_PHONE_NUMBER':
    case 'FORBIDDEN':
      return names('phoneNumberId') ? leaves('failed', refusal) : stops('line', refusal)
    case 'DIRECT_SEND_OFF':
      return names('phoneNumberId', 'category') ? leaves('failed', refusal) : stops('line', refusal)
    case 'TEMPLATE_NOT_APPROVED':
      return names('templateName', 'templateLanguage') ? leaves('failed', refusal) : stops('template', refusal)
    case 'NOT_FOUND':
      return names('contactId', 'replyTo', 'templateName', 'templateLanguage')
        ? leaves('failed', refusal)
        : stops('template', refusal)
    case 'OPTED_OUT':
      return leaves('skipped', refusal)
    case 'UNAUTHORIZED':
      return stops('key', refusal)
    case 'SERVICE_UNAVAILABLE':
    case 'RATE_LIMIT_EXCEEDED':
    case 'INTERNAL_ERROR':
      return { kind: 'again', waitMs: refusal.retryAfterMs ?? unsureMs, stop: null }
    default:
      return leaves('failed', refusal)
  }
}

/** A file that the platform does not take: as where it refuses a message, but for what may pass in a moment. */
function outcomeOfUpload(refusal: Refusal): ItemOutcome {
  const { code, retryable } = refusal.details ?? {}
  const stop = typeof code === 'number' ? stopOfCode(code) : null
  if (stop) return { kind: 'again', waitMs: 0, stop }
  const failed = leaves('failed', refusal)
  return refusal.status !== 400 && retryable === true ? { ...unsure, atLast: failed } : failed
}
