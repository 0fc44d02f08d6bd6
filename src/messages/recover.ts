import type { Store } from '../../db/store.ts'
import type { Clock } from '../clock.ts'
import type { Outbox } from './outbox.ts'

/** Messages read at a time, so that the payloads of a whole queue are not in memory twice. */
const pageSize = 500

/**
 * Continues after the last process, before anything new is accepted. Messages that were handed over become UNKNOWN and
 * are never resent. Messages that wait are sent, in the order in which they were accepted.
 */
export async function recover(parts: {
  store: Store
  outbox: Pick<Outbox, 'resume'>
  accessToken: (channelId: string) => Promise<string>
  clock: Clock
}): Promise<{ unknown: number; resumed: number }> {
  const { store, outbox, accessToken, clock } = parts
  const unknown = await store.write.markInterrupted({ at: clock.now() })
  let resumed = 0
  for (let after = ''; ; ) {
    const page = await store.read.resumable({ after, limit: pageSize })
    for (const resumable of page) {
      const line = await store.read.line(resumable.message.lineId)
      if (!line) throw new Error('a message without its line')
      outbox.resume(resumable, line, await accessToken(line.channelId))
      resumed += 1
    }
    const last = page.at(-1)
    if (!last) return { unknown, resumed }
    after = last.message.id
  }
}
