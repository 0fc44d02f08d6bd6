import { field, text, timestamp } from '../base/json.ts'
import { whyOf } from '../templates/reason.ts'

export interface TemplateUpdate {
  readonly accountId: string
  readonly name: string
  readonly language: string
  /** Null: the event says nothing about whether it can be sent. */
  readonly status: string | null
  /** The upstream's word for why, as `INVALID_FORMAT`. */
  readonly reason: string | null
  /** A sentence: what to do, or what happened. */
  readonly recommendation: string | null
  readonly at: number
}

/**
 * The status that an event gives to the record until the listing is read again (docs/upstream.md#account-updates).
 * Flagged and locked templates can still be sent.
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
 * Reads an update of a template (docs/upstream.md#account-updates). It changes the status, or says that the components
 * or the category changed; the listing has those. Account, name and language are the key. The template's numeric id is
 * not used, because it is a JSON number beyond the safe integers.
 */
export function readTemplateUpdate(entry: unknown, value: unknown, receivedAt: number): TemplateUpdate | null {
  const accountId = text(field(entry, 'id'))
  const name = text(field(value, 'message_template_name'))
  const language = text(field(value, 'message_template_language'))
  const event = text(field(value, 'event'))
  if (accountId === null || name === null || language === null) return null
  const status = event !== null && Object.hasOwn(statusByEvent, event) ? (statusByEvent[event] ?? null) : null
  const at = timestamp(field(entry, 'time')) ?? receivedAt
  return { accountId, name, language, status, ...whyOf(value), at }
}
