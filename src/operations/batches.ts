import type { Batch, ItemStatus, ShownItem } from '../../db/contract/batches.ts'
import { type Actor, ownOf, Refused, unknown } from './act.ts'
import { stepItems } from './batchDetails.ts'

/** Who makes, starts and resumes batches: their messages go in this name. */
export interface BatchSender {
  readonly workspaceId: string
  /** Null: no key, but the operator or a member. */
  readonly keyId: string | null
  /** Of idempotency keys: that of the API key; without a key, the id of the workspace. */
  readonly scope: string
  /** Those that it sends from; null: all. It sees the batches of its own scope alone then. */
  readonly lineIds: readonly string[] | null
}

/** The batch, which the actor may see. */
export async function batchOf(
  actor: Pick<Actor, 'read' | 'workspaceId'>,
  batchId: string,
  by?: BatchSender,
): Promise<Batch | Refused> {
  const batch = ownOf(actor, await actor.read.batch(batchId), 'batch', batchId)
  if (batch instanceof Refused || by === undefined || isSeenBy(by, batch)) return batch
  return unknown('batch', batchId)
}

/** A key that is limited to lines does not see what others send. */
const isSeenBy = ({ lineIds, scope }: BatchSender, batch: Batch) => lineIds === null || batch.scope === scope

/** The newest first. `next`: null at the end. */
export async function batchPage(
  { read }: Pick<Actor, 'read'>,
  by: BatchSender,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<{ readonly batches: readonly Batch[]; readonly next: string | null }> {
  const found = await read.batches({ workspaceId: by.workspaceId, after, limit })
  const next = found.length < limit ? null : (found.at(-1)?.id ?? null)
  return { batches: found.filter(batch => isSeenBy(by, batch)), next }
}

/** All items of a batch that have one of these statuses, a step at a time. */
export async function* stepsOf(
  { read }: Pick<Actor, 'read'>,
  batchId: string,
  statuses: readonly ItemStatus[] | null,
  rest: () => Promise<unknown>,
): AsyncGenerator<readonly ShownItem[]> {
  for (let after: number | null = -1; after !== null; ) {
    await rest()
    const step: Awaited<ReturnType<typeof read.batchItems>> = await read.batchItems({
      ...{ batchId, after, limit: stepItems, statuses },
    })
    if (step.items.length > 0) yield step.items
    after = step.next
  }
}

/** A page of a batch's items. `next`: null at the end. */
export async function itemPage(
  { read }: Pick<Actor, 'read'>,
  batchId: string,
  {
    status,
    after,
    limit,
  }: { readonly status?: ItemStatus | undefined; readonly after: number; readonly limit: number },
): Promise<{ readonly items: readonly ShownItem[]; readonly next: number | null }> {
  const statuses = status === undefined ? null : [status]
  const step = await read.batchItems({ batchId, after, limit: statuses ? stepItems : limit, statuses })
  const items = step.items.slice(0, limit)
  return { items, next: items.length < step.items.length ? (items.at(-1)?.number ?? null) : step.next }
}
