import type { Message } from '../../../db/contract/records.ts'
import { csvLine } from '../../base/csv.ts'
import { messageSchema } from './schemas.ts'
import { shownMessage } from './view.ts'

/** The columns, in the order of the fields. The heading is written even without messages. */
const { channelId: _, ...columns } = messageSchema.properties
const headings = Object.keys(columns) as (keyof typeof columns)[]

/**
 * Messages as CSV (RFC 4180). The next ones are read when the caller has taken those before, and none after it has hung
 * up.
 * @param onEnd called when all was taken, when the caller has hung up, and when reading failed
 */
export function csvStream(found: AsyncGenerator<readonly Message[]>, onEnd: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const write = (lines: readonly string[]) => encoder.encode(lines.map(line => `${line}\r\n`).join(''))
  return new ReadableStream<Uint8Array>({
    start: controller => controller.enqueue(write([csvLine(headings)])),
    async pull(controller) {
      for (;;) {
        const { done, value } = await found.next().catch(error => {
          onEnd()
          throw error
        })
        if (done) {
          onEnd()
          return controller.close()
        }
        // A step that finds nothing must not end in a pull without a piece: it would not be called again.
        if (value.length === 0) continue
        const lines = value.map(message => {
          const row = shownMessage(message)
          return csvLine(headings.map(heading => row[heading]))
        })
        return controller.enqueue(write(lines))
      }
    },
    async cancel() {
      onEnd()
      await found.return(undefined)
    },
  })
}
