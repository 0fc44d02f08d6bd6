import { announce, type Fleet } from '../processes.ts'

/*
 * A platform that remembers what it took of whom, in a process of its own: one that shares a thread with callers would
 * find at once what came apart.
 * bun test/bench/peers/countingPlatform.ts DELAY_MS
 * A GET of the announced address tells how many messages it took, one of /taken tells what and when.
 */

/** What it took: to each number, without the `+`, how often; and when each, in milliseconds of its steady clock. */
export interface Taken {
  readonly to: Readonly<Record<string, number>>
  readonly times: readonly number[]
}

export interface CountingPlatform {
  readonly url: string
  count(): Promise<number>
  taken(): Promise<Taken>
}

export async function startCountingPlatform(fleet: Fleet, delayMs: number): Promise<CountingPlatform> {
  const { url } = await fleet.service('peers/countingPlatform.ts', [String(delayMs)])
  return {
    url,
    count: async () => Number(await (await fetch(`${url}/count`)).text()),
    taken: async () => (await (await fetch(`${url}/taken`)).json()) as Taken,
  }
}

function serve(delayMs: number): void {
  const to: Record<string, number> = {}
  const times: number[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      if (request.method !== 'POST') {
        if (request.url.endsWith('/count')) return new Response(String(times.length))
        if (request.url.endsWith('/taken')) return Response.json({ to, times } satisfies Taken)
        // The templates that a new installation asks for.
        return Response.json({ data: [] })
      }
      const { to: recipient } = (await request.json()) as { to: string }
      const number = recipient.replace('+', '')
      to[number] = (to[number] ?? 0) + 1
      times.push(performance.now())
      if (delayMs > 0) await Bun.sleep(delayMs)
      return Response.json({
        messaging_product: 'whatsapp',
        contacts: [{ input: recipient, wa_id: number }],
        messages: [{ id: `wamid.bench${times.length}` }],
      })
    },
  })
  announce({ url: `http://127.0.0.1:${server.port}` })
}

if (import.meta.main) serve(Number(process.argv[2]))
