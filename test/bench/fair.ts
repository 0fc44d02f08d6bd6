import { askedCalls, asks } from './asks.ts'
import type { Bench } from './bench.ts'
import type { Answered, Asked } from './loops.ts'
import { prepare, settle } from './neighbour.ts'
import { comparedMedians, type Medians, paced, usualPerSecond } from './paced.ts'
import type { Benchmark } from './scenario.ts'
import { startServer } from './server.ts'

/** What a send of another workspace may take beside what one key asks for without a pause. */
const ratioMax = 2
const loops = 10
/** What is compiled and read first is not measured. */
export const firstSeconds = 0.5

/** The sends of a workspace, while a key of another one makes one call in ten loops. */
export const fairBenchmarks = async (bench: Bench) =>
  besideLoops(bench, 'fair', { messages: bench.options.sizes.neighbourMessages })

/** The same on PostgreSQL, beside fewer messages: it is filled by the gateway alone. */
export async function fairPostgresBenchmarks(bench: Bench): Promise<Benchmark[]> {
  const server = await startServer(bench)
  return besideLoops(bench, 'fair-postgres', { messages: 0, databaseUrl: await server.createDatabase() })
}

async function besideLoops(
  bench: Bench,
  name: string,
  { messages, databaseUrl }: { readonly messages: number; readonly databaseUrl?: string },
): Promise<Benchmark[]> {
  const on = databaseUrl === undefined ? '' : ' on PostgreSQL'
  const installation = await bench.install(name, {
    ...{ GRAPH_API: 'on', LOG_LEVEL: 'error', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  })
  const prepared = await prepare(installation, messages)
  const gateway = await bench.serve(installation)
  const neighbour = await settle(bench, gateway, prepared)
  const { url: control } = await bench.fleet.service('loops.ts')
  const begin = (asked: Asked) => fetch(control, { method: 'PUT', body: JSON.stringify(asked) })
  const end = async () => (await (await fetch(control, { method: 'DELETE' })).json()) as Answered

  return callsOf(bench).map(call => ({
    title: `sends${on} beside ${call}`,
    async run({ seconds, rounds }) {
      const requests = await asks[call](neighbour)
      const asked = { url: gateway.url, headers: neighbour.headers, requests, loops }
      // The first call is another one than those that follow: what it reads is kept.
      await begin(asked)
      await paced(gateway, usualPerSecond, firstSeconds)
      await end()
      const medians: Medians[] = []
      for (let round = 0; round < rounds; round += 1) {
        const alone = await paced(gateway, usualPerSecond, seconds)
        await begin(asked)
        const beside = await paced(gateway, usualPerSecond, seconds)
        console.error(`  ${alone.toFixed(2)} ${beside.toFixed(2)} ${JSON.stringify(await end())}`)
        medians.push({ alone, beside })
      }
      await neighbour.rest()
      return [{ ...comparedMedians(`\`${call}\`${on}`, medians, ratioMax), connections: loops }]
    },
  }))
}

/** @returns the calls that were chosen, in the order of the table: what leaves much behind comes last */
const callsOf = ({ options: { calls } }: Bench) => askedCalls.filter(call => calls.some(text => call.includes(text)))
