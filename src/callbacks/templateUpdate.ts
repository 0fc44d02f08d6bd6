import { field, text } from '../json.ts'
import { timestamp } from './timestamp.ts'

export interface TemplateUpdate {
  readonly accountId: string
  readonly name: string
  readonly language: string
  /** Null: the event says nothing about whether it can be sent. */
  readonly status: string | null
  readonly at: number
}

/**
 * What an event makes of the record until it is read anew (docs/upstream.md#account-updates). Flagged and locked stay
 * sendable.
 */
const statusByEvent: Readonly<Record<string, string | null>> = {
  APPROVED: 'APPROVED',
  REINSTATED: 'APPROVED',
  REJECTED: 'REJECTED',
  PENDING: 'PENDING',
  PAUSED: 'PAUSED',
  DISABLED: 'DISABLED',
  IN_APPEAL: 'IN_APPEAL',
  LIMIT_EXCEEDED: 'LIMIT_EXCEEDED',
  DELETED: 'DELETED',
  PENDING_DELETION: 'PENDING_DELETION',
  ARCHIVED: 'ARCHIVED',
  FLAGGED: null,
  LOCKED: null,
  UNARCHIVED: null,
}

/**
 * Reads an update of a template (docs/upstream.md#account-updates): of its status, or that its components or category
 * changed, which the listing tells. The template's numeric id is not used: it is a JSON number beyond the safe
 * integers; account, name and language are the key.
 */
export function readTemplateUpdate(entry: unknown, value: unknown, receivedAt: number): TemplateUpdate | null {
  const accountId = text(field(entry, 'id'))
  const name = text(field(value, 'message_template_name'))
  const language = text(field(value, 'message_template_language'))
  const event = text(field(value, 'event'))
  if (accountId === null || name === null || language === null) return null
  const status = event !== null && Object.hasOwn(statusByEvent, event) ? (statusByEvent[event] ?? null) : null
  return { accountId, name, language, status, at: timestamp(field(entry, 'time')) ?? receivedAt }
}
