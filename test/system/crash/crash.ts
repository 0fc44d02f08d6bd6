import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../eventually.ts'
import { Callers } from '../rig/callers.ts'
import { type Deployment, makeDeployment } from '../rig/deployment.ts'
import { checkIntegrity, type Ledger, readEvents, readLedger } from '../rig/ledger.ts'
import { OrderBook, promised } from '../rig/orders.ts'
import { Random } from '../rig/random.ts'
import { type Serving, serve } from '../rig/serving.ts'
import { compare, confused, strayFiles, unheard, unsettled } from '../rig/verdict.ts'

export interface CrashReport {
  readonly seed: number
  readonly kills: number
  /** Kills that came before the gateway served, while it migrated or recovered. */
  readonly killedAtStart: number
  readonly orders: number
  readonly messages: number
  /** Requests that had no answer when they were cut. */
  readonly cuts: number
  readonly replays: number
  readonly arrivals: number
  /** Files that were kept for the callers, messages of users, and arrivals that answer one or react to it. */
  readonly files: number
  readonly written: number
  readonly quoting: number
  readonly unknown: number
  /** Of these, messages that never reached the stand-in: handed over on disk, and killed before a byte left. */
  readonly unknownUnsent: number
  readonly answers: Readonly<Record<string, number>>
  /** Events that the endpoints took, that came again afterwards, and that they refused once. */
  readonly delivered: { readonly taken: number; readonly repeated: number; readonly refused: number }
  readonly seconds: number
  /** Promises that were broken; the run stops at the first round with one. */
  readonly violations: readonly string[]
}

/** A start takes about 300 ms: this finds it at every step. */
const startKillMsMax = 350
const servingKillMsMax = 700
/** Of a gateway that was not even ready when it was killed. */
const startKillShare = 0.2
const integrityEvery = 5
/** One order in six is of the limited workspace: it reaches its limit well before the end, also on a slow machine. */
const limitPerKill = 1
const lastReplaysMax = 1_000
/** One defect often breaks a thousand promises; these are enough to find it. */
const violationsMax = 20

/**
 * Kills the gateway at random moments under load, and compares after each restart what the callers were answered, what
 * reached the stand-in, and what is on disk.
 */
export async function crash(options: {
  kills: number
  seed: number
  say?: (line: string) => void
}): Promise<CrashReport> {
  const { kills, seed, say = () => {} } = options
  const begin = performance.now()
  const random = new Random(seed)
  const book = new OrderBook()
  const deployment = await makeDeployment(kills * limitPerKill)
  const callers = new Callers(deployment, book, random)
  const violations: string[] = []
  let killedAtStart = 0
  let round = 0
  let serving: Serving | undefined
  let ledger: Ledger = {
    messages: new Map(),
    miscounts: [],
    overdrafts: [],
    mistold: [],
    inbound: new Map(),
    files: new Map(),
    invented: 0,
  }

  /** Starts the next gateway and compares the logs as soon as it serves. @returns its address */
  async function restart(): Promise<string> {
    serving = serve({ env: deployment.env })
    const url = await serving.ready
    if (url === null) throw new Error(`the gateway did not start: ${serving.stderr()}`)
    deployment.platform.point(() => url)
    if (book.all.length === 0) await deployment.subscribe()
    ledger = look(deployment, book, serving, violations)
    return url
  }

  async function killAtStart(): Promise<void> {
    killedAtStart += 1
    serving = serve({ env: deployment.env })
    await Bun.sleep(random.whole(0, startKillMsMax))
    await serving.end('SIGKILL')
  }

  async function killUnderLoad(): Promise<void> {
    const url = await restart()
    let isCut = false
    const load = callers.run({ address: () => url, mayCut: () => isCut, isOver: () => isCut })
    await Bun.sleep(random.whole(0, servingKillMsMax))
    isCut = true
    deployment.platform.point(null)
    await serving?.end('SIGKILL')
    await load
  }

  try {
    for (; round < kills && violations.length === 0; round += 1) {
      if (round > 0 && random.chance(startKillShare)) await killAtStart()
      else await killUnderLoad()
      if (round % integrityEvery === 0 || round === kills - 1) checkFile(deployment, violations)
      violations.push(...book.violations.splice(0))
      if ((round + 1) % 50 === 0) say(`${round + 1} kills, ${book.all.length} orders`)
    }
    if (violations.length === 0) {
      const url = await restart()
      const known = book.all.filter(order => order.key !== null && promised(order) !== null)
      const replayed = Array.from({ length: Math.min(lastReplaysMax, known.length) }, () => random.pick(known))
      const last = { address: () => url, mayCut: () => false, isOver: () => false }
      await callers.repeat(last, replayed)
      await callers.lookAtFiles(last)
      await settled(deployment)
      if (serving) ledger = look(deployment, book, serving, violations)
      violations.push(...unsettled(book.all, deployment.platform.arrivals(), ledger), ...unheard(book.written, ledger))
      violations.push(...(await confused(book.all, deployment.platform)), ...strayFiles(keptIn(deployment), ledger))
      await delivered(deployment)
      violations.push(...deployment.receiver.violations(readEvents(deployment.databasePath)))
      const code = await serving?.end('SIGTERM')
      if (code !== 0) violations.push(`the last gateway ended with ${code}`)
      checkFile(deployment, violations)
    }
    violations.push(...book.violations)
  } finally {
    await serving?.end('SIGKILL')
    await deployment.close()
  }

  const { taken, repeated, refused } = deployment.receiver
  const arrivals = deployment.platform.arrivals()
  const arrived = new Set(arrivals.map(({ messageId }) => messageId))
  const unknown = [...ledger.messages.values()].filter(({ status }) => status === 'UNKNOWN')
  return {
    seed,
    kills: round,
    killedAtStart,
    orders: book.all.length,
    messages: ledger.messages.size,
    cuts: book.cuts,
    replays: book.replays,
    arrivals: arrivals.length,
    files: book.files.length,
    written: book.written.length,
    quoting: arrivals.filter(({ quotes }) => quotes !== null).length,
    unknown: unknown.length,
    unknownUnsent: unknown.filter(({ id }) => !arrived.has(id)).length,
    answers: Object.fromEntries([...book.answers].sort()),
    delivered: { taken, repeated, refused },
    seconds: Math.round((performance.now() - begin) / 100) / 10,
    violations: violations.slice(0, violationsMax),
  }
}

function look(deployment: Deployment, book: OrderBook, { startedAt }: Serving, violations: string[]): Ledger {
  const arrivals = deployment.platform.arrivals()
  const ledger = readLedger(deployment.databasePath)
  const { workspaces } = deployment
  violations.push(...compare({ orders: book.all, arrivals, ledger, workspaces, startedAt }))
  for (const messageId of deployment.platform.doubles()) violations.push(`${messageId}: went out twice`)
  return ledger
}

/** The names in the folder of files, which comes with the first. */
function keptIn({ env }: Deployment): string[] {
  const folder = join(String(env.DATA_DIR), 'media')
  return existsSync(folder) ? readdirSync(folder) : []
}

function checkFile({ databasePath, folder }: Deployment, violations: string[]): void {
  const verdict = checkIntegrity(databasePath, folder)
  if (verdict !== 'ok') violations.push(`the database is damaged: ${verdict}`)
}

/**
 * The recipient that is throttled every other time may leave one of eight messages that is so each time, and waits 1,
 * 4, 16 and then 64 seconds, as the upstream advises.
 */
const settleMsMax = 120_000

/** Resolves once every queued message has left and every callback was taken. */
async function settled({ databasePath, platform }: Deployment): Promise<void> {
  await eventually(() => {
    const queued = [...readLedger(databasePath).messages.values()].filter(({ status }) => status === 'QUEUED').length
    if (queued > 0) throw new Error(`${queued} messages wait to be sent still`)
    if (platform.pendingCallbacks() > 0) throw new Error(`${platform.pendingCallbacks()} callbacks were not taken yet`)
  }, settleMsMax)
}

/** Resolves once every event was delivered, or time is up: then the comparison names those that were not. */
async function delivered({ databasePath, receiver }: Deployment): Promise<void> {
  const check = () => {
    const missing = receiver.missing(readEvents(databasePath))
    if (missing > 0) throw new Error(`${missing} events are to be delivered still`)
  }
  await eventually(check, settleMsMax).catch(() => {})
}
