import type { Bench } from './bench.ts'
import { fill } from './fill.ts'
import { addOwner, addWorkspace, type BenchGateway, count, type Installation } from './gateway.ts'
import { type Target, under } from './load.ts'
import { comparedMedians, type Medians, paced, usualPerSecond } from './paced.ts'
import { run, until } from './processes.ts'
import type { Taken } from './receiver.ts'
import { atLeast, grouped, median, spread } from './report.ts'
import { comparison } from './rounds.ts'
import type { Benchmark } from './scenario.ts'
import { countedSends } from './sends.ts'
import { freshSends, type Key } from './traffic.ts'

const connections = 64
/** The marks: of sends beside deliveries, of a backlog, of a send at a usual pace, of endpoints beside one that hangs. */
const sendsShareMin = 0.63
const drainedMin = 1_000
const medianRatioMax = 1.1
const lateRatioMax = 1.25

const backlog = 10_000
const endpointsMax = 100
/** To each of a hundred endpoints: what all of them get together is far below what is reached. */
const besidePerSecond = 5
/** Of the workspace that replays: its whole history, again and again. */
const replayedMessages = 20_000

/** What deliveries cost sends, how fast a backlog is drained, and what an endpoint that hangs costs the others. */
export async function webhookBenchmarks(bench: Bench): Promise<Benchmark[]> {
  const { url } = await bench.fleet.service('receiver.ts')
  const without = await bench.serve(await bench.install('webhook-none'))
  const withOne = await bench.serve(await listened(bench, 'webhook-one', [url]))
  return [
    besideDeliveries(bench, without, withOne, url),
    atUsualPace(without, withOne),
    drain(bench, url),
    hanging(bench, url),
    besideReplays(bench, url),
  ]
}

/** @returns data whose events go to these addresses */
async function listened(bench: Bench, name: string, urls: readonly string[]): Promise<Installation> {
  const installation = await bench.install(name, { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' })
  const { binary, env, workspaceId } = installation
  for (const url of urls) await run([binary, 'webhook', 'add', '--workspace', workspaceId, '--url', url, '--json'], env)
  return installation
}

const taken = async (url: string) => (await (await fetch(url)).json()) as Taken
const reset = (url: string) => fetch(url, { method: 'DELETE' })

/** The sends count only when all their events arrive as well, most of them while the sends go on. */
function besideDeliveries(bench: Bench, without: BenchGateway, withOne: BenchGateway, url: string): Benchmark {
  const what = 'durable sends, text, whose events are delivered to one endpoint'
  const load = (key: Key) => ({
    ...{ what, connections, folder: bench.folder, answers: 'success' as const },
    traffic: (round: number) => freshSends('text', key, round),
  })
  const sends = (each: BenchGateway) => countedSends(each, bench.upstream.url, connections)
  const delivered: Target = {
    ...sends(withOne),
    async watch() {
      const check = await sends(withOne).watch?.()
      const before = (await taken(url)).events
      return async driven => {
        const meanwhile = (await taken(url)).events - before
        await check?.(driven)
        await until('every event', async () => ((await taken(url)).events === eventsOf(withOne) ? true : null))
        console.error(`  ${Math.round((100 * meanwhile) / driven.completed)} % were delivered meanwhile`)
      }
    },
  }
  return comparison({
    what,
    connections,
    baselines: [
      {
        name: 'none',
        side: under(load(without.key), sends(without)),
        figures: [{ kind: 'throughput', least: sendsShareMin }, { kind: 'cpu' }],
      },
    ],
    gateway: under(load(withOne.key), delivered),
  })
}

/** A send at a time, many a second: what its caller feels of the deliveries. */
function atUsualPace(without: BenchGateway, withOne: BenchGateway): Benchmark {
  const what = `durable sends, text, ${usualPerSecond} a second, with one endpoint: median`
  return {
    title: what,
    async run({ seconds, rounds, warmUpSeconds }) {
      for (const each of [without, withOne]) await paced(each, usualPerSecond, warmUpSeconds)
      const medians: Medians[] = []
      for (let round = 0; round < rounds; round += 1) {
        const alone = await paced(without, usualPerSecond, seconds)
        medians.push({ alone, beside: await paced(withOne, usualPerSecond, seconds) })
      }
      return [comparedMedians(what, medians, medianRatioMax)]
    },
  }
}

/** A gateway that starts on a backlog. */
function drain(bench: Bench, url: string): Benchmark {
  const what = `a backlog of ${grouped(backlog)} events to one endpoint`
  return {
    title: what,
    async run({ rounds }) {
      const rates: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        const installation = await listened(bench, `webhook-backlog-${round}`, [url])
        await fill({ installation, messages: backlog, outcome: 'SENT', keepEvery: backlog })
        await reset(url)
        const gateway = await bench.serve(installation)
        await until('every event', async () => ((await taken(url)).events === backlog ? true : null))
        const { firstAt, lastAt } = await taken(url)
        rates.push((1_000 * (backlog - 1)) / (lastAt - firstAt))
        await gateway.end('clean stop')
      }
      const rate = median(rates)
      const gateway = `${Math.round(rate)}/s${spread(rates)}`
      return [{ what, connections: null, baseline: '', gateway, figure: '', ...atLeast(Math.round(rate), drainedMin) }]
    },
  }
}

/** Between an event and its arrival at an endpoint, beside one that never answers. */
function hanging(bench: Bench, url: string): Benchmark {
  const what = `events to ${endpointsMax} endpoints, one of which hangs, against one fewer: median delay`
  return {
    title: what,
    async run({ seconds, rounds }) {
      const healthy = Array.from({ length: endpointsMax - 1 }, (_, at) => `${url}/${at}`)
      const alone = await bench.serve(await listened(bench, 'webhook-healthy', healthy))
      const beside = await bench.serve(await listened(bench, 'webhook-hanging', [...healthy, `${url}/hangs`]))
      const delays: Medians[] = []
      for (let round = 0; round < rounds; round += 1)
        delays.push({ alone: await delayOf(alone, url, seconds), beside: await delayOf(beside, url, seconds) })
      return [comparedMedians(what, delays, lateRatioMax)]
    },
  }
}

/** The sends of a workspace, while another one asks again and again for all that its endpoint has ever got. */
function besideReplays(bench: Bench, url: string): Benchmark {
  const what = `durable sends, text, ${usualPerSecond} a second, beside replays of another workspace: median`
  return {
    title: what,
    async run({ seconds, rounds, warmUpSeconds }) {
      const replaying = await listened(bench, 'webhook-replays', [url])
      const { binary, env, workspaceId } = replaying
      const command = async (...args: string[]) => JSON.parse(await run([binary, ...args, '--json'], env))
      const signIn = await addOwner(replaying)
      const [{ id: webhookId }] = await command('webhook', 'list', '--workspace', workspaceId)
      await fill({ installation: replaying, messages: replayedMessages, outcome: 'SENT', keepEvery: replayedMessages })
      const { key } = await addWorkspace(replaying, { accountId: '100002', phoneId: '106540352242923' })
      const gateway = await bench.serve(replaying)
      const sending = { ...gateway, key }
      const asked = `${gateway.url}/api/v1/workspaces/${workspaceId}/webhooks/${webhookId}/replay`
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${await signIn(gateway.url)}` }
      const body = JSON.stringify({ since: new Date(0).toISOString() })
      await paced(sending, usualPerSecond, warmUpSeconds)
      const medians: Medians[] = []
      for (let round = 0; round < rounds; round += 1) {
        await until('every event', async () => (openDeliveries(gateway) === 0 ? true : null))
        const alone = await paced(sending, usualPerSecond, seconds)
        let isOver = false
        const loop = (async () => {
          while (!isOver) await (await fetch(asked, { method: 'POST', headers, body })).text()
        })()
        const beside = await paced(sending, usualPerSecond, seconds)
        isOver = true
        await loop
        medians.push({ alone, beside })
      }
      return [comparedMedians(what, medians, lateRatioMax)]
    },
  }
}

const openDeliveries = ({ databasePath }: Installation) =>
  count(databasePath, "SELECT count(*) AS count FROM webhook_deliveries WHERE state = 'pending'")

async function delayOf(gateway: BenchGateway, url: string, seconds: number): Promise<number> {
  await reset(url)
  await paced(gateway, besidePerSecond, seconds)
  const expected = besidePerSecond * seconds * (endpointsMax - 1)
  return await until('every event', async () => {
    const { events, lateMs } = await taken(url)
    return events === expected ? median(lateMs) : null
  })
}

/** Each message gives one, as the stub reports nothing. */
const eventsOf = ({ databasePath }: Installation) => count(databasePath, 'SELECT count(*) AS count FROM events')
