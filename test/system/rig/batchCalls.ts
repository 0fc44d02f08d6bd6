import { isDeepStrictEqual } from 'node:util'
import { itemsAtOnceMax } from '../../../src/message/batches.ts'
import { type BatchAnswer, type BatchOrder, promisedBatch } from './batches.ts'
import type { Gateways } from './callers.ts'
import type { Deployment, LineName } from './deployment.ts'
import type { Ledger } from './ledger.ts'
import type { OrderBook } from './orders.ts'

const path = '/api/v1/public/batches'

/** @param said what each item is known by, and to whom it goes */
export function batchOrder(
  { lines }: Deployment,
  line: LineName,
  key: string,
  said: readonly { readonly tag: string; readonly phone: string }[],
): BatchOrder {
  const { id: phoneNumberId, owner } = lines[line]
  const items = said.map(({ tag, phone }) => {
    const body = { content: tag, phone }
    const content = { fields: body, quotes: null, shows: null }
    return { ...{ tag, owner, key: null, body, content, isOrdinary: true }, answers: [], cuts: 0 }
  })
  return { owner, key, defaults: { type: 'text', phoneNumberId }, items, answers: [] }
}

/**
 * Asks for a batch once, in as many requests as it takes: each may have been answered before.
 * @returns whether all were answered
 */
export async function askForBatch(
  gateways: Gateways,
  deployment: Deployment,
  book: OrderBook,
  batch: BatchOrder,
): Promise<boolean> {
  const { key, owner, defaults } = batch
  const address = gateways.address()
  const items = batch.items.map(({ body }) => body)
  const isLong = items.length > itemsAtOnceMax
  const post = async (below: string, body: object): Promise<BatchAnswer> => {
    const headers = { 'content-type': 'application/json', ...deployment.keys[owner], ...gateways.proxyHeaders?.() }
    const { patienceMs } = gateways
    const signal = patienceMs === undefined ? null : AbortSignal.timeout(patienceMs)
    const answer = await fetch(address + path + below, { method: 'POST', headers, body: JSON.stringify(body), signal })
    const { error = null, data } = (await answer.json()) as { error?: string; data?: { id: string } }
    return { status: answer.status, error, batchId: data?.id ?? null }
  }
  try {
    const head = { idempotencyKey: key, defaults, ...(isLong && { state: 'draft' }) }
    const made = await post('', { ...head, items: items.slice(0, itemsAtOnceMax) })
    book.keepBatch(batch, made)
    let isTaken = made.batchId !== null
    const further = async (below: string, body: object) => {
      const answer = await post(`/${made.batchId}${below}`, body)
      isTaken = answer.batchId !== null
      if (!isTaken && !book.mayBeUnavailable({ ...answer, messageId: null }))
        book.violations.push(`${key}: ${below} is answered ${answer.status} ${answer.error}`)
    }
    for (let offset = itemsAtOnceMax; isTaken && offset < items.length; offset += itemsAtOnceMax)
      await further('/items', { offset, items: items.slice(offset, offset + itemsAtOnceMax) })
    if (isTaken && isLong) await further('/start', {})
    if (isTaken) return true
  } catch {
    // Cut: nothing is known of it.
  }
  await gateways.failed?.(address, 'cut')
  return false
}

/** @returns what a batch says of its items that is not so. To be asked once nothing is under way */
export async function miscounted(
  gateways: Gateways,
  { keys }: Deployment,
  batch: BatchOrder,
  { batches, messages }: Ledger,
): Promise<string[]> {
  const id = promisedBatch(batch)
  const headers = { ...keys[batch.owner], ...gateways.proxyHeaders?.() }
  const answer = await fetch(`${gateways.address()}${path}/${id}`, { headers })
  const { data } = (await answer.json()) as { data?: { counts: Record<string, number> } }
  const items = batches.get(id ?? '')?.items ?? []
  const there = Map.groupBy(items, ({ state, messageId }) => messages.get(messageId ?? '')?.status ?? state)
  const counts = Object.fromEntries([...there].map(([status, { length }]) => [status, length]))
  const said = Object.fromEntries(Object.entries(data?.counts ?? {}).filter(([, count]) => count > 0))
  return isDeepStrictEqual(said, counts)
    ? []
    : [`${batch.key}: says ${JSON.stringify(said)}, and its items are ${JSON.stringify(counts)}`]
}
