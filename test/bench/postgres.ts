import type { Bench } from './bench.ts'
import { messagesPath } from './gateway.ts'
import { under } from './load.ts'
import { comparison } from './rounds.ts'
import type { Benchmark, Figure } from './scenario.ts'
import { passedPhoneId, sentCount, watchSends } from './sends.ts'
import { startServer } from './server.ts'
import { freshSends } from './traffic.ts'

/**
 * What a send may cost on PostgreSQL, with all promises, against one with none. One connection comes last: in the
 * seconds of its warm-up alone, a gateway makes too few sends to compile what is hot.
 */
const marks: readonly (readonly [connections: number, least: number])[] = [
  [64, 0.7],
  [256, 1],
  [1, 0.5],
]
/** As to a server in another building. */
const addedMs = 1
/** Three trips, with more than as much again for everything else. */
const medianMsMax = 8

/** Durable sends on PostgreSQL, against a plain gateway on the same server. */
export async function postgresBenchmarks(bench: Bench): Promise<Benchmark[]> {
  const server = await startServer(bench)
  return [
    ...(await sendsOn(bench, server, { name: 'postgres', what: 'sends on PostgreSQL' }, marks)),
    ...(await sendsOn(
      bench,
      server,
      { name: 'postgres-far', what: `sends on PostgreSQL, ${addedMs} ms more for each trip to it`, addedMs },
      [[1, null]],
    )),
  ]
}

async function sendsOn(
  bench: Bench,
  server: Awaited<ReturnType<typeof startServer>>,
  { name, what, addedMs }: { readonly name: string; readonly what: string; readonly addedMs?: number },
  marks: readonly (readonly [connections: number, least: number | null])[],
): Promise<Benchmark[]> {
  const { fleet } = bench
  const upstreamUrl = bench.upstream.url
  const reach = async (url: string) => {
    if (addedMs === undefined) return url
    const { hostname, port } = new URL(url)
    const far = new URL(url)
    far.port = new URL((await fleet.service('delayProxy.ts', [String(addedMs), hostname, port])).url).port
    return far.href
  }
  const url = await server.createDatabase()
  const gateway = await bench.serve(await bench.install(name, { DATABASE_URL: await reach(url) }))
  const { apiKey, apiSecret } = gateway.key
  const plainDatabase = await reach(await server.createDatabase())
  const target = upstreamUrl + messagesPath(passedPhoneId)
  const plain = await fleet.service('plainPostgres.ts', [target, plainDatabase, apiKey, apiSecret])
  const database = server.connect(url)
  const countSent = async () => Number((await database.unsafe<{ count: string }[]>(sentCount))[0]?.count)
  return marks.map(([connections, least]) => {
    const traffic = (round: number) => freshSends('text', gateway.key, round)
    const load = { what, connections, traffic, answers: 'success', folder: bench.folder } as const
    const throughput: Figure = { kind: 'throughput', least }
    return comparison({
      what,
      connections,
      gateway: under(load, { url: gateway.url, watch: watchSends(countSent, upstreamUrl, connections) }),
      baselines: [
        {
          name: 'a plain gateway',
          side: under(load, { url: plain.url }),
          figures: addedMs === undefined ? [throughput] : [throughput, { kind: 'medianMs', most: medianMsMax }],
        },
      ],
    })
  })
}
