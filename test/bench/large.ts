import { Database } from 'bun:sqlite'
import { dayMs, hourMs } from '../../src/base/durations.ts'
import type { Bench } from './bench.ts'
import { cpuUsOf } from './cpu.ts'
import { fill, syncFile } from './fill.ts'
import { addOwner, appSecret, type BenchGateway, count, graphToken, type Installation } from './gateway.ts'
import { type CalledGateway, callBenchmarks, prepareCalls, readers, shareMin } from './largeCalls.ts'
import { type Load, type Target, under } from './load.ts'
import { run, until } from './processes.ts'
import type { Taken } from './receiver.ts'
import { atLeast, grouped, median, spread } from './report.ts'
import { comparison } from './rounds.ts'
import type { Benchmark } from './scenario.ts'
import { sentCount, watchSends } from './sends.ts'
import { callbacks, freshSends, rawRequest, type Seeded, type SendKind, sendKinds, type Traffic } from './traffic.ts'

const connections = 64
/** Both sides have so many that callbacks tell of, and pages begin at. */
const recentMessages = 10_000
/** Of one round of deliveries. */
const backlog = 5_000

interface Side extends CalledGateway {
  readonly recent: readonly Seeded[]
  readonly accessToken: string
  /** Messages up to this number were there before the first send. */
  readonly newest: number
}

/** Everything that callers and users do, in turn on an empty database and on one with a long history. */
export async function largeBenchmarks(bench: Bench): Promise<Benchmark[]> {
  const { url } = await bench.fleet.service('receiver.ts')
  const { messagesStored } = bench.options.sizes
  const empty = await sideOf(bench, 'large-empty', url, 0)
  const large = await sideOf(bench, 'large', url, messagesStored)
  const beside = `beside ${grouped(messagesStored)} messages`
  return [
    // First: a sign-in ends after a quarter of an hour.
    ...pages(bench, beside, empty, large),
    ...sendKinds.map(kind => sends(bench, kind, beside, empty, large, url)),
    callbackRates(bench, `callbacks, one by one, ${beside}`, empty, large),
    ...callBenchmarks(bench.folder, beside, empty, large),
    deliveries(bench, `deliveries of a backlog to one endpoint, ${beside}`, empty, large, url),
  ]
}

/**
 * @param messages of the history: for each, three events, and for the newest ones deliveries. The statistics stay those
 *   of the empty database, as in life: they are made at a clean stop, and of what was small then
 */
async function sideOf(bench: Bench, name: string, url: string, messages: number): Promise<Side> {
  const installation = await bench.install(name, {
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    GRAPH_API: 'on',
  })
  const { binary, env, workspaceId, databasePath } = installation
  const command = async (...args: string[]) => JSON.parse(await run([binary, ...args, '--json'], env))
  const signIn = await addOwner(installation)
  if (messages > 0) fillHistory(installation, messages)
  const recent = await fill({ installation, messages: recentMessages, outcome: 'SENT', keepEvery: 1 })
  // It begins after all events that are there.
  const { id } = await command('webhook', 'add', '--workspace', workspaceId, '--url', url)
  if (messages > 0) fillDeliveries(installation, id, Math.floor(1.3 * messages))
  const token = await graphToken(installation)
  const gateway = await bench.serve(installation)
  const called = await prepareCalls(gateway, { graphToken: token, webhookId: id })
  const accessToken = await signIn(gateway.url)
  const newest = count(databasePath, 'SELECT max(seq) AS count FROM messages')
  return { ...called, recent, accessToken, newest }
}

/** Over so long, up to an hour ago: nothing of it is old enough to be pruned meanwhile. */
const historyMs = 20 * dayMs
/** Negative: kibibytes. The trees of the indexes are filled at random places. */
const fillCacheKib = -1_000_000

function filling(databasePath: string, work: (database: Database, rows: (count: number) => string) => void): void {
  const database = new Database(databasePath, { strict: true })
  for (const pragma of ['synchronous = OFF', `cache_size = ${fillCacheKib}`, 'temp_store = MEMORY'])
    database.run(`PRAGMA ${pragma}`)
  const rows = (count: number) => `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${count})`
  database.transaction(() => work(database, rows))()
  database.run('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  syncFile(databasePath)
}

/** In plain SQL into the tables as they are: the store's own verbs would take half an hour. */
function fillHistory({ databasePath, workspaceId, lineId }: Installation, messages: number): void {
  console.error(`storing a history of ${grouped(messages)} messages …`)
  const from = Date.now() - historyMs - hourMs
  const at = (column: string) => `${from} + ${column} * ${historyMs} / ${messages}`
  const line = `(SELECT seq FROM lines WHERE id = '${lineId}')`
  filling(databasePath, (database, rows) => {
    database.run(`${rows(messages)} INSERT INTO messages (id, workspace_id, line_seq, recipient, type, status, created_at,
        dispatched_at, accepted_at, reported_sent_at, delivered_at, read_at, channel_message_id, wa_id, sequence)
      SELECT printf('msg_%022d', n), '${workspaceId}', ${line}, '+4916' || (n * 7919 % 200000), 'text', 'READ', ${at('n')},
        ${at('n')}, ${at('n')}, ${at('n')}, ${at('n')}, ${at('n')}, 'wamid.' || hex(randomblob(24)), '4916' || n, 4 FROM n`)
    for (const kind of ['accepted', 'sent', 'delivered'])
      database.run(
        `${rows(messages)} INSERT INTO message_events SELECT n, '${kind}', ${at('n')}, '', ${at('n')} FROM n`,
      )
    database.run(`${rows(3 * messages)} INSERT INTO events
        (workspace_id, seq, type, at, recorded_at, message_seq, sequence, known)
      SELECT '${workspaceId}', n, CASE n % 3 WHEN 0 THEN 'message.read' WHEN 1 THEN 'message.sent' ELSE 'message.delivered' END,
        ${at('(n / 3)')}, ${at('(n / 3)')}, 1 + (n - 1) / 3, 2 + n % 3, 0 FROM n`)
    database.run(
      `INSERT INTO event_counters VALUES ('${workspaceId}', ${3 * messages})
       ON CONFLICT DO UPDATE SET last = excluded.last`,
    )
    // Else the job that counts them would walk through them meanwhile.
    const counted = JSON.stringify({ seq: messages, until: Date.now() - hourMs })
    database.run(`INSERT INTO properties (name, value) VALUES ('usage', '${counted}') ON CONFLICT DO NOTHING`)
  })
}

function fillDeliveries({ databasePath }: Installation, endpointId: string, deliveries: number): void {
  filling(databasePath, (database, rows) => {
    const attempt = { at: Date.now(), durationMs: 5, status: 200, error: null, answer: 'ok' }
    database.run(`${rows(deliveries)} INSERT INTO webhook_deliveries
        (endpoint_id, seq, type, message_seq, state, attempt_count, attempts, step)
      SELECT '${endpointId}', n, 'message.sent', 1 + (n - 1) / 3, CASE WHEN n % 5000 = 0 THEN 'failed' ELSE 'delivered' END,
        1, '${JSON.stringify([attempt])}', 1 FROM n`)
  })
}

const taken = async (url: string) => (await (await fetch(url)).json()) as Taken

const loadOf = (bench: Bench, what: string, traffic: Load['traffic']): Load => ({
  ...{ what, connections, traffic, folder: bench.folder, answers: 'success' },
})

/** The sends count only when all their events arrive as well. */
function sends(bench: Bench, kind: SendKind, beside: string, empty: Side, large: Side, url: string): Benchmark {
  const what = `sends, ${kind}, with one endpoint, ${beside}`
  const load = ({ key }: BenchGateway) => loadOf(bench, what, round => freshSends(kind, key, round))
  const target = ({ gateway, newest }: Side): Target => {
    const { databasePath } = gateway
    const countSent = () => count(databasePath, `${sentCount} AND seq > ${newest}`)
    const watch = watchSends(countSent, bench.upstream.url, connections)
    return {
      url: gateway.url,
      cpuUs: () => cpuUsOf(gateway.pid),
      async watch() {
        const check = await watch()
        const before = { delivered: (await taken(url)).events, sent: countSent() }
        return async driven => {
          await check(driven)
          const expected = before.delivered + countSent() - before.sent
          await until('every event', async () => ((await taken(url)).events >= expected ? true : null))
        }
      },
    }
  }
  return comparison({
    what,
    connections,
    baselines: [
      {
        name: 'an empty database',
        side: under(load(empty.gateway), target(empty)),
        figures: [{ kind: 'throughput', least: shareMin }, { kind: 'cpu' }],
      },
    ],
    gateway: under(load(large.gateway), target(large)),
  })
}

function callbackRates(bench: Bench, what: string, empty: Side, large: Side): Benchmark {
  const side = ({ gateway, recent }: Side) => {
    const path = gateway.callbackPath
    const load = loadOf(bench, what, round => callbacks({ path, appSecret, seeded: recent, round }))
    return under(load, { url: gateway.url, cpuUs: () => cpuUsOf(gateway.pid) })
  }
  const figures = [{ kind: 'throughput', least: shareMin }, { kind: 'cpu' }] as const
  return comparison({
    ...{ what, connections, gateway: side(large) },
    baselines: [{ name: 'an empty database', side: side(empty), figures }],
  })
}

/** Not more than a page apart from each other, on average. */
const placesMax = 500

/** Pages of messages in the console, and of those to one recipient. */
function pages(bench: Bench, beside: string, empty: Side, large: Side): Benchmark[] {
  const lists: readonly (readonly [what: string, traffic: (side: Side) => Traffic])[] = [
    [
      'pages of 50 messages in the console',
      ({ gateway: { workspaceId }, accessToken }) =>
        reading([`/api/v1/workspaces/${workspaceId}/messages?limit=50`], bearer(accessToken)),
    ],
    [
      'messages to one recipient in the console',
      ({ gateway: { workspaceId }, accessToken }) => {
        const paths = Array.from({ length: placesMax }, (_, at) => {
          const recipient = encodeURIComponent(`+4915${String(at * 7).padStart(9, '0')}`)
          return `/api/v1/workspaces/${workspaceId}/messages?limit=50&q=${recipient}`
        })
        return reading(paths, bearer(accessToken))
      },
    ],
  ]
  return lists.map(([list, traffic]) => {
    const what = `${list}, ${beside}`
    const side = (each: Side) =>
      under(
        { ...loadOf(bench, what, () => traffic(each)), connections: readers },
        { url: each.gateway.url, cpuUs: () => cpuUsOf(each.gateway.pid) },
      )
    return comparison({
      ...{ what, connections: readers, gateway: side(large) },
      baselines: [
        {
          name: 'an empty database',
          side: side(empty),
          figures: [{ kind: 'throughput', least: shareMin }, { kind: 'cpu' }],
        },
      ],
    })
  })
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const reading = (paths: readonly string[], headers: Readonly<Record<string, string>>): Traffic => ({
  kind: 'listed',
  requests: paths.map(path => rawRequest({ method: 'GET', path, headers })),
})

/** Each gateway starts on a backlog, in turn. It comes last: it ends the gateways of the others. */
function deliveries(bench: Bench, what: string, empty: Side, large: Side, url: string): Benchmark {
  async function drain({ gateway }: Side, running: { current: BenchGateway }): Promise<number> {
    await running.current.end('clean stop')
    await fill({ installation: gateway, messages: backlog, outcome: 'SENT', keepEvery: backlog })
    await fetch(url, { method: 'DELETE' })
    running.current = await bench.serve(gateway)
    await until('every event', async () => ((await taken(url)).events >= backlog ? true : null))
    const { firstAt, lastAt, events } = await taken(url)
    return (1_000 * (events - 1)) / (lastAt - firstAt)
  }
  return {
    title: what,
    async run({ rounds }) {
      const sides = [empty, large].map(side => ({ side, running: { current: side.gateway }, rates: [] as number[] }))
      for (let round = 0; round < rounds; round += 1)
        for (const { side, running, rates } of sides) rates.push(await drain(side, running))
      const [[small = [], big = []], ratio] = [sides.map(({ rates }) => rates), (a: number, b = Number.NaN) => a / b]
      const share = ratio(median(big), median(small))
      const figure = `${share.toFixed(2)}${spread(big.map((rate, at) => ratio(rate, small[at])))}`
      const rate = (rates: readonly number[]) => `${Math.round(median(rates))}/s`
      const judged = atLeast(share, shareMin)
      return [{ what, connections: null, baseline: rate(small), gateway: rate(big), figure, ...judged }]
    },
  }
}
