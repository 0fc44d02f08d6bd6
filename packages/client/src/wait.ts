import { GatewayRefusal, MessageFailed, WaitTimeout } from './errors.ts'
import type { Surroundings } from './transport.ts'
import type { Message } from './types.ts'

/** What can be waited for, in order. A status that is not named here (UNKNOWN, FAILED) is as far as QUEUED. */
const order = ['QUEUED', 'SENT', 'DELIVERED', 'READ'] as const
/** What can be waited for; a later status fulfils an earlier one. */
export type WaitedStatus = (typeof order)[number]

export interface WaitOptions {
  /** Default: 2 minutes. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

const timeoutMsDefault = 120_000
/**
 * Between two looks; each gap is half as long again as the one before. A gateway allows 100 requests in 15 minutes for an
 * address unless it is set otherwise: two minutes take ten looks.
 */
const gapMsMin = 1_000
const gapMsMax = 30_000
const gapGrowth = 1.5

const rank = (status: string) => Math.max(0, order.indexOf(status as WaitedStatus))

/**
 * Looks at a message until it has the status, or a later one.
 * @throws TypeError for a status that cannot be waited for
 * @throws MessageFailed when it is FAILED
 * @throws WaitTimeout when the time is over
 */
export async function waitForStatus(
  look: () => Promise<Message>,
  wanted: WaitedStatus,
  { timeoutMs = timeoutMsDefault, signal }: WaitOptions,
  { now, sleep }: Surroundings,
): Promise<Message> {
  if (!order.includes(wanted)) throw new TypeError(`status: wait for one of ${order.join(', ')}, not ${wanted}`)
  const until = now() + timeoutMs
  let last = await look()
  for (let gapMs = gapMsMin; ; gapMs = Math.min(gapMs * gapGrowth, gapMsMax)) {
    if (rank(last.status) >= rank(wanted)) return last
    if (last.status === 'FAILED') throw new MessageFailed(last)
    const leftMs = until - now()
    if (leftMs <= 0) throw new WaitTimeout(last, timeoutMs)
    await sleep(Math.min(gapMs, leftMs), signal)
    try {
      last = await look()
    } catch (error) {
      // The limit of requests is reached: the message goes its way all the same.
      if (!(error instanceof GatewayRefusal) || error.retryAfterMs === null) throw error
      const pauseMs = error.retryAfterMs
      if (now() + pauseMs > until) throw new WaitTimeout(last, timeoutMs)
      await sleep(pauseMs, signal)
    }
  }
}
