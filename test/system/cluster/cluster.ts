import { secondMs } from '../../../src/base/durations.ts'
import { ObjectStore } from '../../backup/objectStore.ts'
import { eventually } from '../../eventually.ts'
import { startPostgres } from '../../postgres.ts'
import { everyCall, throttledRecipient } from '../rig/callers.ts'
import type { Deployment } from '../rig/deployment.ts'
import { Held } from '../rig/held.ts'
import type { Instance } from '../rig/instance.ts'
import { countLeft, type Left } from '../rig/ledger.ts'
import { type Report, Rig } from '../rig/rig.ts'
import { Instances } from './balancer.ts'
import { Faults } from './faults.ts'
import { fullestSeconds, inTime, paceViolations } from './pace.ts'
import { addressLimit, WindowProbes } from './windows.ts'

export interface ClusterReport extends Report {
  readonly kills: number
  readonly sleeps: number
  readonly serverRestarts: number
  readonly fullWindows: number
  /** What gateways sent by themselves while they were killed, and what was left of it then. */
  readonly held: { readonly sent: Left; readonly left: Left }
  readonly paces: ReturnType<typeof fullestSeconds>
  /** Errors that the instances have logged, by their text. */
  readonly logged: Readonly<Record<string, number>>
}

const instanceCount = 3
/** One order in six is of the limited workspace: it reaches its limit well before the end, also on a slow machine. */
const limitPerSecond = 0.5
/**
 * Below what the load asks of these lines, so that messages wait for their turn at every kill. The limited one is
 * slower: it has no more than its workspace's limit, and these wait for most of the run.
 */
const rates = { paced: 4, limited: 1, held: 30 } as const
/**
 * For each second of the run. Together a third of what the line takes: where the instance that leads is killed, another
 * one leads after ten seconds, and beside what callers send a batch rests most of the time.
 */
const heldPerSecond = { items: 10, scheduled: 1 } as const
/** Some come due in each part of the run, and one of two instances may believe to lead when it wakes up. */
const duePart = 0.9
/**
 * Two messages of a line may take this much more or less time on their way: three instances, their threads, the server
 * and the stand-in share two processors here. Each thread that a message passes waits for its turn, the sender, the
 * socket and this process: under load some arrive 330 ms late. On the wire it is far less. Instances that took no
 * notice of each other would let 8 to 12 leave at once where 4 may, and half a second shows that as well. So much more
 * is added as this process, which sees them arrive, was kept from running.
 */
const paceToleranceMs = 500
/** On any machine: they would do so all the time, and no message is that late. */
const longPace = { seconds: 20, toleranceMs: 5_000 } as const
/** Between two looks at what kept this process. */
const stallEveryMs = 20
const lookEveryMs = 500
/** Of a second's messages. What was handed over before a sleep does not count for the pace, and is a few of them. */
const triedShare = 1.2
/** How much has to happen: a run in which little happened proves little. */
const enough = { kills: 6, ordersPerSecond: 5, deliveriesPerSecond: 10 } as const
/** How long a busy machine is given for it after the faults. */
const busyMsMax = 240_000
const bucketAccess = { bucket: 'acme', region: 'eu', accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'never-shown' }
/** Without the one whose messages wait for 1, 4, 16, 64 and then 256 seconds when they are unlucky. */
const faultyRecipients = everyCall.faultyRecipients.filter(recipient => recipient !== throttledRecipient)
/**
 * 503: nothing was accepted. 500: the database went away after the message was stored, or while it was; the client
 * repeats it with its key.
 */
const outages = ['503 SERVICE_UNAVAILABLE', '500 INTERNAL_ERROR']

/**
 * Runs instances on one database under load while they are killed and put to sleep and the server is restarted, and
 * compares the logs afterwards.
 */
export async function cluster(options: {
  seconds: number
  seed: number
  say?: (line: string) => void
}): Promise<ClusterReport> {
  const { seconds, seed, say = () => {} } = options
  await using ended = new AsyncDisposableStack()
  const server = await startPostgres()
  ended.defer(() => server.remove())
  const bucket = new ObjectStore(bucketAccess)
  ended.defer(() => bucket.stop())
  const rig = await Rig.make({
    ...{ seed, outages, rates, calls: { ...everyCall, faultyRecipients } },
    monthlyMessageLimit: Math.ceil(seconds * limitPerSecond),
    databaseUrl: await server.createDatabase(),
    keptFiles: () => [...bucket.objects.keys()],
  })
  const { deployment, random, violations } = rig
  ended.defer(() => deployment.close())
  const instances = new Instances(instanceCount, environmentOf(deployment, bucket), deployment.folder, random)
  ended.defer(async () => {
    await Promise.all(instances.all.map(instance => instance.kill()))
  })

  await Promise.all(instances.all.map(instance => instances.start(instance)))
  deployment.platform.point(() => instances.address())
  await deployment.subscribe()
  const { items, scheduled } = heldPerSecond
  const held = new Held(rig, { items: items * seconds, scheduled: scheduled * seconds })
  await held.ask(instances.endless())
  await held.comeDue(seconds * secondMs * duePart)
  const probes = new WindowProbes(instances, deployment.keys.unlimited)
  const faults = new Faults({ instances, server, random, say, killsMin: enough.kills })
  const stalled = longestStall(instances)
  const load = Promise.all([rig.callers.run(instances), probes.run(), watched(instances, rig, say)])
  await faults.run(seconds)
  await eventually(async () => {
    await Bun.sleep(lookEveryMs)
    const few = [...missing(rig, probes, faults.kills, seconds)]
    if (few.length > 0) throw new Error(`too few: ${few.join(', ')}`)
  }, busyMsMax).catch((error: Error) => say(error.message))
  instances.end()
  await load
  say(`the load has ended: ${rig.book.all.length} orders`)
  const left = await countLeft(deployment.database)
  const sent = { items: items * seconds - left.items, scheduled: scheduled * seconds - left.scheduled }
  const pacedUntil = Date.now()
  // The rest is quick.
  await deployment.setRate(0)

  await rig.settled()
  await rig.conclude(instances.endless())
  const lines = Object.values(deployment.lines)
  const arrivals = inTime(deployment.platform.arrivals(), rig.ledger, faults.sleeps).filter(({ at }) => at < pacedUntil)
  const pace = { seconds: 1, toleranceMs: paceToleranceMs + (await stalled) }
  violations.push(...probes.violations(), ...[pace, longPace].flatMap(by => [...paceViolations(lines, arrivals, by)]))
  for (const [at, instance] of instances.all.entries()) {
    const code = await instance.terminate()
    if (code !== 0) violations.push(`instance ${at + 1} ended with ${code}`)
  }
  return {
    kills: faults.kills,
    sleeps: faults.sleeps.length,
    serverRestarts: faults.serverRestarts,
    fullWindows: probes.full,
    held: { sent, left },
    paces: fullestSeconds(lines, arrivals),
    logged: errorsIn(instances.all),
    ...rig.report(),
  }
}

const environmentOf = ({ env }: Deployment, bucket: ObjectStore) => ({
  ...env,
  MEDIA_BUCKET: bucketAccess.bucket,
  MEDIA_S3_ENDPOINT: bucket.url,
  MEDIA_S3_REGION: bucketAccess.region,
  MEDIA_S3_ACCESS_KEY_ID: bucketAccess.accessKeyId,
  MEDIA_S3_SECRET_ACCESS_KEY: bucketAccess.secretAccessKey,
  TRUST_PROXY: '127.0.0.1/32',
  PUBLIC_IP_RATE_LIMIT: String(addressLimit),
})

/**
 * A busy machine does less in a time, and is given more time for it.
 * @returns what has to happen more often before the run proves something: the pace of a line was not tried before more
 *   has arrived than may leave in a second
 */
function* missing({ deployment, book }: Rig, probes: WindowProbes, kills: number, seconds: number) {
  const { platform, lines, receiver } = deployment
  const arrivals = platform.arrivals()
  const counts = Map.groupBy(arrivals, ({ line }) => line)
  for (const { id, upstreamPhoneId, perSecond } of Object.values(lines))
    if ((counts.get(upstreamPhoneId)?.length ?? 0) <= triedShare * perSecond) yield `arrivals on ${id}`
  const perSecond = enough.ordersPerSecond + heldPerSecond.items + heldPerSecond.scheduled
  if (book.all.length <= perSecond * seconds) yield 'orders'
  if (receiver.taken <= enough.deliveriesPerSecond * seconds) yield 'deliveries'
  if (book.replays <= kills) yield 'replays'
  if (book.files.length === 0) yield 'files'
  if (book.written.length === 0) yield 'messages of users'
  if (!arrivals.some(({ quotes }) => quotes !== null)) yield 'answers to messages'
  if (probes.full === 0) yield 'full windows'
  for (const answer of ['200', '201', '402 PLAN_LIMIT_EXCEEDED']) if (!book.answers.has(answer)) yield answer
}

/** The platform's journal is bounded: it is read as it grows. */
async function watched(instances: Instances, { deployment, book }: Rig, say: (line: string) => void) {
  for (let look = 1; !instances.isOver(); look += 1) {
    await Bun.sleep(lookEveryMs)
    const arrivals = deployment.platform.arrivals().length
    if (look % 20 === 0) say(`${book.all.length} orders, ${arrivals} arrived`)
  }
}

/** @returns for how long this process was kept from running at most, while the load lasts */
async function longestStall(instances: Instances): Promise<number> {
  let longestMs = 0
  while (!instances.isOver()) {
    const askedMs = performance.now()
    await Bun.sleep(stallEveryMs)
    longestMs = Math.max(longestMs, performance.now() - askedMs - stallEveryMs)
  }
  return longestMs
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
