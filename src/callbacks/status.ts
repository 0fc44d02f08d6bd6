import type { Report } from '../../db/records.ts'
import { failureReason, readFault } from '../channel/answer.ts'
import type { ReportEvent } from '../messages/state.ts'
import { field, list, text, timestamp } from './json.ts'

/** `played` is a voice message heard: it says no more about a message than that it was opened. */
const statusByName: Readonly<Record<string, ReportEvent['status']>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  played: 'read',
  failed: 'failed',
}

/** Reads one status (upstream reference 9.4). @returns null when it is none: unknown word, no id or no time. */
export function readStatus(value: unknown): Report | null {
  const channelMessageId = text(field(value, 'id'))
  const name = text(field(value, 'status'))
  const status = name !== null && Object.hasOwn(statusByName, name) ? statusByName[name] : undefined
  const at = timestamp(field(value, 'timestamp'))
  if (channelMessageId === null || !status || at === null) return null
  const errors = list(field(value, 'errors'))
  // A callback's error is classed as a refusal would be; a code that nobody knows still has its title and details.
  const fault = readFault(errors[0], null)
  const reason = fault ? failureReason(fault) : 'The upstream platform gave no reason'
  return {
    messageId: text(field(value, 'biz_opaque_callback_data')),
    event: { kind: 'reported', status, at, channelMessageId, reason: status === 'failed' ? reason : null },
    // The errors of a failure come once: they are kept as they are.
    detail: errors.length > 0 ? { errors } : null,
  }
}
