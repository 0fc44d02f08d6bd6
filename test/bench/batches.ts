import { copyFileSync } from 'node:fs'
import type { Bench } from './bench.ts'
import { fill, syncFile } from './fill.ts'
import { appSecret, type BenchGateway, count } from './gateway.ts'
import { grouped, median } from './report.ts'
import { comparison } from './rounds.ts'
import type { Benchmark, Sample, Side } from './scenario.ts'
import { callbackBody, type Seeded, type StatusUpdate, signed } from './traffic.ts'

/** docs/upstream.md#webhook-delivery: as many as one callback gathers at most. */
const batchSize = 1_000
/** The upstream platform calls from a few connections, each with a body of some 200 kB at a time. */
const connections = 4
/** Of each second of a round: work of about that length, and each round has the same on both sides. */
const messagesPerSecond = 20_000

/** What is told of every message, one after another, and seconds later each time. */
const steps = [
  { status: 'sent', afterSeconds: 0 },
  { status: 'delivered', afterSeconds: 1 },
  { status: 'read', afterSeconds: 9 },
] as const

/** Callbacks with 1,000 statuses each, against the same updates of a copy of the database in plain SQL. */
export async function batchBenchmark(bench: Bench): Promise<Benchmark> {
  const { warmUpSeconds, seconds, rounds } = bench.options
  const installation = await bench.install('batches')
  const messages = await fill({
    installation,
    messages: messagesPerSecond * (warmUpSeconds + seconds * rounds),
    outcome: 'SENT',
    keepEvery: 1,
  })
  const copyPath = `${installation.databasePath}.plain`
  copyFileSync(installation.databasePath, copyPath)
  syncFile(copyPath)
  const { url: plainUrl } = await bench.fleet.service('plain.ts', [copyPath])
  const gateway = await bench.serve(installation)
  return comparison({
    what: `statuses, in callbacks of ${grouped(batchSize)}`,
    connections,
    baselines: [
      {
        side: updating(copyPath, messages, batches => writePlainly(plainUrl, batches)),
        figures: [{ kind: 'throughput', least: 0.4 }],
      },
    ],
    gateway: updating(gateway.databasePath, messages, batches => callBack(gateway, batches)),
  })
}

/** @returns a side that tells of messages that no round before has told of, and looks afterwards whether they moved. */
function updating(
  databasePath: string,
  messages: readonly Seeded[],
  write: (batches: readonly (readonly StatusUpdate[])[]) => Promise<Sample>,
): Side {
  const sentAt = Math.floor(Date.now() / 1000)
  let told = 0
  return {
    async measure({ seconds }) {
      const fresh = messages.slice(told, told + messagesPerSecond * seconds)
      if (fresh.length < messagesPerSecond * seconds) throw new Error('there are too few messages for the callbacks')
      told += fresh.length
      const sample = await write(batchesOf(fresh, sentAt))
      assertMoved(databasePath, fresh, sentAt)
      return sample
    },
  }
}

function batchesOf(messages: readonly Seeded[], sentAt: number): StatusUpdate[][] {
  return steps.flatMap(({ status, afterSeconds }) => {
    const timestamp = sentAt + afterSeconds
    const updates = messages.map(message => ({ message, status, timestamp }))
    const starts = Array.from({ length: Math.ceil(updates.length / batchSize) }, (_, at) => at * batchSize)
    return starts.map(start => updates.slice(start, start + batchSize))
  })
}

async function writePlainly(url: string, batches: readonly (readonly StatusUpdate[])[]): Promise<Sample> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(batches) })
  if (!answer.ok) throw new Error(`the plain writes failed: ${await answer.text()}`)
  return (await answer.json()) as Sample
}

/** Sends the callbacks; only the time from the first to the last answer counts. */
async function callBack(
  { url, callbackPath }: BenchGateway,
  batches: readonly (readonly StatusUpdate[])[],
): Promise<Sample> {
  const requests = batches.map(batch => {
    const body = callbackBody(batch)
    return { method: 'POST', body, headers: { 'content-type': 'application/json', ...signed(body, appSecret) } }
  })
  const times: number[] = []
  let next = 0
  async function callSome() {
    for (let request = requests[next++]; request; request = requests[next++]) {
      const start = performance.now()
      const answer = await fetch(url + callbackPath, request)
      if (answer.status !== 200) throw new Error(`a callback was answered ${answer.status}: ${await answer.text()}`)
      times.push(performance.now() - start)
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: connections }, callSome))
  const elapsedMs = performance.now() - start
  const updates = batches.reduce((sum, batch) => sum + batch.length, 0)
  const p99Ms = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
  return { perSecond: (updates * 1000) / elapsedMs, medianMs: median(times), p99Ms }
}

/** Ids are ordered by time, so that the messages of a round stand together. */
function assertMoved(databasePath: string, messages: readonly Seeded[], sentAt: number): void {
  const first = messages[0]?.id ?? ''
  const last = messages.at(-1)?.id ?? ''
  const [sent, delivered, read] = steps.map(({ afterSeconds }) => (sentAt + afterSeconds) * 1000)
  const moved = count(
    databasePath,
    `SELECT count(*) AS count FROM messages WHERE id BETWEEN ? AND ?
     AND status = 'READ' AND reported_sent_at = ? AND delivered_at = ? AND read_at = ?`,
    ...[first, last, sent ?? 0, delivered ?? 0, read ?? 0],
  )
  const events = count(
    databasePath,
    `SELECT count(*) AS count FROM messages JOIN message_events ON message_seq = seq WHERE id BETWEEN ? AND ?
     AND kind IN ('sent', 'delivered', 'read')`,
    ...[first, last],
  )
  if (moved === messages.length && events === messages.length * steps.length) return
  throw new Error(
    `of ${messages.length} messages ${moved} became READ, and ${events} statuses are on their timelines: ${databasePath}`,
  )
}
