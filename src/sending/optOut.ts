import type { StoreReads } from '../../db/contract/store.ts'
import type { Refusal } from '../base/errors.ts'
import { asksForOptOut, type OnOptOut } from '../message/optOut.ts'

/** Who would get what, and what the workspace or the key wants of it. */
export interface Offer {
  readonly workspaceId: string
  /** `+` and digits, or the upstream's user id. */
  readonly recipient: string
  readonly onOptOut: OnOptOut
  /** That of the template, as the platform lists it now; null: it is none. */
  readonly category: string | null
}

export const optedOut: Refusal = {
  reason: 'OPTED_OUT',
  message:
    'The recipient wants no marketing messages, and this workspace or key does not send them then (onOptOut). Other ' +
    'messages reach it.',
}

/**
 * Ask it last, right before the message is accepted: what the person says later does not stop it any more. Where
 * nothing is refused, nothing is read.
 * @returns why a message is not sent to somebody who wants no marketing; null: it may be sent
 */
export async function optOutRefusal(
  read: Pick<StoreReads, 'optedOut'>,
  { workspaceId, recipient, onOptOut, category }: Offer,
): Promise<Refusal | null> {
  if (!asksForOptOut(onOptOut, category)) return null
  return (await read.optedOut({ workspaceId, address: recipient })) ? optedOut : null
}
