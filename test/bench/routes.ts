import type { BareRoute } from './bare.ts'
import type { Bench } from './bench.ts'
import { appSecret, type BenchGateway, count } from './gateway.ts'
import { type Load, type Target, under } from './load.ts'
import { until } from './processes.ts'
import { grouped } from './report.ts'
import { comparison } from './rounds.ts'
import type { Benchmark } from './scenario.ts'
import { seed } from './seed.ts'
import { callbacks, type Key, keyed, replays, sendBody, sendPath, statusPath, statusReads } from './traffic.ts'

/** What needs no upstream is compared with a bare route that returns the same bytes. */
const connections = 64

const fewMessages = 10_000

/** Reads of a few and of very many messages, each against a bare route, and against each other. */
export async function statusBenchmarks(bench: Bench): Promise<Benchmark[]> {
  const few = await readable(bench, fewMessages)
  const many = await readable(bench, bench.options.sizes.messagesStored)
  return [
    comparison({
      what: few.load.what,
      connections,
      baselines: [{ side: under(few.load, few.bare), figures: [{ kind: 'throughput', least: 0.35 }] }],
      gateway: under(few.load, few.gateway),
    }),
    comparison({
      what: many.load.what,
      connections,
      baselines: [{ side: under(many.load, many.bare), figures: [{ kind: 'throughput', least: 0.35 }] }],
      gateway: under(many.load, many.gateway),
    }),
    comparison({
      what: many.load.what,
      connections,
      baselines: [
        {
          name: grouped(fewMessages),
          side: under(few.load, few.gateway),
          figures: [{ kind: 'throughput', least: null }],
        },
      ],
      gateway: under(many.load, many.gateway),
    }),
  ]
}

/** A gateway with so many messages, the reads of them, and the bare route that returns one of them. */
async function readable(bench: Bench, messages: number) {
  const stored = await bench.storedMessages(messages)
  const { url, key } = await bench.serve(stored)
  const read = await fetch(`${url}${statusPath}/${stored.sample[0]?.id}`, { headers: { ...key } })
  return {
    gateway: { url },
    bare: await bareRoute(bench, 'GET', `${statusPath}/:messageId`, read),
    load: loadOf(bench, `status reads, ${grouped(messages)} messages stored`, () => statusReads(key, stored.sample)),
  }
}

export async function replayBenchmarks(bench: Bench): Promise<Benchmark[]> {
  const gateway = await bench.serve(await bench.install('replay'))
  const seeded = await seed(gateway)
  const answer = await trySend(gateway.url, gateway.key)
  const replayed = (await answer.clone().json()) as { data?: { idempotentReplay?: boolean } }
  if (replayed.data?.idempotentReplay !== true) throw new Error('the seed is not replayed')
  return [
    againstBare({
      load: loadOf(bench, 'replays of sends', () => replays(gateway.key, seeded.length)),
      bare: await bareRoute(bench, 'POST', sendPath, answer),
      gateway,
      least: null,
    }),
  ]
}

/** Different ones, in case anything remembers. */
const refusedSends = 10_000

export async function refusalBenchmarks(bench: Bench): Promise<Benchmark[]> {
  const open = await bench.serve(await bench.install('open'))
  const limited = await bench.serve(await bench.install('limited', { PUBLIC_API_KEY_RATE_LIMIT: '1' }))
  // Refused before the body is read. The other one's limit is over after one send: that is known only with its key.
  const wrongKey = { ...open.key, apiSecret: `sk_${'0'.repeat(43)}` }
  const refusals = async (status: number, { url }: BenchGateway, key: Key) => {
    const refusal = await until(`a refusal with ${status}`, async () => {
      const answer = await trySend(url, key)
      return answer.status === status ? answer : null
    })
    return againstBare({
      load: { ...loadOf(bench, `refusals, ${status}`, () => replays(key, refusedSends)), answers: 'refusal' },
      bare: await bareRoute(bench, 'POST', sendPath, refusal),
      gateway: { url },
      least: 0.55,
    })
  }
  return [await refusals(401, open, wrongKey), await refusals(429, limited, limited.key)]
}

/** Signed callbacks with one status each; every answer means that it is on disk. */
export async function callbackBenchmark(bench: Bench): Promise<Benchmark> {
  const gateway = await bench.serve(await bench.install('callback'))
  const seeded = await seed(gateway)
  const path = gateway.callbackPath
  const countReported = () =>
    count(
      gateway.databasePath,
      "SELECT count(*) AS count FROM message_events WHERE kind IN ('sent', 'delivered', 'read')",
    )
  return againstBare({
    load: loadOf(bench, 'callbacks, one by one', round => callbacks({ path, appSecret, seeded, round })),
    bare: await bareRoute(bench, 'POST', path, new Response('OK')),
    gateway: {
      url: gateway.url,
      async watch() {
        const before = countReported()
        return async ({ completed }) => {
          const expected = Math.min(completed, seeded.length)
          await until('the events of the callbacks', () => countReported() - before >= expected || null)
        }
      },
    },
    least: null,
  })
}

const loadOf = (bench: Bench, what: string, traffic: Load['traffic']): Load => ({
  what,
  connections,
  traffic,
  answers: 'success',
  folder: bench.folder,
})

const againstBare = (options: { load: Load; bare: Target; gateway: Target; least: number | null }): Benchmark =>
  comparison({
    what: options.load.what,
    connections,
    baselines: [{ side: under(options.load, options.bare), figures: [{ kind: 'throughput', least: options.least }] }],
    gateway: under(options.load, options.gateway),
  })

const trySend = (url: string, key: Key) =>
  fetch(url + sendPath, {
    method: 'POST',
    headers: { ...key, 'content-type': 'application/json' },
    body: sendBody(keyed).replaceAll('#', '0'),
  })

/** @returns a bare Elysia route that gives this answer to everybody. */
async function bareRoute(bench: Bench, method: BareRoute['method'], path: string, answer: Response): Promise<Target> {
  const contentType = answer.headers.get('content-type') ?? 'text/plain'
  const route: BareRoute = { method, path, status: answer.status, contentType, body: await answer.text() }
  return bench.fleet.service('bare.ts', [JSON.stringify(route)])
}
