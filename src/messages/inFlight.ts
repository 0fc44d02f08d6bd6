import type { Line, Message, MessageStatusView } from '../../db/records.ts'
import type { EpochMs } from '../clock.ts'
import type { SendAnswer } from '../graph/answer.ts'
import type { LineQueue, Queued } from './lineQueue.ts'
import type { Timed } from './stages.ts'

/** The steps in the life of a send; the table is at the head of outbox.ts. */
export type Step =
  | 'reserved'
  | 'waiting'
  | 'clearing'
  | 'cleared'
  | 'handedOver'
  | 'returning'
  | 'settling'
  | 'settled'
  | 'dropped'

/** A message from the accepting write to the settling one. */
export interface InFlightMessage extends Queued<InFlightMessage>, Timed {
  readonly id: string
  readonly createdAt: EpochMs
  readonly channelId: string
  readonly lineId: string
  readonly upstreamPhoneId: string
  readonly queue: LineQueue<InFlightMessage>
  payload: string
  accessToken: string
  /** The uploaded files that it shows. */
  mediaIds: readonly string[]
  /** Null once it was used: files are uploaded again only once. */
  renewMedia: ShownMedia['renew'] | null
  step: Step
  /** Whether a departure was reserved for it before it was accepted. */
  isReserved: boolean
  /** Whether it was resumed while the disk was asked about it: an older answer, that another instance has it, is no longer true. */
  isResumed: boolean
  /** Null: the message stays on disk for a later start, another instance has it, or it was not accepted. */
  readonly end: PromiseWithResolvers<Settled | null>
}

/** @returns a message whose accepting write is about to begin, or that an earlier process accepted */
export function newMessage(
  { id, recipient, payload, createdAt }: Pick<Message, 'id' | 'recipient' | 'createdAt'> & { readonly payload: string },
  line: Line,
  media: ShownMedia | null,
  known: Pick<InFlightMessage, 'queue' | 'accessToken' | 'stageSince' | 'trace'>,
): InFlightMessage {
  const end = Promise.withResolvers<Settled | null>()
  // Perhaps no caller waits any more. A failure was logged where it happened.
  end.promise.catch(() => {})
  return {
    id,
    channelId: line.channelId,
    lineId: line.id,
    upstreamPhoneId: line.upstreamPhoneId,
    recipient,
    queue: known.queue,
    payload,
    chars: payload.length,
    accessToken: known.accessToken,
    mediaIds: media?.ids ?? [],
    renewMedia: media?.renew ?? null,
    step: 'reserved',
    isReserved: false,
    isResumed: false,
    pair: null,
    retry: null,
    startedAt: null,
    leaveBy: Number.POSITIVE_INFINITY,
    createdAt,
    stageSince: known.stageSince,
    trace: known.trace,
    end,
  }
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
