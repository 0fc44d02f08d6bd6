import type { Report } from '../../db/contract/records.ts'
import type { Details } from '../base/errors.ts'
import { paymentStatuses } from '../base/eventTypes.ts'
import { field, isObject, list, text, timestamp } from '../base/json.ts'
import { failureReason, readFault, type UpstreamFault } from '../graph/answer.ts'
import { isMediaGone } from '../graph/codes.ts'
import { redactError } from '../graph/redact.ts'
import { readPricing } from '../message/pricing.ts'
import type { ReportEvent } from '../message/state.ts'
import { identityOf, type Person, personOf, upstreamPhoneIdOf } from './people.ts'

/** `played`: the user heard a voice message. For us it was opened. */
const statusByName: Readonly<Record<string, ReportEvent['status']>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  played: 'read',
  failed: 'failed',
}

/** What a status is about: each has a `type`, and one without is about the message. */
export function subjectOf(part: unknown): 'message' | 'payment' | 'unknown' {
  const [type, status] = ['type', 'status'].map(name => text(field(part, name)))
  if (type === 'payment') return paymentStatuses.some(known => known === status) ? 'payment' : 'unknown'
  if (type !== null && type !== 'message') return 'unknown'
  return status === null || status === undefined || Object.hasOwn(statusByName, status) ? 'message' : 'unknown'
}

export interface StatusRead {
  readonly report: Report
  /** Why the message failed; null when it did not, or when the callback gives no reason. */
  readonly fault: UpstreamFault | null
  /** The recipient, as far as it names one. */
  readonly recipient: Person
}

export interface StatusReading {
  /** What no error may repeat. */
  readonly secrets: readonly string[]
  /** For endpoints of the platform's format (src/webhooks/platformBody.ts). */
  readonly keepsStatuses: boolean
}

/** Some 300 characters are known. */
const callbackCharsMax = 1_024

/**
 * Reads one status (docs/upstream.md#status-updates). One without a time gets the time of arrival.
 * @param value the `value` that holds the status and its line
 * @returns null for an unknown status, or without an id
 */
export function readStatusUpdate(
  part: unknown,
  value: unknown,
  receivedAt: number,
  { secrets, keepsStatuses }: StatusReading,
): StatusRead | null {
  const channelMessageId = text(field(part, 'id'))
  const name = text(field(part, 'status'))
  const status = name !== null && Object.hasOwn(statusByName, name) ? statusByName[name] : undefined
  const at = timestamp(field(part, 'timestamp')) ?? receivedAt
  if (channelMessageId === null || !status) return null
  const recipient = recipientOf(part, value)
  const errors = list(field(part, 'errors'))
  const fault = status === 'failed' ? faultOf(errors[0], value, secrets) : null
  const reason = fault ? failureReason(fault) : 'The upstream platform gave no reason'
  const callback = keepsStatuses ? restOf(part, secrets) : null
  // The errors of a failure come only once, so all of their fields are kept.
  const detail = { ...(errors.length > 0 && { errors: redactError(errors, secrets) }), ...(callback && { callback }) }
  return {
    report: {
      messageId: text(field(part, 'biz_opaque_callback_data')),
      event: {
        ...{ kind: 'reported', status, at, channelMessageId },
        reason: status === 'failed' ? reason : null,
        pricing: readPricing(status, field(part, 'pricing')),
      },
      detail: Object.keys(detail).length > 0 ? detail : null,
      isMediaGone: fault !== null && isMediaGone(fault),
      to: { upstreamPhoneId: upstreamPhoneIdOf(value), phone: recipient.phone, userId: recipient.userId },
    },
    fault,
    recipient,
  }
}

/** @returns whom a status names. A group is nobody, whatever its id looks like */
export function recipientOf(part: unknown, value: unknown): Person {
  if (field(part, 'recipient_type') === 'group') return { phone: null, userId: null, name: null }
  const isAlone = list(field(value, 'statuses')).length === 1
  const named = identityOf(field(part, 'recipient_id'), field(part, 'recipient_user_id'))
  return personOf(named, list(field(value, 'contacts')), isAlone)
}

/** @returns what a status says beside what is kept of it anyway, and nothing that names a person; null: too much */
function restOf(part: unknown, secrets: readonly string[]): Details | null {
  const names = ['status', 'conversation', 'pricing'].filter(name => field(part, name) !== undefined)
  const rest = redactError(Object.fromEntries(names.map(name => [name, field(part, name)])), secrets)
  return isObject(rest) && JSON.stringify(rest).length <= callbackCharsMax ? rest : null
}

/** A callback's error is classed like a refusal. An unknown code still has its title and details. */
export const faultOf = (error: unknown, value: unknown, secrets: readonly string[]): UpstreamFault | null =>
  readFault(error, null, secrets, upstreamPhoneIdOf(value))
