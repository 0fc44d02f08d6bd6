import { announce } from './processes.ts'

/*
 * The receiver of webhooks: takes every event at once, or never answers at /hangs. GET tells what it took since the last
 * DELETE.
 * bun test/bench/receiver.ts
 */

/** What came, by the receiver's clock. */
export interface Taken {
  readonly events: number
  readonly firstAt: number
  readonly lastAt: number
  /** Between the event and its arrival, in milliseconds, of each. */
  readonly lateMs: readonly number[]
}

let events = 0
let firstAt = 0
let lastAt = 0
let lateMs: number[] = []

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  idleTimeout: 120,
  async fetch(request) {
    switch (request.method) {
      case 'GET':
        return Response.json({ events, firstAt, lastAt, lateMs } satisfies Taken)
      case 'DELETE':
        ;[events, lateMs] = [0, []]
        return new Response()
    }
    const { timestamp } = (await request.json()) as { timestamp: string }
    if (request.url.endsWith('/hangs')) return new Promise<Response>(() => {})
    lastAt = performance.timeOrigin + performance.now()
    if (events === 0) firstAt = lastAt
    events += 1
    lateMs.push(lastAt - Date.parse(timestamp))
    return new Response()
  },
})
announce({ url: `http://127.0.0.1:${server.port}` })
