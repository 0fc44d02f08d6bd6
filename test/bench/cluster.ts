import type { Bench } from './bench.ts'
import { type Cost, costRows, watchCost } from './costs.ts'
import { type BenchGateway, count, type Installation } from './gateway.ts'
import { type Target, under } from './load.ts'
import { figureRow, measureInTurn } from './rounds.ts'
import type { Benchmark, Sample } from './scenario.ts'
import { passThrough, sentCount, upstreamDelayMs, watchSends } from './sends.ts'
import { type BenchServer, startServer } from './server.ts'
import { freshSends, type Key } from './traffic.ts'

const connections = 64
const instances = 3
/** As fast as a line can be set to: it shares a pace, and is never held by it here. */
const pacedPerSecond = 100_000
/** What a commit waits for in the group of the slow disk, as for a second server or a disk over the network. */
const commitDelayUs = 5_000

/** Durable sends of one, two and three instances on one database, against one on SQLite and the pass-through. */
export const clusterBenchmarks = (bench: Bench) => sendsOfInstances(bench, '', bench.upstream.url)

/** The same, while the upstream takes its time. */
export const patientBenchmarks = async (bench: Bench) =>
  sendsOfInstances(
    bench,
    `, upstream answers after ${upstreamDelayMs} ms`,
    (await bench.startUpstream(upstreamDelayMs)).url,
  )

/**
 * The same, while each commit takes longer: what then limits is who waits for whom, and not this machine's processor.
 */
export const diskBenchmarks = (bench: Bench) =>
  sendsOfInstances(bench, `, commits take ${commitDelayUs / 1000} ms longer`, bench.upstream.url, {
    commit_delay: String(commitDelayUs),
    commit_siblings: '0',
  })

/** One of those who send, in turn. */
interface Sender {
  readonly name: string
  readonly target: Target
  /** One for each address. */
  readonly keys: readonly Key[]
  /** Of each round; none of the pass-through. */
  readonly costs: readonly Cost[]
}

async function sendsOfInstances(
  bench: Bench,
  suffix: string,
  upstreamUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Benchmark[]> {
  const server = await startServer(bench, settings)
  const name = `cluster${suffix.replaceAll(/[^a-z0-9]+/g, '-')}`
  const onServer = async (name: string, url: string) =>
    bench.install(name, { DATABASE_URL: url, CHANNEL_API_URL: upstreamUrl })
  const counted = (what: string, gateways: readonly BenchGateway[], rest: Omit<Counting, 'gateways' | 'upstreamUrl'>) =>
    countedSender(what, { gateways, upstreamUrl, ...rest })

  const sqlite = await bench.serve(await bench.install(`${name}-sqlite`, { CHANNEL_API_URL: upstreamUrl }))
  const url = await server.createDatabase()
  const shared = await serveTimes(bench, await onServer(`${name}-shared`, url), instances)
  const database = server.connect(url)
  const countShared = async () => Number((await database.unsafe<{ count: string }[]>(sentCount))[0]?.count)
  const atPace = (perSecond: number) => async () => {
    await database.unsafe('UPDATE lines SET per_second = $1', [perSecond])
  }
  const apart: BenchGateway[] = []
  const counts: (() => Promise<number>)[] = []
  for (let at = 0; at < instances; at += 1) {
    const url = await server.createDatabase()
    apart.push(await bench.serve(await onServer(`${name}-apart-${at}`, url)))
    const database = server.connect(url)
    counts.push(async () => Number((await database.unsafe<{ count: string }[]>(sentCount))[0]?.count))
  }
  const countApart = async () =>
    (await Promise.all(counts.map(count => count()))).reduce((sum, count) => sum + count, 0)

  const pass: Sender = {
    name: 'the pass-through',
    target: await passThrough(bench, upstreamUrl),
    keys: [sqlite.key],
    costs: [],
  }
  const onSqlite = counted('1 on SQLite', [sqlite], {
    countSent: () => count(sqlite.databasePath, sentCount),
    server: null,
  })
  const onPostgres = [1, 2, 3].map(instances =>
    counted(`${instances} on PostgreSQL`, shared.slice(0, instances), {
      countSent: countShared,
      server,
      prepare: atPace(0),
    }),
  )
  const paced = counted(`${instances} on PostgreSQL, one line with a pace`, shared, {
    countSent: countShared,
    server,
    prepare: atPace(pacedPerSecond),
  })
  const divided = counted(`${instances} on PostgreSQL, a database each`, apart, { countSent: countApart, server })
  const senders = [pass, onSqlite, ...onPostgres, paced, divided]

  return [
    {
      title: `sends of instances${suffix}, ${connections} connections`,
      async run(pace) {
        const measured = await measureInTurn(
          senders.map(({ name, target, keys }) =>
            under(
              {
                what: name,
                connections,
                traffic: (round, at) => freshSends('text', keys[at] ?? sqlite.key, round * instances + at),
                answers: 'success',
                folder: bench.folder,
              },
              target,
            ),
          ),
          pace,
          1,
        )
        const samples = new Map(senders.map((sender, at) => [sender, measured[at] ?? []]))
        return rowsOf({
          suffix,
          pass,
          onSqlite,
          others: [...onPostgres, paced, divided],
          alone: onPostgres[0],
          samples,
        })
      },
    },
  ]
}

async function serveTimes(bench: Bench, installation: Installation, times: number): Promise<BenchGateway[]> {
  const gateways: BenchGateway[] = []
  for (let at = 0; at < times; at += 1) gateways.push(await bench.serve(installation))
  return gateways
}

interface Counting {
  readonly gateways: readonly BenchGateway[]
  readonly upstreamUrl: string
  readonly countSent: () => Promise<number> | number
  /** Null: there is none. */
  readonly server: BenchServer | null
  /** Before each round. */
  readonly prepare?: () => Promise<void>
}

/** @returns instances that are watched: what a send costs, and whether as many were sent as were answered */
function countedSender(name: string, { gateways, upstreamUrl, countSent, server, prepare }: Counting): Sender {
  const costs: Cost[] = []
  const watchAnswers = watchSends(countSent, upstreamUrl, connections)
  const pids = gateways.map(({ pid }) => pid)
  return {
    name,
    keys: gateways.map(({ key }) => key),
    costs,
    target: {
      url: gateways.map(({ url }) => url),
      async watch() {
        await prepare?.()
        const checkAnswers = await watchAnswers()
        const costSince = await watchCost(pids, server)
        return async driven => {
          costs.push(await costSince(driven.completed))
          await checkAnswers(driven)
        }
      },
    },
  }
}

function rowsOf(parts: {
  suffix: string
  pass: Sender
  onSqlite: Sender
  others: readonly Sender[]
  alone: Sender | undefined
  samples: ReadonlyMap<Sender, readonly Sample[]>
}) {
  const { suffix, pass, onSqlite, others, alone, samples } = parts
  const row = (sender: Sender, baseline: Sender, kind: 'throughput' | 'addedMs') =>
    figureRow(
      { what: `sends, ${sender.name}${suffix}, against ${baseline.name}`, connections },
      kind === 'throughput' ? { kind, least: null } : { kind, most: null },
      samples.get(baseline) ?? [],
      samples.get(sender) ?? [],
    )
  return [
    ...[onSqlite, ...others].flatMap(sender => [row(sender, pass, 'throughput'), row(sender, pass, 'addedMs')]),
    ...others.map(sender => row(sender, onSqlite, 'throughput')),
    ...(alone ? others.filter(sender => sender !== alone).map(sender => row(sender, alone, 'throughput')) : []),
    // Without the first round, in which what is hot is compiled.
    ...others.flatMap(({ name, costs }) =>
      costRows(`${name}${suffix}`, connections, onSqlite.costs.slice(1), costs.slice(1)),
    ),
  ]
}
