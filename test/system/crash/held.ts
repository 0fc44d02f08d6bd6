import { hourMs, secondMs } from '../../../src/base/durations.ts'
import { newId } from '../../../src/base/ids.ts'
import { itemsAtOnceMax } from '../../../src/message/batches.ts'
import { eventually } from '../../eventually.ts'
import { binary } from '../../executable.ts'
import { openFile } from '../../openFile.ts'
import { hungAfterMs } from '../../timeLimit.ts'
import { accept } from '../../upstream.ts'
import { Installation } from '../disk/installation.ts'
import { Random } from '../rig/random.ts'
import { repeated } from '../threads/heldUpstream.ts'

export interface HeldReport {
  readonly violations: readonly string[]
  readonly kills: number
  readonly seed: number
  /** Kills while the batch ran, and while scheduled messages were due. */
  readonly killedAmongItems: number
  readonly killedAmongDue: number
  /** What the batch says of its items at the end. */
  readonly counts: Readonly<Record<string, number>>
  readonly scheduled: Readonly<Record<string, number>>
}

/** From a message that has arrived to the kill; or from the start of the process, which takes about 300 ms. */
const killMsMax = 700
const startKillShare = 0.2
/** A gateway that was killed again and again has to recover first. */
const moreMsMax = 10_000
/** So that a kill finds messages whose answers are still to come. */
const answerMs = 60
/** Of a line that is to last for long. */
const perSecondMin = 20
const phonesFrom = { batch: 15_550_200_000, scheduled: 15_550_300_000 } as const

/**
 * Kills a gateway at random moments while a batch runs and scheduled messages come due, and compares what the batch, the
 * database and the upstream say at the end: none lost, none twice, counts equal to items.
 */
export async function held(options: {
  kills: number
  items: number
  scheduled: number
  seed: number
}): Promise<HeldReport> {
  const { kills, seed } = options
  const random = new Random(seed)
  // The batch is to last as long as the kills do.
  const perSecond = Math.max(perSecondMin, Math.ceil((options.items * secondMs) / (kills * killMsMax)))
  const installation = await Installation.make(undefined, { perSecond, pairSeconds: 0 })
  try {
    return await run(installation, random, options)
  } finally {
    await installation.remove()
  }
}

async function run(
  installation: Installation,
  random: Random,
  { kills, items, scheduled, seed }: Parameters<typeof held>[0],
): Promise<HeldReport> {
  installation.upstream.answer = async request => {
    await Bun.sleep(answerMs)
    return accept(request)
  }
  const start = () => installation.start({ program: [binary, 'serve'], env: { SEND_WAIT_MS: '200' } })
  let serving = start()
  const url = await serving.ready
  if (url === null) throw new Error(`the gateway did not start: ${serving.stderr()}`)
  const scheduledIds = await scheduleMany(installation, url, scheduled)
  const batchId = await startBatch(installation, url, items)
  await comeDue(installation, scheduledIds, kills)

  let [killedAmongItems, killedAmongDue] = [0, 0]
  for (let kill = 0; kill < kills; kill += 1) {
    if (!random.chance(startKillShare)) await more(installation)
    await Bun.sleep(random.whole(0, killMsMax))
    await serving.end('SIGKILL')
    const { state, waiting } = await look(installation, batchId, scheduledIds)
    if (state === 'running') killedAmongItems += 1
    if (waiting > 0) killedAmongDue += 1
    serving = start()
  }
  if ((await serving.ready) === null) throw new Error(`the last gateway did not start: ${serving.stderr()}`)
  const end = await eventually(async () => {
    const found = await look(installation, batchId, scheduledIds)
    if (found.state !== 'done' || found.waiting > 0 || found.open > 0)
      throw new Error(`still to be sent: ${JSON.stringify(found)}`)
    return found
  }, 10 * hungAfterMs)
  await serving.end('SIGTERM')

  const { received } = installation.upstream
  const arrived = received.map(({ json }) => String(json.to))
  const expected = [...numbers('batch', items), ...numbers('scheduled', scheduled)]
  const sent = new Set(arrived)
  const violations = [
    ...repeated(arrived).map(phone => `${phone} got two messages`),
    // An answer that was lost is never followed by a second attempt, so such a message may not have arrived.
    ...expected.filter(phone => !sent.has(phone) && !end.unknown.has(phone)).map(phone => `${phone} got nothing`),
  ]
  const counted = Object.values(end.counts).reduce((sum, count) => sum + count, 0)
  if (counted !== items) violations.push(`of ${items} items ${counted} are counted`)
  const others = Object.keys({ ...end.counts, ...end.scheduled }).filter(
    status => !['SENT', 'UNKNOWN'].includes(status),
  )
  if (others.length > 0) violations.push(`some are ${others.join(', ')}`)
  return {
    ...{ violations, kills, seed, killedAmongItems, killedAmongDue },
    ...{ counts: end.counts, scheduled: end.scheduled },
  }
}

const numbers = (of: keyof typeof phonesFrom, count: number) =>
  Array.from({ length: count }, (_, at) => `+${phonesFrom[of] + at}`)

async function scheduleMany(installation: Installation, url: string, count: number): Promise<string[]> {
  const sendAt = new Date(Date.now() + hourMs).toISOString()
  const ids: string[] = []
  for (const phone of numbers('scheduled', count)) {
    const { status, id = '', details } = await installation.post(url, { type: 'text', phone, content: 'Hello', sendAt })
    if (status !== 201) throw new Error(`a message was not scheduled: ${status} ${details}`)
    ids.push(id)
  }
  return ids
}

/** Nobody waits an hour: their times are moved into those of the kills, as a client could from a minute ahead on. */
async function comeDue(installation: Installation, ids: readonly string[], kills: number): Promise<void> {
  const store = await openFile(installation.path('waypost.db'))
  const at = Date.now()
  for (const [place, messageId] of ids.entries()) {
    const dueAt = at + secondMs + Math.floor((place * kills * killMsMax) / (2 * ids.length))
    await store.write.rescheduleMessage({ messageId, dueAt, keyExpiresAt: dueAt + hourMs, at })
  }
  await store.close()
}

async function startBatch(installation: Installation, url: string, count: number): Promise<string> {
  const post = async (path: string, body: object) => {
    const init = { method: 'POST', body: JSON.stringify(body) }
    const { status, id = '', details } = await installation.request(`${url}/api/v1/public/batches${path}`, init)
    if (status >= 300) throw new Error(`${path} was answered ${status}: ${details}`)
    return id
  }
  const items = numbers('batch', count).map(phone => ({ phone }))
  const head = { idempotencyKey: newId('batch'), state: 'draft', defaults: { type: 'text', content: 'Hello' } }
  const id = await post('', { ...head, items: items.slice(0, itemsAtOnceMax) })
  for (let offset = itemsAtOnceMax; offset < count; offset += itemsAtOnceMax)
    await post(`/${id}/items`, { offset, items: items.slice(offset, offset + itemsAtOnceMax) })
  return post(`/${id}/start`, {})
}

/** Waits until the upstream has got something from this process, while there is something to get. */
async function more({ upstream }: Installation): Promise<void> {
  const before = upstream.received.length
  await eventually(() => {
    if (upstream.received.length === before) throw new Error('nothing has arrived yet')
  }, moreMsMax).catch(() => {})
}

/** What the database says, beside the gateway or without it. */
async function look(installation: Installation, batchId: string, scheduledIds: readonly string[]) {
  const store = await openFile(installation.path('waypost.db'))
  try {
    const counts: Record<string, number> = {}
    const unknown = new Set<string>()
    for (let after: number | null = -1; after !== null; ) {
      const step: Awaited<ReturnType<typeof store.read.batchItems>> = await store.read.batchItems({
        ...{ batchId, after, limit: itemsAtOnceMax, statuses: null },
      })
      for (const { status, recipient } of step.items) {
        counts[status] = (counts[status] ?? 0) + 1
        if (status === 'UNKNOWN') unknown.add(recipient)
      }
      after = step.next
    }
    const scheduled: Record<string, number> = {}
    for (const id of scheduledIds) {
      const message = await store.read.message(id)
      if (!message) throw new Error(`the scheduled message ${id} is lost`)
      scheduled[message.status] = (scheduled[message.status] ?? 0) + 1
      if (message.status === 'UNKNOWN') unknown.add(message.recipient)
    }
    const openOf = (known: Record<string, number>) => (known.QUEUED ?? 0) + (known.WAITING ?? 0)
    const state = (await store.read.batch(batchId))?.state
    const open = openOf(counts) + openOf(scheduled)
    return { state, waiting: scheduled.SCHEDULED ?? 0, open, counts, scheduled, unknown }
  } finally {
    await store.close()
  }
}
