import { sha256 } from '../../src/base/crypto.ts'
import { newId, newKeyId, newKeySecret, numberedId } from '../../src/base/ids.ts'
import type { Bench } from './bench.ts'
import { call, change, fill } from './fill.ts'
import { type BenchGateway, count, type Installation } from './gateway.ts'
import { type Load, type Target, under } from './load.ts'
import { until } from './processes.ts'
import type { Reading, ReadingSoFar } from './readers.ts'
import { grouped } from './report.ts'
import { comparison } from './rounds.ts'
import type { Benchmark } from './scenario.ts'
import { countedSends } from './sends.ts'
import { freshSends, type Key, rawRequest, type Traffic } from './traffic.ts'

const eventsPath = '/api/v1/public/events'
const connections = 64

/** A thousand requests that are new have been looked at by then, one after the other. */
const settleMs = 3_000
/** As many as may wait: of one key, and of all. */
const readersOfKey = 10
const readersMax = 1_000
const keysOfReaders = readersMax / readersOfKey
/** Half of them read in the workspace that sends, the others in so many others. */
const otherWorkspaces = 10
/** The marks: of sends beside those who wait, and of a page. */
const waitingShareMin = 0.95
const pageMsMax = 20
/** So many events that a reader of a rare type needs dozens of requests to pass them. */
const messagesOfBacklog = 100_000
/** They may take a quarter of the thread, and their requests a little more. */
const catchingUpShareMin = 0.6
const fewMessages = 10_000

/** Sends beside those who wait for events, and beside those who catch up; and a page of very many events. */
export async function eventBenchmarks(bench: Bench): Promise<Benchmark[]> {
  const alone = await bench.serve(await bench.install('events-alone'))
  return [await besideWaiting(bench, alone), await besideCatchingUp(bench, alone), ...(await pages(bench))]
}

async function besideWaiting(bench: Bench, alone: BenchGateway): Promise<Benchmark> {
  const installation = await bench.install('events-waited')
  const own = await keysOf(installation, [installation.workspaceId], keysOfReaders / 2)
  const workspaces = await addWorkspaces(installation)
  const keys = [...own, ...(await keysOf(installation, workspaces, keysOfReaders / 2))]
  // Nobody sends a contact's news here: who waits for it is not woken.
  const query = { wait: '25', type: 'contact.updated' }
  return beside(bench, alone, await bench.serve(installation), {
    what: `${grouped(readersMax)} requests that wait for events`,
    reading: { keys, readersOfKey, query, from: 'latest' },
    least: waitingShareMin,
  })
}

async function besideCatchingUp(bench: Bench, alone: BenchGateway): Promise<Benchmark> {
  const installation = await bench.install('events-caught-up')
  await fill({ installation, messages: messagesOfBacklog, outcome: 'SENT or READ', keepEvery: messagesOfBacklog })
  const keys = await keysOf(installation, [installation.workspaceId], keysOfReaders)
  return beside(bench, alone, await bench.serve(installation), {
    what: `${grouped(readersMax)} readers that look for a rare type among ${grouped(eventsIn(installation))} events`,
    reading: { keys, readersOfKey, query: { type: 'message.failed' }, from: null },
    least: catchingUpShareMin,
  })
}

/** Sends of one gateway without readers, in turn with those of another that has them. */
async function beside(
  bench: Bench,
  alone: BenchGateway,
  gateway: BenchGateway,
  { what, reading, least }: { what: string; reading: Reading; least: number },
): Promise<Benchmark> {
  const load = (key: Key): Load => ({
    what: `sends beside ${what}`,
    connections,
    traffic: round => freshSends('text', key, round),
    answers: 'success',
    folder: bench.folder,
  })
  const sends = (each: BenchGateway) => countedSends(each, bench.upstream.url, connections)
  return comparison({
    what: load(gateway.key).what,
    connections,
    baselines: [
      {
        name: 'none',
        side: under(load(alone.key), sends(alone)),
        figures: [{ kind: 'throughput', least }, { kind: 'cpu' }],
      },
    ],
    gateway: under(load(gateway.key), read(bench, sends(gateway), [gateway.url + eventsPath, JSON.stringify(reading)])),
  })
}

/** @returns the target, while all readers have a request open; between two rounds there are none */
const read = ({ fleet }: Bench, sends: Target, reading: readonly string[]): Target => ({
  ...sends,
  async watch() {
    const others = fleet.size
    const { url } = await fleet.service('readers.ts', reading)
    const look = async () => (await (await fetch(url)).json()) as ReadingSoFar
    await until('a request of each reader', async () => (await look()).open === readersMax || null)
    await Bun.sleep(settleMs)
    const before = await look()
    const check = await sends.watch?.()
    return async driven => {
      const { answers, refusals } = await look()
      await fleet.stopDownTo(others)
      console.error(`  the readers had ${grouped(answers - before.answers)} answers`)
      if (refusals > 0) throw new Error(`${grouped(refusals)} requests of readers were refused`)
      await check?.(driven)
    }
  },
})

/** Pages from all over the list, and the looks of a reader that finds nothing of its type. */
async function pages(bench: Bench): Promise<Benchmark[]> {
  const few = await bench.storedMessages(fewMessages)
  const many = await bench.storedMessages(bench.options.sizes.messagesStored)
  const sides = [await bench.serve(few), await bench.serve(many)] as const
  const events = grouped(eventsIn(many))
  const kinds = [
    [`a page of 100 events, ${events} stored`, 'limit=100'],
    [`a page of a type that is not there, ${events} stored`, 'limit=100&type=message.failed'],
  ] as const
  return kinds.map(([what, query]) => {
    const [baseline, gateway] = sides.map(each => {
      const traffic = () => pagesFrom(each, query)
      return under({ what, connections: 1, traffic, answers: 'success', folder: bench.folder }, { url: each.url })
    })
    if (!baseline || !gateway) throw new Error('there are two sides')
    const name = grouped(eventsIn(few))
    const figures = [{ kind: 'medianMs', most: pageMsMax } as const]
    return comparison({ what, connections: 1, baselines: [{ name, side: baseline, figures }], gateway })
  })
}

/** Not more than a page apart from each other, on average. */
const placesMax = 1_000

function pagesFrom(installation: Installation, query: string): Traffic {
  const { workspaceId, key } = installation
  const events = eventsIn(installation)
  const requests = Array.from({ length: placesMax }, (_, at) => {
    const after = numberedId('evt', workspaceId, 1 + Math.floor((events * ((at * 619) % placesMax)) / placesMax))
    return rawRequest({ method: 'GET', path: `${eventsPath}?${query}&after=${after}`, headers: { ...key } })
  })
  return { kind: 'listed', requests }
}

const eventsIn = ({ databasePath, workspaceId }: Installation) =>
  count(databasePath, 'SELECT count(*) AS count FROM events WHERE workspace_id = ?', workspaceId)

async function addWorkspaces({ databasePath }: Installation): Promise<string[]> {
  const ids = Array.from({ length: otherWorkspaces }, () => newId('ws'))
  const workspaces = ids.map(id => ({ id, name: 'reads', monthlyMessageLimit: null, createdAt: Date.now() }))
  await change(
    databasePath,
    workspaces.map(each => call('createWorkspace', each)),
  )
  return ids
}

/** Makes so many keys, spread over workspaces. */
async function keysOf(
  { databasePath }: Installation,
  workspaceIds: readonly string[],
  keyCount: number,
): Promise<Key[]> {
  const keys = Array.from({ length: keyCount }, () => ({ apiKey: newKeyId(), apiSecret: newKeySecret() }))
  const calls = keys.map(({ apiKey, apiSecret }, at) =>
    call('createKey', {
      id: apiKey,
      workspaceId: workspaceIds[at % workspaceIds.length] ?? '',
      label: 'reader',
      createdAt: Date.now(),
      secretHash: sha256(apiSecret),
    }),
  )
  await change(databasePath, calls)
  return keys
}
