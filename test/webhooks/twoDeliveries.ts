import type { Store } from '../../db/contract/store.ts'
import { newId, numberedId } from '../../src/base/ids.ts'
import { outcome } from '../db/fixtures.ts'

/** Of an attempt whose receiver did not take it. */
export const notTaken = { ...outcome(0).attempt, status: 503, answer: 'closed' }

/**
 * Tells two events in a workspace, and then makes an endpoint there of which the first was taken, and the second was
 * not. So a gateway, which may find the endpoint on for a moment, delivers neither.
 * @param add makes an endpoint that is off, or that no gateway sees. @returns its id
 */
export async function twoDeliveries(
  { read, write }: Pick<Store, 'read' | 'write'>,
  workspaceId: string,
  add: () => Promise<string>,
): Promise<{ readonly id: string; readonly delivered: string; readonly failed: string }> {
  const contact = { workspaceId, phone: '+15550100200', userId: null, createdAt: Date.now(), updatedAt: Date.now() }
  for (const name of ['Ada', 'Ada Lovelace', 'Countess'])
    await write.saveContact({ ...contact, id: newId('contact'), name })
  const { events } = await read.events({ workspaceId, after: 0, limit: 9 })
  const [first, second] = events.map(({ seq }) => seq)
  if (first === undefined || second === undefined) throw new Error('nothing was told')
  const id = await add()
  const outcomes = [outcome(first), outcome(second, { state: 'failed', attempt: notTaken })]
  await write.recordAttempts({ endpointId: id, position: second, outcomes })
  return { id, delivered: numberedId('evt', workspaceId, first), failed: numberedId('evt', workspaceId, second) }
}
