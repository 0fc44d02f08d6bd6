/** A program that was written for the platform, at the address for its callbacks. */
export interface Program extends AsyncDisposable {
  readonly url: string
  /** The verify tokens that it was asked with. */
  readonly asked: (string | null)[]
  readonly received: { readonly body: string; readonly signature: string | null }[]
}

/** Takes every verify token, and every callback. */
export function startProgram(): Program {
  const asked: (string | null)[] = []
  const received: { body: string; signature: string | null }[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { searchParams } = new URL(request.url)
      if (request.method === 'GET') {
        asked.push(searchParams.get('hub.verify_token'))
        return new Response(searchParams.get('hub.challenge'))
      }
      received.push({ body: await request.text(), signature: request.headers.get('x-hub-signature-256') })
      return new Response('')
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/callbacks`,
    asked,
    received,
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}
