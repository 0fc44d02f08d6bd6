import type { Bench } from './bench.ts'
import { cpuUsOf } from './cpu.ts'
import { appSecret, type BenchGateway } from './gateway.ts'
import { under } from './load.ts'
import { buildReference } from './reference.ts'
import { comparison } from './rounds.ts'
import type { Benchmark } from './scenario.ts'
import { seed } from './seed.ts'
import { startServer } from './server.ts'
import { callbacks, newPeople, type Traffic } from './traffic.ts'

/** The last state in which each statement of a callback was a trip of its own. */
const manyTrips = '17d49613'
const shareMin = 1.8
const counts = [1, 16]

/** Callbacks on PostgreSQL, against a state that made eleven trips for a status and 43 for a new person. */
export async function postgresCallbackBenchmarks(bench: Bench): Promise<Benchmark[]> {
  const server = await startServer(bench)
  const reference = await buildReference(manyTrips, `${bench.folder}/many-trips`)
  const start = async (name: string, binary?: string) => {
    const env = { DATABASE_URL: await server.createDatabase() }
    const gateway = await bench.serve(await bench.install(`callbacks-${name}`, env, binary))
    return { gateway, seeded: await seed(gateway) }
  }
  const now = await start('now')
  const earlier = await start('earlier', reference.binary)
  const kinds: readonly (readonly [string, (side: typeof now, round: number) => Traffic])[] = [
    ['a status', ({ gateway, seeded }, round) => callbacks({ path: gateway.callbackPath, appSecret, seeded, round })],
    ['a new person', ({ gateway }, round) => newPeople({ path: gateway.callbackPath, appSecret, round })],
  ]
  return kinds.flatMap(([kind, traffic]) =>
    counts.map(connections => {
      const what = `callbacks on PostgreSQL, ${kind}`
      const side = (of: typeof now) =>
        under(
          { what, connections, traffic: round => traffic(of, round), answers: 'success', folder: bench.folder },
          targetOf(of.gateway),
        )
      return comparison({
        what,
        connections,
        gateway: side(now),
        baselines: [
          {
            name: reference.name,
            side: side(earlier),
            figures: [{ kind: 'throughput', least: shareMin }, { kind: 'cpu' }],
          },
        ],
      })
    }),
  )
}

const targetOf = ({ url, pid }: BenchGateway) => ({ url, cpuUs: () => cpuUsOf(pid) })
