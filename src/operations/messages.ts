import type { Message } from '../../db/contract/records.ts'
import { isUncertain } from '../message/statuses.ts'
import { type Actor, conflict, existing, ownOf, Refused } from './act.ts'

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
