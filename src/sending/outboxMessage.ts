import type { Line, MessageDraft, MessageStatusView } from '../../db/contract/records.ts'
import { type DraftedView, draftedOf } from '../../db/contract/statusView.ts'
import type { Clock, EpochMs, SteadyMs } from '../base/clock.ts'
import type { SendAnswer } from '../graph/answer.ts'
import type { Metrics, Stage } from '../telemetry/metrics.ts'
import type { SendTrace, StageResult } from '../telemetry/tracing.ts'
import type { Backoff } from './backoff.ts'
import { lifetimeMsIn } from './directSend.ts'
import type { PairPace } from './pacing.ts'

/**
 * The life of a send: each step, and to which it may go on. Each message is in one queue, that of its line;
 * `OpenMessages` moves it.
 *
 *   step         the disk says                              a kill here means
 *   reserved     nothing                                    nothing was accepted
 *   waiting      QUEUED, never handed over: no departure    a later start resumes it,
 *                was free, or the database holds it, as     or another instance does
 *                other instances use the pace of its line
 *   handingOver  the same, or the next line                 either of both
 *   handedOver   QUEUED, handed over: written with the      UNKNOWN
 *                acceptance when a departure was free,
 *                else for all that the coming second can
 *                take, in one write
 *   underWay     the same: a sender thread has it           UNKNOWN
 *   returning    the same, or as in `waiting`: the          UNKNOWN, or a later start
 *                upstream definitely did not take it, or    resumes it
 *                its departure was missed
 *   settling     as in `underWay`; an earlier attempt may   UNKNOWN
 *                have gone out. Or as in `waiting`: it has  a later start ends it
 *                waited longer than it is of use
 *   settled      SENT, FAILED or UNKNOWN, with its event    -
 *   dropped      what it said before: it was not accepted,  as it says there
 *                a stop leaves it to a later start, or
 *                another instance has taken it
 *
 * The disk always comes first: a message is handed over on disk before a byte of it leaves, stored as waiting before it
 * waits, and the answer is stored before the caller gets it. Where several instances share a database, it may say that
 * a message has to leave within some time, counted from the start of the write; a message that misses it waits again.
 */
const nextSteps = {
  reserved: ['waiting', 'handedOver', 'dropped'],
  waiting: ['handingOver', 'settling', 'dropped'],
  handingOver: ['handedOver', 'settling', 'waiting', 'dropped'],
  handedOver: ['underWay', 'returning'],
  underWay: ['settling', 'returning'],
  returning: ['waiting', 'dropped'],
  settling: ['settled', 'dropped'],
  settled: [],
  dropped: [],
} as const

export type MessageStep = keyof typeof nextSteps

export const mayFollow = (from: MessageStep, to: MessageStep): boolean =>
  (nextSteps[from] as readonly MessageStep[]).includes(to)

/** A message in the outbox: from before its acceptance until its end. */
export interface OutboxMessage {
  readonly id: string
  readonly createdAt: EpochMs
  readonly workspaceId: string
  readonly channelId: string
  readonly lineId: string
  readonly upstreamPhoneId: string
  readonly recipient: string
  /** What its draft brought and callers see. */
  readonly callerFields: DraftedView
  payload: string
  /** Length of its request body when it was accepted. */
  readonly chars: number
  accessToken: string
  /** The uploaded files that it shows. */
  mediaIds: readonly string[]
  /** Null once it was used: files are uploaded again only once. */
  renewMedia: ShownMedia['renew'] | null
  step: MessageStep
  /** Whether a departure was reserved for it before it was accepted. */
  hasDeparture: boolean
  /**
   * Whether it was resumed while a read or write of it was pending: an answer that another instance has it is out of
   * date then.
   */
  isResumed: boolean
  /** Set when it enters its queue. */
  pair: Pair | null
  /** Set once the message itself was put off. */
  retry: Backoff | null
  /** When it left for the first time. The 10 minutes begin then. */
  startedAt: SteadyMs | null
  /** When it has not left by then, it has to wait again. Set when it is handed over. */
  leaveBy: SteadyMs
  /** It must not leave later. */
  readonly expiresAt: SteadyMs
  /** When its present stage began. */
  stageSince: SteadyMs
  /** Null when it is not traced. */
  readonly trace: SendTrace | null
  /** Null: the message stays on disk for a later start, another instance has it, or it was not accepted. */
  readonly end: PromiseWithResolvers<Settled | null>
}

/** The messages of one line to one recipient: they leave one after another, in the order they came. */
export interface Pair {
  /** The recipient; or the message itself, where recipients are not paced. */
  readonly key: string | OutboxMessage
  readonly pace: PairPace
  readonly backoff: Backoff
  readonly waiting: OutboxMessage[]
  /** Entered, but not on disk yet: they come before those that enter later. */
  expected: number
  /** One of its messages is handed over or being handed over. */
  isBusy: boolean
  isListed: boolean
  /** When to look at it next; Infinity: only after an event. */
  lookAt: SteadyMs
}

/** How a send ended: the upstream's answer, and the message as it is on disk after it. */
export interface Settled {
  readonly message: MessageStatusView
  readonly answer: SendAnswer
}

/** The uploaded files that a message shows. */
export interface ShownMedia {
  readonly ids: readonly string[]
  /** Uploads them again. @returns null when that is not possible */
  renew(): Promise<{ readonly payload: string; readonly ids: readonly string[] } | null>
}

/** @returns a message whose accepting write is about to begin, or that an earlier process accepted */
export function newMessage(
  draft: Pick<MessageDraft, 'id' | 'payload' | 'createdAt'> & Parameters<typeof draftedOf>[0],
  line: Line,
  known: Pick<OutboxMessage, 'accessToken' | 'trace'> & { readonly media: ShownMedia | null },
  clock: Clock,
): OutboxMessage {
  const { id, recipient, payload, createdAt } = draft
  const { accessToken, trace, media } = known
  const now = clock.steady()
  const lifetimeMs = lifetimeMsIn(payload)
  const end = Promise.withResolvers<Settled | null>()
  // Perhaps no caller waits any more. A failure was logged where it happened.
  end.promise.catch(() => {})
  return {
    id,
    workspaceId: line.workspaceId,
    channelId: line.channelId,
    lineId: line.id,
    upstreamPhoneId: line.upstreamPhoneId,
    recipient,
    callerFields: draftedOf(draft),
    payload,
    chars: payload.length,
    accessToken,
    mediaIds: media?.ids ?? [],
    renewMedia: media?.renew ?? null,
    step: 'reserved',
    hasDeparture: false,
    isResumed: false,
    pair: null,
    retry: null,
    startedAt: null,
    leaveBy: Number.POSITIVE_INFINITY,
    // A clock that was set back since makes no life longer.
    expiresAt:
      lifetimeMs === null ? Number.POSITIVE_INFINITY : now + Math.min(lifetimeMs, createdAt + lifetimeMs - clock.now()),
    createdAt,
    stageSince: now,
    trace,
    end,
  }
}

/** A stage of a message's send has ended, and the next one begins. */
export function endStage(
  message: OutboxMessage,
  stage: Stage,
  { metrics, clock }: { readonly metrics: Metrics; readonly clock: Clock },
  result?: StageResult,
): void {
  const now = clock.steady()
  const tookMs = now - message.stageSince
  metrics.stages[stage].observe(tookMs / 1_000)
  message.trace?.stage(stage, tookMs, result)
  message.stageSince = now
}
