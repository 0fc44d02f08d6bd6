import type { InboundMessage } from '../../db/contract/inbound.ts'
import type { StoreReads } from '../../db/contract/store.ts'
import type { Clock } from '../base/clock.ts'
import type { Credentials } from '../base/credentials.ts'
import { dayMs } from '../base/durations.ts'
import { alertOperator } from '../graph/alert.ts'
import { type UpstreamFault, unreachable } from '../graph/answer.ts'
import type { ChannelClient } from '../graph/client.ts'
import { knownId } from '../message/forgotten.ts'
import type { Logger } from '../telemetry/log.ts'

/** How long the upstream marks a message (docs/upstream.md#read-marks). */
const markableMs = 30 * dayMs

export interface MarkReadParts {
  readonly read: Pick<StoreReads, 'line' | 'channel'>
  readonly client: Pick<ChannelClient, 'markRead'>
  readonly credentials: Credentials
  readonly clock: Clock
  readonly log: Logger
}

export type MarkedRead =
  | { readonly outcome: 'marked' }
  /** `noId`: it came without an id of the upstream's, or was erased. */
  | { readonly outcome: 'tooOld' | 'noId' | 'noLine' | 'inactiveLine' }
  | { readonly outcome: 'notMarked'; readonly fault: UpstreamFault }

/**
 * Marks a message of a user as read, with every earlier one of the conversation. Repeating it does no harm.
 * @param typing shows the user that an answer is being written
 */
export async function markRead(
  { read, client, credentials, clock, log }: MarkReadParts,
  {
    channelMessageId,
    lineId,
    at,
    recordedAt,
  }: Pick<InboundMessage, 'channelMessageId' | 'lineId' | 'at' | 'recordedAt'>,
  typing: boolean,
): Promise<MarkedRead> {
  // The upstream may date a message to the future.
  if (clock.now() - Math.min(at, recordedAt) > markableMs) return { outcome: 'tooOld' }
  if (knownId(channelMessageId) === null) return { outcome: 'noId' }
  const line = lineId === null ? null : await read.line(lineId)
  const channel = line && (await read.channel(line.channelId))
  if (!line || !channel) return { outcome: 'noLine' }
  if (!line.active) return { outcome: 'inactiveLine' }
  const accessToken = credentials.open(channel, 'accessToken')
  const { upstreamPhoneId } = line
  const end = await client.markRead({ upstreamPhoneId, accessToken, channelMessageId, typing })
  if (end.kind === 'marked') return { outcome: 'marked' }
  const fault = end.kind === 'refused' ? end.fault : unreachable(end.why, 'The upstream platform gave no answer')
  alertOperator(log, { channelId: channel.id, lineId: line.id }, fault)
  return { outcome: 'notMarked', fault }
}
