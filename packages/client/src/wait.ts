import { GatewayRefusal, MessageFailed, WaitTimeout } from './errors.ts'
import type { Surroundings } from './transport.ts'
import type { Message } from './types.ts'

/**
 * What can be waited for, in order. A status that is not named here (UNKNOWN, FAILED) is as far as QUEUED, but for those
 * of a message that has not begun to leave.
 */
const order = ['QUEUED', 'SENT', 'DELIVERED', 'READ'] as const
/** What can be waited for; a later status fulfils an earlier one. */
export type WaitedStatus = (typeof order)[number]

const ends = ['DELIVERED', 'READ', 'FAILED', 'CANCELLED'] as const
/** Of a message that is done: nothing is left to wait for. */
export type FinalMessage = Message & { readonly status: (typeof ends)[number] }

/** What a wait for a status ends with: every status but `SCHEDULED` and `CANCELLED` fulfils `QUEUED`. */
export type ReachedMessage<Status extends WaitedStatus> = Status extends 'QUEUED'
  ? Message
  : Message & {
      readonly status: Status extends 'SENT'
        ? 'SENT' | 'DELIVERED' | 'READ'
        : Status extends 'DELIVERED'
          ? 'DELIVERED' | 'READ'
          : 'READ'
    }

export interface WaitOptions {
  /** Of the whole wait. Default: 2 minutes, at most 24 days. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export const waitMsDefault = 120_000
/**
 * Between two polls; each gap is 1.5 times the previous one. A gateway allows 100 requests in 15 minutes for an address
 * unless it is set otherwise: two minutes take ten polls.
 */
const gapMsMin = 1_000
const gapMsMax = 30_000
const gapGrowth = 1.5

const before: readonly string[] = ['SCHEDULED', 'CANCELLED']
const rank = (status: string) => (before.includes(status) ? -1 : Math.max(0, order.indexOf(status as WaitedStatus)))

/**
 * @returns whether a message has the status, or a later one; it throws MessageFailed for one that failed or
 *   was cancelled
 * @throws TypeError for a status that cannot be waited for
 */
export function hasReached<Status extends WaitedStatus>(
  wanted: Status,
): (message: Message) => message is ReachedMessage<Status> {
  if (!order.includes(wanted)) throw new TypeError(`status: wait for one of ${order.join(', ')}, not ${wanted}`)
  return (message): message is ReachedMessage<Status> => {
    if (rank(message.status) >= rank(wanted)) return true
    if (['FAILED', 'CANCELLED'].includes(message.status)) throw new MessageFailed(message)
    return false
  }
}

/** Whether nothing is left to wait for: whether a message that was delivered is read depends on its reader. */
export const isFinal = (message: Message): message is FinalMessage => ends.some(status => status === message.status)

/**
 * Polls messages in turns until each is done.
 * @returns each message when it is done
 * @throws WaitTimeout when the time is over, and what `look` and `isDone` throw
 */
export async function* watch<Done extends Message>(
  look: (messageId: string) => Promise<Message>,
  messageIds: Iterable<string>,
  isDone: (message: Message) => message is Done,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
  { now, sleep }: Surroundings,
): AsyncGenerator<Done, void> {
  const until = now() + timeoutMs
  const open = new Map<string, Message | null>()
  for (const messageId of messageIds) open.set(messageId, null)
  for (let gapMs = gapMsMin; ; gapMs = Math.min(gapMs * gapGrowth, gapMsMax)) {
    for (const [messageId, last] of open) {
      const message = await lookInTime(messageId, last)
      open.set(messageId, message)
      if (!isDone(message)) continue
      open.delete(messageId)
      yield message
    }
    const [last] = open.values()
    if (!last) return
    const leftMs = until - now()
    if (leftMs <= 0) throw new WaitTimeout(last, timeoutMs)
    await sleep(Math.min(gapMs, leftMs), signal)
  }

  /** When the limit of requests is reached, the message is still processed. */
  async function lookInTime(messageId: string, last: Message | null): Promise<Message> {
    for (;;) {
      try {
        return await look(messageId)
      } catch (error) {
        if (!(error instanceof GatewayRefusal) || error.retryAfterMs === null) throw error
        if (now() + error.retryAfterMs > until) throw last ? new WaitTimeout(last, timeoutMs) : error
        await sleep(error.retryAfterMs, signal)
      }
    }
  }
}
