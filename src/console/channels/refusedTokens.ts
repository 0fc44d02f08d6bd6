import type { Channel, Message } from '../../../db/records.ts'
import type { StoreReads } from '../../../db/store.ts'
import { isTokenCode } from '../../graph/codes.ts'
import { failureReasonOf } from '../../message/state.ts'
import { failureOf } from '../messages/explained.ts'

/** How many of the latest messages are checked: a channel with only older messages is not reported. */
const messagesMax = 200

/**
 * @returns the channels whose access token the upstream refused at their latest message that has an end, unless the
 *   secrets were replaced since
 */
export async function refusedTokens(
  read: Pick<StoreReads, 'messages'>,
  workspaceId: string,
  channels: readonly Pick<Channel, 'id' | 'updatedAt'>[],
): Promise<ReadonlySet<string>> {
  const messages = await read.messages({ workspaceId, limit: messagesMax })
  const ended = messages.filter(({ status }) => status !== 'QUEUED' && status !== 'UNKNOWN')
  const isRefused = ({ id, updatedAt }: Pick<Channel, 'id' | 'updatedAt'>) => {
    const latest = ended.find(({ channelId }) => channelId === id)
    return latest !== undefined && (latest.gaveUpAt ?? 0) > updatedAt && isTokenRefused(latest)
  }
  return new Set(channels.filter(isRefused).map(({ id }) => id))
}

function isTokenRefused(message: Message): boolean {
  const code = failureOf(failureReasonOf(message) ?? '').code
  return message.acceptedAt === null && code !== null && isTokenCode(code)
}
