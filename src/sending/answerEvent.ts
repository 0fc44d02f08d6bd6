import type { EpochMs } from '../base/clock.ts'
import type { Details } from '../base/errors.ts'
import { failureReason, type SendAnswer, type UpstreamFault } from '../graph/answer.ts'
import type { MessageEvent } from '../message/state.ts'

/** @returns the event that follows from the upstream's answer, and what the timeline keeps of it. */
export function eventOf(answer: SendAnswer, at: EpochMs): [MessageEvent, Details | null] {
  switch (answer.kind) {
    case 'accepted': {
      const { channelMessageId, waId, messageStatus, trace } = answer
      const detail =
        messageStatus === null && !trace ? null : { ...(messageStatus !== null && { messageStatus }), ...trace }
      return [{ kind: 'accepted', at, channelMessageId, waId }, detail]
    }
    case 'refused':
      return [
        {
          kind: answer.fault.errorClass === 'expired' ? 'expired' : 'refused',
          at,
          reason: failureReason(answer.fault),
        },
        { ...answer.fault },
      ]
    case 'lost':
      return [
        { kind: 'lost', at },
        { why: answer.why, ...answer.trace },
      ]
  }
}

/** @returns the fault of a refusal, from the details that `eventOf` stored on the timeline */
export const keptFault = (detail: Details): UpstreamFault => detail as unknown as UpstreamFault
