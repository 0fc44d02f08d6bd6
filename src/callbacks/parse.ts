import type { Report } from '../../db/store.ts'
import { readFault } from '../channel/answer.ts'
import { failureReason } from '../messages/dispatch.ts'
import type { ReportEvent } from '../messages/state.ts'

/**
 * Reads the envelope of a callback (upstream reference 9.4). Every entry is judged for itself: what is unknown or
 * malformed is counted and passed over, and never costs its neighbours.
 */
export function readCallback(payload: unknown): { readonly reports: Report[]; readonly skipped: number } {
  const reports: Report[] = []
  let skipped = 0
  for (const entry of list(field(payload, 'entry'))) {
    for (const change of list(field(entry, 'changes'))) {
      const value = field(change, 'value')
      for (const status of list(field(value, 'statuses'))) {
        const report = readStatus(status)
        if (report) reports.push(report)
        else skipped += 1
      }
    }
  }
  return { reports, skipped }
}

/** `played` is a voice message heard: it says no more about a message than that it was opened. */
const statusByName: Readonly<Record<string, ReportEvent['status']>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  played: 'read',
  failed: 'failed',
}

/** The largest time that makes a date; anything else in a callback is no time. */
const secondsMax = 8_640_000_000_000

/** @returns null when it is no status of ours: unknown word, no id or no time. */
function readStatus(value: unknown): Report | null {
  const channelMessageId = text(field(value, 'id'))
  const name = text(field(value, 'status'))
  const status = name !== null && Object.hasOwn(statusByName, name) ? statusByName[name] : undefined
  const seconds = Number(field(value, 'timestamp') ?? Number.NaN)
  if (channelMessageId === null || !status || !(seconds >= 0 && seconds <= secondsMax)) return null
  const errors = list(field(value, 'errors'))
  // A callback's error is classed as a refusal would be; a code that nobody knows still has its title and details.
  const fault = errors.length > 0 ? readFault(errors[0], callbackErrorStatus) : null
  return {
    messageId: text(field(value, 'biz_opaque_callback_data')),
    event: {
      kind: 'reported',
      status,
      at: Math.floor(seconds * 1000),
      channelMessageId,
      reason: status === 'failed' ? (fault ? failureReason(fault) : 'The upstream platform gave no reason') : null,
    },
    // The errors of a failure come once: they are kept as they are.
    detail: errors.length > 0 ? { errors } : null,
  }
}

/** Errors in callbacks have no HTTP status of their own. */
const callbackErrorStatus = 400

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
