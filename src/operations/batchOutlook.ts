import type { Batch, OwnFields } from '../../db/contract/batches.ts'
import { asksForOptOut } from '../message/optOut.ts'
import type { Actor } from './act.ts'
import { chargesOf } from './batchDetails.ts'
import { stepsOf } from './batches.ts'

/**
 * Before a start: who is left out because of what they have asked for, as it is known now. Each is asked again when its
 * message leaves.
 * @returns how many of the items that wait are marketing to people who want none
 */
export async function countOptedOut(
  { read }: Pick<Actor, 'read'>,
  batch: Batch,
  rest: () => Promise<unknown>,
): Promise<number> {
  const isLeftOut = await optOutsOf(read, batch)
  let count = 0
  for await (const items of stepsOf({ read }, batch.id, ['WAITING'], rest)) {
    const answers = await Promise.all(items.map(({ recipient, own }) => isLeftOut(recipient, own)))
    count += answers.filter(Boolean).length
  }
  return count
}

/** @returns a function that says of an item, by its own fields, whether it is marketing to somebody who wants none */
export async function optOutsOf(
  read: Actor['read'],
  batch: Batch,
): Promise<(recipient: string, own: OwnFields | null) => Promise<boolean>> {
  const { workspaceId } = batch
  const [lines, workspace] = await Promise.all([read.lines(workspaceId), read.workspace(workspaceId)])
  const chargeOf = chargesOf(read, batch, lines)
  return async (recipient, own) => {
    const { template } = await chargeOf(own)
    if (workspace === null || !asksForOptOut(workspace.onOptOut, template?.category ?? null)) return false
    const address = recipient.startsWith('contact_') ? await addressOf(read, workspaceId, recipient) : recipient
    return address !== null && read.optedOut({ workspaceId, address })
  }
}

async function addressOf(read: Actor['read'], workspaceId: string, contactId: string): Promise<string | null> {
  const contact = await read.contact({ workspaceId, contactId })
  return contact && (contact.phone ?? contact.userId)
}
