import type { Message, MessageDraft, MessageState, MessageStatusView } from '../../db/contract/records.ts'
import { draftedOf } from '../../db/contract/statusView.ts'
import { hourMs } from '../../src/base/durations.ts'
import { apply, eventless, type MessageEvent, type MessageRecord, statusOf } from '../../src/message/state.ts'
import { t0 } from './fixtures.ts'

/** The same fields, and a null in none of them. */
export type Full<Value> = Value extends object
  ? { readonly [Field in keyof Value]-?: Full<NonNullable<Value[Field]>> }
  : NonNullable<Value>

/** But for what no store keeps. */
export type FullDraft = Full<Omit<MessageDraft, 'generation'>>

/**
 * A draft with a value in every field, each another one: what stores it may lose none, and mix up none. A field without
 * a value here is a type error. It is of the line `line_full` and the key `pk_full`.
 */
export const fullDraft = (fields: Partial<FullDraft> = {}): FullDraft => ({
  id: 'msg_full',
  workspaceId: 'ws_1',
  channelId: 'chan_1',
  lineId: 'line_full',
  contactId: 'contact_full',
  recipient: '+4930123477',
  type: 'interactive',
  templateName: 'order_full',
  templateLanguage: 'en_FULL',
  payload: '{"to":"+4930123477","type":"interactive"}',
  createdAt: t0 + 1,
  dispatchedAt: t0 + 2,
  apiKeyId: 'pk_full',
  requestId: 'request full',
  reference: 'reference full',
  againOf: 'msg_before',
  idempotency: { scope: 'scope_full', key: 'key full', fingerprint: 'f0'.repeat(32), expiresAt: t0 + 24 * hourMs },
  opensFlow: { contactId: 'contact_flow', flowToken: 'token full' },
  closesFlows: { contactId: 'contact_flow', lineId: 'line_full' },
  ...fields,
})

/** @returns what events make of a draft, by the state machine alone: nothing of it is read from a store */
export const recordOf = ({ createdAt, dispatchedAt }: MessageDraft, ...events: readonly MessageEvent[]) =>
  events.reduce<MessageRecord>(apply, { createdAt, dispatchedAt, ...eventless })

/** @returns what has become of it */
export function stateOf(draft: MessageDraft, ...events: readonly MessageEvent[]): MessageState {
  const { id, workspaceId } = draft
  const record = recordOf(draft, ...events)
  return { id, workspaceId, status: statusOf(record), ...record }
}

/** @returns what is polled of it */
export const viewOf = (draft: MessageDraft, ...events: readonly MessageEvent[]): MessageStatusView => ({
  ...stateOf(draft, ...events),
  ...draftedOf(draft),
})

/** @returns the whole message, as it is looked up */
export function messageOf(draft: MessageDraft, ...events: readonly MessageEvent[]): Message {
  const { payload: _, idempotency, opensFlow: _opens, closesFlows: _closes, ...kept } = draft
  return { ...kept, ...viewOf(draft, ...events), idempotencyKey: idempotency?.key ?? null }
}
