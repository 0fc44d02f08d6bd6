import type { Store } from '../../db/store.ts'
import type { Clock } from '../clock.ts'
import type { Outbox } from './outbox.ts'

/** Read this many at a time: the payloads of a whole queue need not be in memory twice. */
const pageSize = 500

/**
 * Takes up where the last process ended, before anything new is accepted: what had been handed over becomes UNKNOWN and
 * is never resent; what had not is sent, in the order it was accepted.
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
