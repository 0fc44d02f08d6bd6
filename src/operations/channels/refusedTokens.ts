import type { Channel, Message } from '../../../db/contract/records.ts'
import type { EpochMs } from '../../base/clock.ts'
import { isTokenCode } from '../../graph/codes.ts'
import { causeOf } from '../../message/counts.ts'
import { failureReasonOf } from '../../message/state.ts'
import { isUnsettled } from '../../message/statuses.ts'

/**
 * @param messages the latest ones of the workspace, newest first: a channel with only older ones is not reported
 * @returns the channels whose access token the upstream refused at their latest message that has an end, unless the
 *   secrets were replaced since; with the time of the first refusal of the messages in a row
 */
export function refusedTokens(
  messages: readonly Message[],
  channels: readonly Pick<Channel, 'id' | 'updatedAt'>[],
): ReadonlyMap<string, EpochMs> {
  const ended = messages.filter(({ status }) => !isUnsettled(status))
  const refused = new Map<string, EpochMs>()
  for (const { id, updatedAt } of channels) {
    const own = ended.filter(({ channelId }) => channelId === id)
    const other = own.findIndex(message => !isTokenRefused(message, updatedAt))
    const first = own[(other === -1 ? own.length : other) - 1]
    if (first) refused.set(id, first.gaveUpAt ?? first.createdAt)
  }
  return refused
}

/** @param since when the secrets of the channel were replaced: what failed before says nothing of the present token */
export function isTokenRefused(message: Message, since: EpochMs): boolean {
  const cause = causeOf(failureReasonOf(message))
  const isOfToken = /^\d+$/.test(cause) && isTokenCode(Number(cause))
  return message.acceptedAt === null && isOfToken && (message.gaveUpAt ?? 0) > since
}
