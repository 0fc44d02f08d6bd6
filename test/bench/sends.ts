import type { Bench } from './bench.ts'
import { cpuUsOf } from './cpu.ts'
import { type BenchGateway, count, messagesPath, upstreamPhoneId } from './gateway.ts'
import { type Target, under } from './load.ts'
import { until } from './processes.ts'
import { comparison } from './rounds.ts'
import type { Benchmark, Side } from './scenario.ts'
import { freshRequests, freshSends, type Key, keyed, mark, rawRequest, type SendKind, type Traffic } from './traffic.ts'
import type { Driven } from './wrk.ts'

/** The pass-through sends from a line of its own, so that the stub counts it apart. */
export const passedPhoneId = '106540352242923'

/**
 * The marks of texts, by connections: at least this share of the sends of the state that is compared with. Since then
 * a send is leased, billed, counted by days and told to endpoints; alone it is faster nevertheless.
 */
const referenceShareMin: Readonly<Record<number, number>> = { 64: 0.87, 256: 0.86, 1: 1.03 }

/** What is sent from how many connections. Texts are what the marks are for. */
const kinds: readonly (readonly [SendKind, readonly number[]])[] = [
  ['text', [64, 256, 1]],
  ['template', [64]],
  [keyed, [64]],
]

/** Durable sends, plain and over TLS, against an earlier state and the pass-through. */
export async function sendBenchmarks(bench: Bench): Promise<Benchmark[]> {
  const { url, tlsUrl } = bench.upstream
  return [
    ...(await sendsTo(bench, { name: 'send', suffix: '', upstreamUrl: url, kinds })),
    ...(await sendsTo(bench, {
      name: 'send-tls',
      suffix: ', upstream over TLS',
      upstreamUrl: tlsUrl,
      kinds: kinds.slice(0, 1),
    })),
  ]
}

async function sendsTo(
  bench: Bench,
  {
    name,
    suffix,
    upstreamUrl,
    kinds: sent,
  }: { name: string; suffix: string; upstreamUrl: string; kinds: typeof kinds },
): Promise<Benchmark[]> {
  const reference = await bench.reference()
  const env = { CHANNEL_API_URL: upstreamUrl }
  const earlier = await bench.serve(await bench.install(`${name}-${reference.name}`, env, reference.binary))
  const gateway = await bench.serve(await bench.install(name, env))
  const passing = await passThrough(bench, upstreamUrl)
  return sent.flatMap(([kind, counts]) =>
    counts.map(connections => {
      const what = `durable sends, ${kind}${suffix}`
      const sends = (target: Target, key: Key) => sending(bench, { what, kind, connections }, target, key)
      const counted = (gateway: BenchGateway) =>
        sends(countedSends(gateway, bench.upstream.url, connections), gateway.key)
      return comparison({
        what,
        connections,
        gateway: counted(gateway),
        baselines: [
          {
            name: reference.name,
            side: counted(earlier),
            figures: [
              { kind: 'throughput', least: kind === 'text' ? (referenceShareMin[connections] ?? null) : null },
              { kind: 'cpu' },
              // At one connection the disk decides, and what is added to the upstream's time is what a caller feels.
              ...(connections === 1 ? [{ kind: 'addedMs', most: null } as const] : []),
            ],
          },
          {
            name: 'the pass-through',
            side: sends(passing, gateway.key),
            figures: [{ kind: 'throughput', least: null }],
          },
        ],
      })
    }),
  )
}

/** @returns sends of a client of the platform that nobody has made before */
export const graphSends = (token: string, round: number): Traffic =>
  freshRequests(
    rawRequest({
      method: 'POST',
      path: `/graph${messagesPath(upstreamPhoneId)}`,
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({
        messaging_product: 'whatsapp',
        to: `4915${mark}`,
        type: 'text',
        text: { body: 'Your parcel is on its way.' },
      }),
    }),
    round,
  )

/** The upstream platform takes 200 to 500 ms. */
export const upstreamDelayMs = 300
/** For each of them wrk, the gateway and the stub hold files open: Bun lifts its own limit, and hands it on to wrk. */
const patientConnections = 1_500
/** The mark: most of such a send's time is the upstream's. */
const patientShareMin = 0.88
/** Answers come in waves, one each delay: a round has enough of them that one more or less makes no difference. */
const patientStretch = 3
/** By itself, fetch runs at most 256 requests at once. More than there are connections is no limit at all. */
const fetchRequestsMax = 10_000

/**
 * Sends to an upstream that takes its time. The gateway is started plainly; the pass-through needs its limit lifted.
 */
export async function latencyBenchmarks(bench: Bench): Promise<Benchmark[]> {
  const upstream = await bench.startUpstream(upstreamDelayMs)
  const gateway = await bench.serve(await bench.install('latency', { CHANNEL_API_URL: upstream.url }))
  const passing = await passThrough(bench, upstream.url, {
    BUN_CONFIG_MAX_HTTP_REQUESTS: String(fetchRequestsMax),
  })
  const what = `durable sends, text, upstream answers after ${upstreamDelayMs} ms`
  const connections = patientConnections
  const sends = (target: Target) => sending(bench, { what, kind: 'text', connections }, target, gateway.key)
  return [
    comparison({
      what,
      connections,
      stretch: patientStretch,
      gateway: sends(countedSends(gateway, upstream.url, connections)),
      baselines: [
        { name: 'the pass-through', side: sends(passing), figures: [{ kind: 'throughput', least: patientShareMin }] },
      ],
    }),
  ]
}

/** Forwards to a line of its own of the upstream. */
export function passThrough(
  { fleet, trust }: Bench,
  upstreamUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Target> {
  return fleet.service('passthrough.ts', [upstreamUrl + messagesPath(passedPhoneId)], { ...trust, ...env })
}

const sending = (
  { folder }: Bench,
  { what, kind, connections }: { what: string; kind: SendKind; connections: number },
  target: Target,
  key: Key,
): Side =>
  under({ what, connections, traffic: round => freshSends(kind, key, round), answers: 'success', folder }, target)

/** Nothing of what wrk left behind stands still for so long. */
const quietMs = 200

/** The gateway, trusted only as far as its database and the stub upstream agree with its answers. */
export function countedSends(
  { url, pid, databasePath }: Pick<BenchGateway, 'url' | 'databasePath'> & { readonly pid?: number },
  upstreamUrl: string,
  connections: number,
): Target {
  return {
    url,
    ...(pid !== undefined && { cpuUs: () => cpuUsOf(pid) }),
    watch: watchSends(() => count(databasePath, sentCount), upstreamUrl, connections),
  }
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
