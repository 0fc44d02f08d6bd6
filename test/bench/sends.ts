import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { type BenchGateway, count, messagesPath, upstreamPhoneId } from './gateway.ts'
import { type Target, under } from './load.ts'
import { until } from './processes.ts'
import { comparison } from './rounds.ts'
import type { Benchmark, Figure } from './scenario.ts'
import { freshSends, keyed, type SendKind } from './traffic.ts'
import type { Driven } from './wrk.ts'

/** The pass-through sends from a line of its own, so that the stub counts it apart. */
const passedPhoneId = '106540352242923'

/**
 * At one connection the disk decides: there the mark is on the time added. The marks of throughput are for texts; they are
 * what the gateway reached with all its promises, and hold it there.
 */
const figuresOf = (kind: SendKind): readonly (readonly [number, readonly Figure[]])[] => [
  [
    1,
    [
      { kind: 'throughput', least: null },
      { kind: 'addedMs', most: 1 },
    ],
  ],
  [64, [{ kind: 'throughput', least: kind === 'text' ? 0.3 : null }]],
  [256, [{ kind: 'throughput', least: kind === 'text' ? 0.5 : null }]],
]

/** Durable sends against the pass-through. */
export async function sendBenchmarks(bench: Bench): Promise<Benchmark[]> {
  const gateway = await bench.serve(await bench.install('send'))
  const baseline = await passThrough(bench, bench.upstreamUrl)
  const sends = (kind: SendKind, connections: number, figures: readonly Figure[]) =>
    sendComparison({
      bench,
      what: `durable sends, ${kind}`,
      kind,
      connections,
      figures,
      baseline,
      gateway,
      upstreamUrl: bench.upstreamUrl,
    })
  return [
    ...(['text', 'template'] as const).flatMap(kind =>
      figuresOf(kind).map(([connections, figures]) => sends(kind, connections, figures)),
    ),
    sends(keyed, 64, [{ kind: 'throughput', least: null }]),
    ...(await skeletonBenchmarks(bench, baseline, gateway)),
  ]
}

/** What the design's threads reach when they do nothing else: what is between that and a gateway is the gateway's work. */
async function skeletonBenchmarks(bench: Bench, baseline: Target, { key }: BenchGateway): Promise<Benchmark[]> {
  const target = bench.upstreamUrl + messagesPath(passedPhoneId)
  const url = await bench.fleet.service('skeleton/http.ts', [target, join(bench.folder, 'skeleton.db')])
  return [64, 256].map(connections => {
    const what = "the gateway's threads and nothing else, text"
    const traffic = (round: number) => freshSends('text', key, round)
    const load = { what, connections, traffic, answers: 'success', folder: bench.folder } as const
    return comparison({
      what,
      connections,
      baseline: under(load, baseline),
      gateway: under(load, { url }),
      figures: [{ kind: 'throughput', least: null }],
    })
  })
}

/** The upstream platform takes 200 to 500 ms. */
export const upstreamDelayMs = 300
/** For each of them wrk, the gateway and the stub hold files open: Bun lifts its own limit, and hands it on to wrk. */
const patientConnections = 1_500
/** Answers come in waves, one each delay: a round has enough of them that one more or less makes no difference. */
const patientStretch = 3
/** By itself, fetch runs at most 256 requests at once. More than there are connections is no limit at all. */
const fetchRequestsMax = 10_000

/** Sends to an upstream that takes its time. The gateway is started plainly; the pass-through needs its limit lifted. */
export async function latencyBenchmarks(bench: Bench): Promise<Benchmark[]> {
  const upstreamUrl = await bench.fleet.service('upstream.ts', [String(upstreamDelayMs)])
  const gateway = await bench.serve(await bench.install('latency', { CHANNEL_API_URL: upstreamUrl }))
  return [
    sendComparison({
      bench,
      what: `durable sends, text, upstream answers after ${upstreamDelayMs} ms`,
      kind: 'text',
      connections: patientConnections,
      stretch: patientStretch,
      figures: [{ kind: 'throughput', least: 0.9 }],
      baseline: await passThrough(bench, upstreamUrl, { BUN_CONFIG_MAX_HTTP_REQUESTS: String(fetchRequestsMax) }),
      gateway,
      upstreamUrl,
    }),
  ]
}

/** Forwards to a line of its own of the upstream. */
export async function passThrough(bench: Bench, upstreamUrl: string, env: Readonly<Record<string, string>> = {}) {
  return { url: await bench.fleet.service('passthrough.ts', [upstreamUrl + messagesPath(passedPhoneId)], env) }
}

function sendComparison(options: {
  bench: Bench
  what: string
  kind: SendKind
  connections: number
  stretch?: number
  figures: readonly Figure[]
  baseline: Target
  gateway: BenchGateway
  upstreamUrl: string
}): Benchmark {
  const { bench, what, kind, connections, stretch = 1, figures, baseline, gateway, upstreamUrl } = options
  const load = {
    what,
    connections,
    traffic: (round: number) => freshSends(kind, gateway.key, round),
    answers: 'success',
    folder: bench.folder,
  } as const
  return comparison({
    what,
    connections,
    baseline: under(load, baseline),
    gateway: under(load, countedSends(gateway, upstreamUrl, connections)),
    stretch,
    figures,
  })
}

/** Nothing of what wrk left behind stands still for so long. */
const quietMs = 200

/** The gateway, trusted only as far as its database and the stub upstream agree with its answers. */
export function countedSends(
  { url, databasePath }: Pick<BenchGateway, 'url' | 'databasePath'>,
  upstreamUrl: string,
  connections: number,
): Target {
  return { url, watch: watchSends(() => count(databasePath, sentCount), upstreamUrl, connections) }
}

/** The messages that were sent, as `count`. */
export const sentCount = "SELECT count(*) AS count FROM messages WHERE status = 'SENT'"

/** @param countSent how many messages are stored as SENT */
export function watchSends(
  countSent: () => Promise<number> | number,
  upstreamUrl: string,
  connections: number,
): () => Promise<(driven: Driven) => Promise<void>> {
  const takenUrl = `${upstreamUrl}/taken${messagesPath(upstreamPhoneId)}`
  const look = async () => ({ sent: await countSent(), taken: Number(await (await fetch(takenUrl)).text()) })
  return async () => {
    const before = await look()
    return async ({ completed }) => {
      // What was in flight when wrk stopped is sent as well, but wrk has no answer to it.
      const sent = await until('as many messages SENT as the upstream took', async () => {
        const now = await look()
        if (now.sent - before.sent !== now.taken - before.taken) return null
        await Bun.sleep(quietMs)
        return (await look()).taken === now.taken ? now.sent - before.sent : null
      })
      if (sent >= completed && sent <= completed + connections) return
      throw new Error(`${completed} sends were answered, but ${sent} messages are stored as SENT`)
    }
  }
}
