import type { Store } from '../../../db/contract/store.ts'
import { openPostgresStore } from '../../../db/postgres/store.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { silentLogger } from '../../../src/telemetry/log.ts'
import { ObjectStore } from '../../backup/objectStore.ts'
import { eventually } from '../../eventually.ts'
import { startPostgres } from '../../postgres.ts'
import { Callers, faultyRecipients, throttledRecipient } from '../rig/callers.ts'
import { type Deployment, makeDeployment } from '../rig/deployment.ts'
import type { Ledger } from '../rig/ledger.ts'
import { OrderBook, promised } from '../rig/orders.ts'
import { Random } from '../rig/random.ts'
import { confused, strayFiles } from '../rig/verdict.ts'
import { compareEnd } from './check.ts'
import { Faults } from './faults.ts'
import { type Instance, Instances } from './instances.ts'
import { countQueued, readServerEvents, readServerLedger } from './ledger.ts'
import { fullestSeconds, inTime, paceViolations } from './pace.ts'
import { addressLimit, WindowProbes } from './windows.ts'

export interface ClusterReport {
  readonly seed: number
  readonly orders: number
  readonly messages: number
  readonly kills: number
  readonly sleeps: number
  readonly serverRestarts: number
  /** Requests that had no answer when they were cut, or were given up. */
  readonly cuts: number
  readonly replays: number
  readonly arrivals: number
  /** Files that were kept for the callers, messages of users, and arrivals that answer one or react to it. */
  readonly files: number
  readonly written: number
  readonly quoting: number
  readonly unknown: number
  /** Of these, messages that never reached the stand-in: handed over, and killed before a byte left. */
  readonly unknownUnsent: number
  readonly fullWindows: number
  readonly paces: ReturnType<typeof fullestSeconds>
  readonly answers: Readonly<Record<string, number>>
  /** Events that the endpoints took, that came again afterwards, and that they refused once. */
  readonly delivered: { readonly taken: number; readonly repeated: number; readonly refused: number }
  /** Errors that the instances have logged, by their text. */
  readonly logged: Readonly<Record<string, number>>
  readonly seconds: number
  readonly violations: readonly string[]
}

const instanceCount = 3
/** One order in six is of the limited workspace: it reaches its limit well before the end, also on a slow machine. */
const limitPerSecond = 0.5
/**
 * Below what the load asks of these lines, so that messages wait for their turn at every kill. The limited one is
 * slower: it has no more than its workspace's limit, and these wait for most of the run.
 */
const rates = { paced: 4, limited: 1 } as const
/**
 * Two messages of a line may take this much more or less time on their way: three instances, their threads, the server
 * and the stand-in share two processors here. Each thread that a message passes waits for its turn, the sender, the
 * socket and this process: under load some arrive 330 ms late. On the wire it is far less. Instances that took no
 * notice of each other would let 8 to 12 leave at once where 4 may, and half a second shows that as well.
 */
const paceToleranceMs = 500
const lookEveryMs = 500
const bucketAccess = { bucket: 'acme', region: 'eu', accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'never-shown' }
const lastReplaysMax = 1_000
/** Without the one whose messages wait for 1, 4, 16, 64 and then 256 seconds when they are unlucky. */
const recipients = faultyRecipients.filter(recipient => recipient !== throttledRecipient)
/** What is put off or waits is sent within seconds; a busy machine takes longer. */
const settleMsMax = 240_000
/** One defect often breaks a thousand promises; these are enough to find it. */
const violationsMax = 20

/**
 * Runs instances on one database under load while they are killed and put to sleep and the server is restarted, and
 * compares afterwards what the callers were answered, what reached the stand-in, and what is stored.
 */
export async function cluster(options: {
  seconds: number
  seed: number
  say?: (line: string) => void
}): Promise<ClusterReport> {
  const { seconds, seed, say = () => {} } = options
  const begin = performance.now()
  const random = new Random(seed)
  const book = new OrderBook(true)
  await using ended = new AsyncDisposableStack()
  const server = await startPostgres()
  ended.defer(() => server.remove())
  const url = await server.createDatabase()
  const open = () => openPostgresStore({ url, clock: systemClock, log: silentLogger, isInstance: false })
  const deployment = await makeDeployment(Math.ceil(seconds * limitPerSecond), { open, rates })
  ended.defer(() => deployment.close())
  const bucket = new ObjectStore(bucketAccess)
  ended.defer(() => bucket.stop())
  const instances = new Instances(instanceCount, environmentOf(deployment, url, bucket), deployment.folder, random)
  ended.defer(async () => {
    await Promise.all(instances.all.map(instance => instance.kill()))
  })

  await Promise.all(instances.all.map(instance => instances.start(instance)))
  deployment.platform.point(() => instances.address())
  await deployment.subscribe()
  const callers = new Callers(deployment, book, random, recipients)
  const probes = new WindowProbes(instances, deployment.keys.unlimited)
  const faults = new Faults({ instances, server, random, say })
  const load = Promise.all([callers.run(instances), probes.run(), watched(instances, deployment, book, say)])
  await faults.run(seconds)
  instances.end()
  await load
  say(`the load has ended: ${book.all.length} orders`)
  const pacedUntil = Date.now()
  await unpace(await open(), deployment)

  await settled(deployment, url)
  const known = book.all.filter(order => order.key !== null && promised(order) !== null)
  const replayed = Array.from({ length: Math.min(lastReplaysMax, known.length) }, () => random.pick(known))
  await callers.repeat(instances.endless(), replayed)
  await callers.lookAtFiles(instances.endless())
  await settled(deployment, url)
  await delivered(deployment, url)
  const ledger = await readServerLedger(url)
  const { taken, repeated, refused } = deployment.receiver
  const arrivals = deployment.platform.arrivals()
  const paced = inTime(arrivals, ledger, faults.sleeps).filter(({ at }) => at < pacedUntil)
  const lines = Object.values(deployment.lines)
  const violations = [
    ...book.violations,
    ...compareEnd(deployment, book, ledger),
    ...(await confused(book.all, deployment.platform)),
    ...strayFiles([...bucket.objects.keys()], ledger),
    ...deployment.receiver.violations(await readServerEvents(url)),
    ...probes.violations(),
    ...paceViolations(lines, paced, paceToleranceMs),
  ]
  for (const [at, instance] of instances.all.entries()) {
    const code = await instance.terminate()
    if (code !== 0) violations.push(`instance ${at + 1} ended with ${code}`)
  }
  return {
    seed,
    orders: book.all.length,
    messages: ledger.messages.size,
    kills: faults.kills,
    sleeps: faults.sleeps.length,
    serverRestarts: faults.serverRestarts,
    cuts: book.cuts,
    replays: book.replays,
    arrivals: arrivals.length,
    files: book.files.length,
    written: book.written.length,
    quoting: arrivals.filter(({ quotes }) => quotes !== null).length,
    ...unknowns(ledger, new Set(arrivals.map(({ messageId }) => messageId))),
    fullWindows: probes.full,
    paces: fullestSeconds(lines, paced),
    answers: Object.fromEntries([...book.answers].sort()),
    delivered: { taken, repeated, refused },
    logged: errorsIn(instances.all),
    seconds: Math.round((performance.now() - begin) / 100) / 10,
    violations: violations.slice(0, violationsMax),
  }
}

const environmentOf = ({ env }: Deployment, url: string, bucket: ObjectStore) => ({
  ...env,
  MEDIA_BUCKET: bucketAccess.bucket,
  MEDIA_S3_ENDPOINT: bucket.url,
  MEDIA_S3_REGION: bucketAccess.region,
  MEDIA_S3_ACCESS_KEY_ID: bucketAccess.accessKeyId,
  MEDIA_S3_SECRET_ACCESS_KEY: bucketAccess.secretAccessKey,
  DATABASE_URL: url,
  TRUST_PROXY: '127.0.0.1/32',
  PUBLIC_IP_RATE_LIMIT: String(addressLimit),
})

/** As `line set-rate` does, so that the rest of the run is quick. */
async function unpace(store: Store, { lines }: Deployment): Promise<void> {
  for (const { id } of Object.values(lines)) await store.write.changeLine({ lineId: id, perSecond: 0 })
  await store.close()
}

/** The stand-in's journal is bounded: it is read as it grows. */
async function watched(instances: Instances, { platform }: Deployment, book: OrderBook, say: (line: string) => void) {
  for (let look = 1; !instances.isOver(); look += 1) {
    await Bun.sleep(lookEveryMs)
    const arrivals = platform.arrivals().length
    if (look % 20 === 0) say(`${book.all.length} orders, ${arrivals} arrived`)
  }
}

/** Resolves once every queued message has left and every callback was taken. */
async function settled({ platform }: Deployment, url: string): Promise<void> {
  await eventually(async () => {
    const queued = await countQueued(url)
    const callbacks = platform.pendingCallbacks()
    if (queued === 0 && callbacks === 0) return
    await Bun.sleep(lookEveryMs)
    throw new Error(`${queued} messages wait to be sent still, and ${callbacks} callbacks were not taken yet`)
  }, settleMsMax)
}

/** Resolves once every event was delivered, or time is up: then the comparison names those that were not. */
async function delivered({ receiver }: Deployment, url: string): Promise<void> {
  const check = async () => {
    const missing = receiver.missing(await readServerEvents(url))
    if (missing === 0) return
    await Bun.sleep(lookEveryMs)
    throw new Error(`${missing} events are to be delivered still`)
  }
  await eventually(check, settleMsMax).catch(() => {})
}

function unknowns(ledger: Ledger, arrived: ReadonlySet<string>) {
  const unknown = [...ledger.messages.values()].filter(({ status }) => status === 'UNKNOWN')
  return { unknown: unknown.length, unknownUnsent: unknown.filter(({ id }) => !arrived.has(id)).length }
}

function errorsIn(instances: readonly Instance[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const line of instances.flatMap(instance => instance.logs().split('\n'))) {
    if (!line.startsWith('{') || !line.endsWith('}')) continue
    const { level, msg, err } = JSON.parse(line) as { level: string; msg: string; err?: { message?: string } }
    if (level !== 'error' && level !== 'fatal') continue
    const text = err?.message === undefined ? msg : `${msg}: ${err.message}`
    const kind = text.replaceAll(/msg_\w+/g, 'msg_…')
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  return counts
}
