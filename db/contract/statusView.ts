import { eventless } from '../../src/message/state.ts'
import { type CallerField, callerFieldNames, callerFieldsOf, pickedOf } from '../messageFields.ts'
import type { Message, MessageDraft } from './records.ts'

const stateFields = [
  ...(['id', 'workspaceId', 'status', 'createdAt', 'dispatchedAt'] as const),
  ...(Object.keys(eventless) as (keyof typeof eventless)[]),
]

/** @returns the state of a message (`MessageState`): these of its fields */
export const messageStateOf = pickedOf(stateFields)
/** @returns what is polled of a message (`StoredView`): these of its columns, or of its fields */
export const statusViewOf = pickedOf([...stateFields, ...callerFieldNames])

type Drafted = Pick<MessageDraft, Exclude<CallerField, 'idempotencyKey'> | 'lineId'> &
  (Pick<MessageDraft, 'idempotency'> | Pick<Message, 'idempotencyKey'>)

/** @returns what callers see of a message as it was offered, or as it was accepted before: no event changes it */
export function draftedOf(draft: Drafted) {
  const idempotencyKey = 'idempotency' in draft ? (draft.idempotency?.key ?? null) : draft.idempotencyKey
  return { ...callerFieldsOf({ ...draft, idempotencyKey }), lineId: draft.lineId }
}
export type DraftedView = Pick<Message, CallerField | 'lineId'>
