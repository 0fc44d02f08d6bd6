import { announce } from './processes.ts'

/*
 * Asks a gateway for the same in loops, each as soon as it is answered, and drops what comes.
 * bun test/bench/loops.ts
 * A PUT of the announced address with { url, headers, loops } begins, and a DELETE ends it and tells the answers by status.
 */

interface Asked {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly loops: number
}

/** The statuses of answers, with how often each came. */
export type Answered = Readonly<Record<string, number>>

if (import.meta.main) {
  let over = new AbortController()
  let running: Promise<void>[] = []
  const answered: Record<string, number> = {}
  async function ask({ url, headers }: Asked) {
    const { signal } = over
    while (!signal.aborted) {
      const answer = await fetch(url, { headers, signal }).catch(() => null)
      const body = await answer?.bytes().catch(() => null)
      if (answer && body) answered[answer.status] = (answered[answer.status] ?? 0) + 1
    }
  }
  const control = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      if (request.method === 'PUT') {
        const asked = (await request.json()) as Asked
        over = new AbortController()
        for (const status in answered) delete answered[status]
        running = Array.from({ length: asked.loops }, () => ask(asked))
        return new Response()
      }
      over.abort()
      await Promise.all(running)
      return Response.json(answered satisfies Answered)
    },
  })
  announce({ url: control.url.href })
}
