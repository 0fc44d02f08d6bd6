import { systemClock } from '../../../src/clock.ts'
import { createTransport } from '../../../src/transport/transport.ts'
import type { Job, Numbered } from './messages.ts'

declare const self: Worker

const timeoutMs = 30_000
const headers = { authorization: 'Bearer access-token', 'content-type': 'application/json' }

/** The first message has the options; calls follow. */
let take = open
self.onmessage = ({ data }: MessageEvent<string>) => take(data)
self.postMessage('listening')

function open(options: string): void {
  const { target } = JSON.parse(options) as { target: string }
  // The gateway's own: fetch would stop at 256 requests.
  const transport = createTransport(systemClock)
  let outbox: Numbered<string>[number][] = []

  async function send(id: number, { payload }: Job): Promise<void> {
    const exchange = await transport.exchange({ method: 'POST', url: target, headers, body: payload, timeoutMs })
    if (exchange.kind !== 'answered') throw new Error(exchange.why)
    const { messages } = JSON.parse(exchange.body) as { messages: readonly [{ id: string }] }
    if (outbox.length === 0) setImmediate(post)
    outbox.push([id, messages[0].id])
  }
  function post(): void {
    self.postMessage(JSON.stringify(outbox))
    outbox = []
  }
  take = data => {
    for (const [id, job] of JSON.parse(data) as Numbered<Job>) void send(id, job)
  }
}
