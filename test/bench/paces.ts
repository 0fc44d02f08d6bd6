import { openPool, type Pool } from '../../db/postgres/open.ts'
import { giveDepartures, lockPaces } from '../../db/postgres/pace.ts'
import { inTransaction } from '../../db/postgres/transaction.ts'
import type { Bench } from './bench.ts'
import { median } from './report.ts'
import { comparison } from './rounds.ts'
import type { Benchmark, Side } from './scenario.ts'
import { startServer } from './server.ts'

const instances = 3
/** As many transactions at a time as an instance has of one verb. */
const transactionsOfInstance = 2
/** Departures that are asked for at once: one by one, and as many as wait under load. */
const groups = [1, 100]
/** Far beyond what is reached: the row is to be the limit, and not the rate in it. */
const perSecond = 1_000_000_000
const validMs = 100

/** Departures that instances take from one row of `line_paces`, against a line for each instance. */
export async function paceRowBenchmarks(bench: Bench): Promise<Benchmark[]> {
  const server = await startServer(bench)
  const url = await server.createDatabase()
  const { lineId } = await bench.install('cluster-rows', { DATABASE_URL: url })
  const database = server.connect(url)
  const pools = Array.from({ length: instances }, () => openPool(url))
  bench.fleet.defer(() => Promise.all(pools.map(pool => pool.close())))
  await database.unsafe('UPDATE lines SET per_second = $1', [perSecond])
  const lineIds = [lineId]
  for (let at = 1; at < instances; at += 1) {
    const [line] = await database.unsafe<{ id: string }[]>(copyOfLine, [lineId, `line_bench${at}`, String(at)])
    if (line) lineIds.push(line.id)
  }
  return groups.map(group =>
    comparison({
      what: `departures, ${group} at a time, one line of ${instances} instances against a line each`,
      connections: instances * transactionsOfInstance,
      baselines: [{ side: taking(pools, lineIds, group), figures: [{ kind: 'throughput', least: null }] }],
      gateway: taking(pools, lineIds.slice(0, 1), group),
    }),
  )
}

const copyOfLine = `INSERT INTO lines (id, workspace_id, channel_id, upstream_phone_id, number, created_at, per_second, pair_seconds, active, is_default)
  SELECT $2, workspace_id, channel_id, $3, number, created_at, per_second, pair_seconds, active, false FROM lines WHERE id = $1
  RETURNING id`

/** @param lineIds of the instances, over and over */
function taking(pools: readonly Pool[], lineIds: readonly string[], group: number): Side {
  return {
    async measure({ seconds }) {
      const times: number[] = []
      const endsAt = performance.now() + seconds * 1000
      const take = async (pool: Pool, lineId: string) => {
        while (performance.now() < endsAt) {
          const startedAt = performance.now()
          await inTransaction(pool, 'read committed', async connection => {
            await lockPaces(connection, [lineId])
            const shares = await giveDepartures(connection, [{ lineId, count: group }], validMs)
            if (shares.get(lineId)?.granted !== group) throw new Error('the rate of the line was the limit')
          })
          times.push(performance.now() - startedAt)
        }
      }
      const startedAt = performance.now()
      await Promise.all(
        pools.flatMap((pool, at) =>
          Array.from({ length: transactionsOfInstance }, () => take(pool, lineIds[at % lineIds.length] ?? '')),
        ),
      )
      const elapsedMs = performance.now() - startedAt
      return {
        perSecond: (times.length * group * 1000) / elapsedMs,
        medianMs: median(times),
        p99Ms: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN,
      }
    },
  }
}
