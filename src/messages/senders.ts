import type { SenderVerbs } from './sender.ts'

/** @returns the sender thread of a channel; the same one for all its lines, always. */
export type SenderFor = (channelId: string) => SenderVerbs

/**
 * Spreads channels over the sender threads. All lines of a channel share one, because throttles of their account concern
 * them together.
 */
export function spread(senders: readonly SenderVerbs[]): SenderFor {
  return channelId => {
    const sender = senders[Bun.hash.crc32(channelId) % senders.length]
    if (!sender) throw new Error('there is no sender thread')
    return sender
  }
}
