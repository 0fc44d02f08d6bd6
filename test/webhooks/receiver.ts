/** One request that reached a receiver. */
export interface Delivered {
  readonly id: string
  readonly headers: Headers
  readonly body: string
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into events of every type and assert what they find
  readonly event: any
}

type Answering = (delivered: Delivered) => Response | Promise<Response>

/** A receiver of events on a real socket. */
export interface Receiver extends AsyncDisposable {
  readonly url: string
  /** What came, oldest first. */
  readonly received: Delivered[]
  /** How it answers from now on. */
  answer: Answering
  stop(): Promise<void>
}

export const took = () => new Response('taken')

/** @param port 0: a free one */
export function startReceiver(answer: Answering = took, port = 0): Receiver {
  const received: Delivered[] = []
  const receiver = { received, answer }
  const server = Bun.serve({
    port,
    hostname: '127.0.0.1',
    idleTimeout: 120,
    async fetch(request) {
      const body = await request.text()
      const id = request.headers.get('webhook-id') ?? ''
      const delivered = { id, headers: request.headers, body, event: JSON.parse(body) }
      received.push(delivered)
      return receiver.answer(delivered)
    },
  })
  const stop = () => server.stop(true)
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${server.port}/hook`,
    stop,
    [Symbol.asyncDispose]: stop,
  })
}
