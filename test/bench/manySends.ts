import type { Bench } from './bench.ts'
import type { BenchGateway } from './gateway.ts'
import { under } from './load.ts'
import { comparedMedians, type Medians, paced, usualPerSecond } from './paced.ts'
import { until } from './processes.ts'
import { atLeast, grouped, median, type Row, spread } from './report.ts'
import { nextRound } from './rounds.ts'
import type { Benchmark, Pace } from './scenario.ts'
import { countedSends } from './sends.ts'
import { startServer } from './server.ts'
import { freshSends } from './traffic.ts'

/** The marks of the issue. */
const acceptedPerSecondMin = 10_000
const shareOfSendsMin = 0.9
const besideMax = 1.2

const itemsAtOnce = 1_000
/** Far longer than an item takes on a busy machine. */
const itemMsMax = 20
/** Single sends come from so many connections: the fewest at which the gateway is busy all the time. */
const connections = 64

let lastKey = 0
let lastNumber = 0

/** On PostgreSQL: what a single send beside a batch takes. */
export async function manySendsPostgresBenchmarks(bench: Bench): Promise<Benchmark[]> {
  const server = await startServer(bench)
  const gateway = await bench.serve(
    await bench.install('batch-postgres', { DATABASE_URL: await server.createDatabase() }),
  )
  const { batchItems } = bench.options.sizes
  const title = 'sends beside a batch on PostgreSQL'
  return [{ title, run: pace => beside(gateway, batchItems, pace, ' on PostgreSQL') }]
}

/** Sends as one thing: how fast they are accepted, how fast they leave, and what a single send beside them takes. */
export async function manySendsBenchmarks(bench: Bench): Promise<Benchmark[]> {
  const gateway = await bench.serve(await bench.install('batch'))
  const { batchItems } = bench.options.sizes
  const many = `a batch of ${grouped(batchItems)} on a line without a limit`
  return [
    { title: 'acceptance of a batch', run: pace => accepted(gateway, pace) },
    { title: many, run: pace => left(bench, gateway, `${many}, against single sends`, batchItems, pace) },
    { title: `sends beside ${many}`, run: pace => beside(gateway, batchItems, pace) },
  ]
}

async function accepted(gateway: BenchGateway, { seconds, rounds }: Pace): Promise<Row[]> {
  const requests = 3 * seconds
  await fill(gateway, requests * itemsAtOnce)
  const perSecond: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const begin = performance.now()
    await fill(gateway, requests * itemsAtOnce)
    perSecond.push((requests * itemsAtOnce * 1_000) / (performance.now() - begin))
  }
  return [
    {
      what: `items of a batch that are accepted, ${grouped(itemsAtOnce)} a request`,
      ...{ connections: 1, baseline: '', gateway: `${grouped(Math.round(median(perSecond)))}/s` },
      ...{ figure: `${grouped(Math.round(median(perSecond)))}${spread(perSecond)}` },
      ...atLeast(median(perSecond), acceptedPerSecondMin),
    },
  ]
}

/** A batch against single sends, in turn: items that have left a second. */
async function left(bench: Bench, gateway: BenchGateway, what: string, items: number, pace: Pace): Promise<Row[]> {
  const load = { what: 'single sends', connections, answers: 'success', folder: bench.folder } as const
  const traffic = (round: number) => freshSends('text', gateway.key, round)
  const singles = under({ ...load, traffic }, countedSends(gateway, bench.upstream.url, connections))
  const rounds: { readonly sends: number; readonly items: number }[] = []
  await singles.measure({ number: nextRound(), seconds: pace.warmUpSeconds })
  for (let round = 0; round < pace.rounds; round += 1) {
    const { perSecond } = await singles.measure({ number: nextRound(), seconds: pace.seconds })
    const id = await fill(gateway, items)
    await post(gateway, `/${id}/start`, {})
    const begin = performance.now()
    const isDone = async () => ((await stateOf(gateway, id)) === 'done' ? true : null)
    await until('the batch is done', isDone, items * itemMsMax)
    const elapsed = performance.now() - begin
    const { counts } = await call(gateway, 'GET', `/${id}`)
    if (counts?.SENT !== items) throw new Error(`of ${items} items became ${JSON.stringify(counts)}`)
    rounds.push({ sends: perSecond, items: (items * 1_000) / elapsed })
  }
  const [sends, leaving] = [median(rounds.map(each => each.sends)), median(rounds.map(each => each.items))]
  const rate = (value: number) => `${grouped(Math.round(value))}/s`
  return [
    {
      ...{ what, connections, baseline: rate(sends), gateway: rate(leaving) },
      figure: `${(leaving / sends).toFixed(2)}${spread(rounds.map(each => each.items / each.sends))}`,
      ...atLeast(leaving / sends, shareOfSendsMin),
    },
  ]
}

async function beside(
  gateway: BenchGateway,
  items: number,
  { seconds, rounds, warmUpSeconds }: Pace,
  on = '',
): Promise<Row[]> {
  await paced(gateway, usualPerSecond, Math.min(warmUpSeconds, 2))
  const medians: Medians[] = []
  for (let round = 0; round < rounds; round += 1) {
    const alone = await paced(gateway, usualPerSecond, seconds)
    const id = await fill(gateway, items)
    await post(gateway, `/${id}/start`, {})
    await until('the batch runs', async () => ((await hasBegun(gateway, id)) ? true : null))
    medians.push({ alone, beside: await paced(gateway, usualPerSecond, seconds) })
    const isOver = (await stateOf(gateway, id)) !== 'running'
    await post(gateway, `/${id}/cancel`, {})
    if (isOver) throw new Error(`a batch of ${items} was over before the sends beside it were`)
  }
  const what = `sends, text, ${usualPerSecond} a second${on}, beside a batch that runs: median`
  return [comparedMedians(what, medians, besideMax)]
}

const hasBegun = async (gateway: BenchGateway, id: string) =>
  (await call(gateway, 'GET', `/${id}/items?limit=1`))[0]?.status !== 'WAITING'

/** @returns the id of a draft with so many items */
async function fill(gateway: BenchGateway, items: number): Promise<string> {
  lastKey += 1
  const head = { idempotencyKey: `bench-${lastKey}`, state: 'draft', defaults: { type: 'text', content: 'Hello' } }
  const { id } = await post(gateway, '', { ...head, items: people(Math.min(items, itemsAtOnce)) })
  for (let offset = itemsAtOnce; offset < items; offset += itemsAtOnce)
    await post(gateway, `/${id}/items`, { offset, items: people(Math.min(items - offset, itemsAtOnce)) })
  return id
}

const people = (items: number) =>
  Array.from({ length: items }, () => {
    lastNumber += 1
    return { phone: `+4917${100_000_000 + lastNumber}` }
  })

/** By the list: one batch by itself counts all its items. */
async function stateOf(gateway: BenchGateway, id: string): Promise<string> {
  const newest = (await call(gateway, 'GET', '?limit=1'))[0]
  if (newest?.id !== id) throw new Error('another batch was made meanwhile')
  return newest.state
}

const post = (gateway: BenchGateway, path: string, body: object) => call(gateway, 'POST', path, body)

/** A batch, or an item of one. */
interface Shown {
  readonly id: string
  readonly state: string
  readonly status: string
  readonly counts?: Readonly<Record<string, number>>
}

async function call({ url, key }: BenchGateway, method: string, path: string, body?: object) {
  const answer = await fetch(`${url}/api/v1/public/batches${path}`, {
    ...{ method, headers: { ...key, 'content-type': 'application/json' } },
    ...(body && { body: JSON.stringify(body) }),
  })
  const { data, ...told } = (await answer.json()) as { data?: never }
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${JSON.stringify(told)}`)
  return data as never as Shown & { readonly [at: number]: Shown | undefined }
}
