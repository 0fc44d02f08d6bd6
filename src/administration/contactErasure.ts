import type { Contact } from '../../db/records.ts'
import type { Store } from '../../db/store.ts'
import type { Clock } from '../time/clock.ts'

/** Each step shares its commit with sends, and a long one would delay them. */
const stepMax = 500

export type Erasure =
  | { readonly outcome: 'erased'; readonly messages: number; readonly inbound: number }
  | { readonly outcome: 'waiting'; readonly waiting: number }
  | { readonly outcome: 'unknown' }

/**
 * Erases the number, user id and name of a contact, what it wrote and what was sent to it. Counts and statuses stay.
 * The contact itself comes last: an erasure that was interrupted can be run again.
 */
export async function eraseContact(
  store: Store,
  { id: contactId, workspaceId, phone, userId }: Contact,
  clock: Pick<Clock, 'now'>,
): Promise<Erasure> {
  // The upstream writes a number without its plus.
  const addresses = [phone, phone?.replace(/^\+/, ''), userId].filter(address => typeof address === 'string')
  // Before anything is erased, because waiting messages could not be sent any more.
  const waiting = await store.read.waitingFor({ workspaceId, contactId, addresses })
  if (waiting > 0) return { outcome: 'waiting', waiting }
  async function forgetMessages(): Promise<number> {
    let messages = 0
    for (let after = ''; ; ) {
      const step = await store.write.forgetMessages({ contactId, workspaceId, addresses, after, limit: stepMax })
      messages += step.forgotten
      if (step.after === null) return messages
      after = step.after
    }
  }
  const messages = await forgetMessages()
  let inbound = 0
  for (let step = stepMax; step === stepMax; inbound += step) {
    step = await store.write.forgetInbound({ contactId, limit: stepMax })
  }
  const removal = await store.write.forgetContact({ contactId, addresses, at: clock.now() })
  if (removal.outcome !== 'removed') return removal
  // Again for messages sent meanwhile: an id is made before its message is stored, so they can be anywhere in the
  // order.
  return { outcome: 'erased', messages: messages + (await forgetMessages()), inbound }
}
