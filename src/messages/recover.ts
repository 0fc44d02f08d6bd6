import type { Store } from '../../db/store.ts'
import type { Clock } from '../clock.ts'
import type { Credentials } from '../credentials.ts'
import type { Dispatcher } from './dispatch.ts'
import { accessTokenOf, jobFor } from './send.ts'

/** Read this many at a time: the payloads of a whole queue need not be in memory twice. */
const pageSize = 500

/**
 * Takes up where the last process ended, before anything new is accepted: what had been handed over becomes UNKNOWN and
 * is never resent; what had not is sent, in the order it was accepted.
 */
export async function recover(parts: {
  store: Store
  dispatcher: Dispatcher
  credentials: Credentials
  clock: Clock
}): Promise<{ unknown: number; resumed: number }> {
  const { store, dispatcher, clock } = parts
  const unknown = await store.write.markInterrupted({ at: clock.now() })
  let resumed = 0
  for (let after = ''; ; ) {
    const page = await store.read.resumable({ after, most: pageSize })
    for (const { message, payload } of page) {
      const line = await store.read.line(message.lineId)
      if (!line) throw new Error('a message without its line')
      dispatcher.expect(message.id, message.lineId, payload)
      void dispatcher.submit(jobFor({ ...message, payload }, line, await accessTokenOf(parts, line.channelId)))
      resumed += 1
    }
    const last = page.at(-1)
    if (!last) return { unknown, resumed }
    after = last.message.id
  }
}
