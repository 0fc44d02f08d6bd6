import type { Message, MessageState } from '../../db/contract/records.ts'
import { isCancelled, isScheduled, isUncertain } from '../message/statuses.ts'
import { readSendAt, sendAtIssue, sendAtProblem } from '../sending/sendAt.ts'
import { type Actor, conflict, existing, ownOf, Refused, wrong, wrongField } from './act.ts'

/** The message, which the actor may see. */
export const messageWithin = async (actor: Pick<Actor, 'read' | 'workspaceId'>, messageId: string) =>
  ownOf(actor, await actor.read.message(messageId), 'message', messageId)

/** Settles a message of unknown outcome by hand. @param as the outcome that is known */
export async function settleMessage(
  actor: Actor,
  messageId: string,
  as: 'SENT' | 'FAILED',
): Promise<Message | Refused> {
  const before = await messageWithin(actor, messageId)
  if (before instanceof Refused) return before
  if (!isUncertain(before.status)) {
    return conflict(`Only a message of unknown outcome can be settled; this one is ${before.status}.`)
  }
  const at = actor.clock.now()
  // A callback may settle it at the same moment. Then the state machine keeps the callback's result.
  await actor.write.recordEvent({
    messageId,
    event: { kind: 'resolved', at, as, reason: 'Resolved as failed by the operator.' },
    detail: { as },
    recordedAt: at,
  })
  return existing(await actor.read.message(messageId), 'message', messageId)
}

const isPast = (status: string) =>
  conflict(`Only a message that waits for its time can be moved or cancelled; this one is ${status}.`)

/** Takes back a message that waits for its time. One that was released at the same moment is refused, and is sent. */
export async function cancelMessage(actor: Actor, messageId: string): Promise<Message | Refused> {
  const before = await messageWithin(actor, messageId)
  if (before instanceof Refused) return before
  if (!isScheduled(before.status)) return isPast(before.status)
  const at = actor.clock.now()
  const event = { kind: 'cancelled', at } as const
  const state = await actor.write.recordEvent({ messageId, event, detail: null, recordedAt: at })
  return isCancelled(state?.status ?? before.status) ? after(actor, messageId) : refusedNow(state)
}

/**
 * Moves a message that waits for its time to another one.
 * @param sendAt with its offset
 * @param idempotencyTtlMs how long its idempotency key lives from then on
 */
export async function rescheduleMessage(
  actor: Actor,
  messageId: string,
  { sendAt, idempotencyTtlMs }: { readonly sendAt: string; readonly idempotencyTtlMs: number },
): Promise<Message | Refused> {
  const before = await messageWithin(actor, messageId)
  if (before instanceof Refused) return before
  const at = actor.clock.now()
  const dueAt = readSendAt(sendAt)
  if (dueAt === null) return wrongField('/sendAt', sendAtProblem)
  const issue = sendAtIssue(dueAt, at)
  if (issue) return wrong([issue])
  if (!isScheduled(before.status)) return isPast(before.status)
  const keyExpiresAt = dueAt + idempotencyTtlMs
  const state = await actor.write.rescheduleMessage({ messageId, dueAt, keyExpiresAt, at })
  return state && isScheduled(state.status) ? after(actor, messageId) : refusedNow(state)
}

const after = async (actor: Actor, messageId: string) =>
  existing(await actor.read.message(messageId), 'message', messageId)

/** It was released, or is gone, since it was looked at. */
const refusedNow = (state: MessageState | null) => isPast(state?.status ?? 'gone')
