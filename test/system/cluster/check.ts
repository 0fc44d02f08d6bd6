import type { Deployment } from '../rig/deployment.ts'
import type { Ledger } from '../rig/ledger.ts'
import { type Order, type OrderBook, promised } from '../rig/orders.ts'
import type { Arrival } from '../rig/platform.ts'
import { compare, unheard, unsettled } from '../rig/verdict.ts'

/** Compares the logs of a run that is over: everything has left, and every callback was taken. */
export function compareEnd(
  { platform, workspaces }: Deployment,
  { all: orders, written }: OrderBook,
  ledger: Ledger,
): string[] {
  const arrivals = platform.arrivals()
  return [
    // Nothing is queued any more, so nothing may be left of any earlier process.
    ...compare({ orders, arrivals, ledger, workspaces, startedAt: Number.POSITIVE_INFINITY }),
    ...platform.doubles().map(messageId => `${messageId}: went out twice`),
    ...lost(arrivals, ledger),
    ...unsettled(orders, arrivals, ledger),
    ...unheard(written, ledger),
    ...unpromised(orders, arrivals),
  ]
}

/** Every message arrived, unless it was refused, or is UNKNOWN and was handed over. */
function* lost(arrivals: readonly Arrival[], ledger: Ledger) {
  const arrived = new Set(arrivals.map(({ messageId }) => messageId))
  for (const { id, status, isRefused, dispatchedAt, lostAt } of ledger.messages.values()) {
    if (status === 'QUEUED') yield `${id}: is QUEUED for ever`
    else if (status === 'UNKNOWN' && (dispatchedAt === null || lostAt === null)) {
      yield `${id}: is UNKNOWN and was never handed over`
    } else if (status !== 'UNKNOWN' && isRefused === 0 && !arrived.has(id))
      yield `${id}: is ${status} and never arrived`
  }
}

/** 503 says that nothing was accepted. So nothing is sent of an order that got no other answer, and was never cut. */
function* unpromised(orders: readonly Order[], arrivals: readonly Arrival[]) {
  const arrived = new Set(arrivals.map(({ tag }) => tag))
  for (const order of orders) {
    const { tag, answers, cuts } = order
    const isOnly503 = answers.length > 0 && cuts === 0 && answers.every(({ status }) => status === 503)
    if (isOnly503 && promised(order) === null && arrived.has(tag)) yield `${tag}: was answered 503 and was sent`
  }
}
