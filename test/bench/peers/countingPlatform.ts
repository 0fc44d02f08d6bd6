import type { Fleet } from '../processes.ts'

/** A platform that remembers what it took of whom. It is part of the run: what it knows is at hand. */
export interface CountingPlatform {
  readonly url: string
  /** How often it took a message to each number, without the `+`. */
  readonly takenTo: ReadonlyMap<string, number>
  /** When it took each, on the steady clock. */
  readonly times: readonly number[]
}

export function startCountingPlatform(fleet: Fleet, delayMs: number): CountingPlatform {
  const takenTo = new Map<string, number>()
  const times: number[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      // The templates that a new installation asks for.
      if (request.method !== 'POST') return Response.json({ data: [] })
      const { to } = (await request.json()) as { to: string }
      const number = to.replace('+', '')
      takenTo.set(number, (takenTo.get(number) ?? 0) + 1)
      times.push(performance.now())
      if (delayMs > 0) await Bun.sleep(delayMs)
      const contacts = [{ input: to, wa_id: number }]
      return Response.json({
        messaging_product: 'whatsapp',
        contacts,
        messages: [{ id: `wamid.bench${times.length}` }],
      })
    },
  })
  fleet.defer(() => server.stop(true))
  return { url: `http://127.0.0.1:${server.port}`, takenTo, times }
}
