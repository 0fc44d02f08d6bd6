import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../eventually.ts'
import { compare, confused, strayFiles, unheard, unsettled } from './check.ts'
import { Clients } from './clients.ts'
import { checkIntegrity, type Ledger, readEvents, readLedger } from './ledger.ts'
import { OrderBook, promised } from './orders.ts'
import { Random } from './random.ts'
import { makeScene, type Scene } from './scene.ts'
import { type Serving, serve } from './serving.ts'

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
  /** Files that were kept for the clients, messages of users, and arrivals that answer one or react to it. */
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
 * Kills the gateway at random moments under load, and compares after each restart what the clients were answered, what
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
  const scene = await makeScene(kills * limitPerKill)
  const clients = new Clients(scene, book, random)
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
    serving = serve({ env: scene.env })
    const url = await serving.ready
    if (url === null) throw new Error(`the gateway did not start: ${serving.stderr()}`)
    scene.standIn.point(() => url)
    if (book.all.length === 0) await scene.subscribe()
    ledger = look(scene, book, serving, violations)
    return url
  }

  async function killAtStart(): Promise<void> {
    killedAtStart += 1
    serving = serve({ env: scene.env })
    await Bun.sleep(random.whole(0, startKillMsMax))
    await serving.end('SIGKILL')
  }

  async function killUnderLoad(): Promise<void> {
    const url = await restart()
    let isCut = false
    const load = clients.run({ address: () => url, mayCut: () => isCut, isOver: () => isCut })
    await Bun.sleep(random.whole(0, servingKillMsMax))
    isCut = true
    scene.standIn.point(null)
    await serving?.end('SIGKILL')
    await load
  }

  try {
    for (; round < kills && violations.length === 0; round += 1) {
      if (round > 0 && random.chance(startKillShare)) await killAtStart()
      else await killUnderLoad()
      if (round % integrityEvery === 0 || round === kills - 1) checkFile(scene, violations)
      violations.push(...book.violations.splice(0))
      if ((round + 1) % 50 === 0) say(`${round + 1} kills, ${book.all.length} orders`)
    }
    if (violations.length === 0) {
      const url = await restart()
      const known = book.all.filter(order => order.key !== null && promised(order) !== null)
      const replayed = Array.from({ length: Math.min(lastReplaysMax, known.length) }, () => random.pick(known))
      const last = { address: () => url, mayCut: () => false, isOver: () => false }
      await clients.repeat(last, replayed)
      await clients.lookAtFiles(last)
      await settled(scene)
      if (serving) ledger = look(scene, book, serving, violations)
      violations.push(...unsettled(book.all, scene.standIn.arrivals(), ledger), ...unheard(book.written, ledger))
      violations.push(...(await confused(book.all, scene.standIn)), ...strayFiles(keptIn(scene), ledger))
      await delivered(scene)
      violations.push(...scene.receiver.violations(readEvents(scene.databasePath)))
      const code = await serving?.end('SIGTERM')
      if (code !== 0) violations.push(`the last gateway ended with ${code}`)
      checkFile(scene, violations)
    }
    violations.push(...book.violations)
  } finally {
    await serving?.end('SIGKILL')
    await scene.close()
  }

  const { taken, repeated, refused } = scene.receiver
  const arrivals = scene.standIn.arrivals()
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

function look(scene: Scene, book: OrderBook, { startedAt }: Serving, violations: string[]): Ledger {
  const arrivals = scene.standIn.arrivals()
  const ledger = readLedger(scene.databasePath)
  const { workspaces } = scene
  violations.push(...compare({ orders: book.all, arrivals, ledger, workspaces, startedAt }))
  for (const messageId of scene.standIn.doubles()) violations.push(`${messageId}: went out twice`)
  return ledger
}

/** The names in the folder of files, which comes with the first. */
function keptIn({ env }: Scene): string[] {
  const folder = join(String(env.DATA_DIR), 'media')
  return existsSync(folder) ? readdirSync(folder) : []
}

function checkFile({ databasePath, folder }: Scene, violations: string[]): void {
  const verdict = checkIntegrity(databasePath, folder)
  if (verdict !== 'ok') violations.push(`the database is damaged: ${verdict}`)
}

/**
 * The recipient that is throttled every other time may leave one of eight messages that is so each time, and waits 1,
 * 4, 16 and then 64 seconds, as the upstream advises.
 */
const settleMsMax = 120_000

/** Resolves once every queued message has left and every callback was taken. */
async function settled({ databasePath, standIn }: Scene): Promise<void> {
  await eventually(() => {
    const queued = [...readLedger(databasePath).messages.values()].filter(({ status }) => status === 'QUEUED').length
    if (queued > 0) throw new Error(`${queued} messages wait to be sent still`)
    if (standIn.pendingCallbacks() > 0) throw new Error(`${standIn.pendingCallbacks()} callbacks were not taken yet`)
  }, settleMsMax)
}

/** Resolves once every event was delivered, or time is up: then the comparison names those that were not. */
async function delivered({ databasePath, receiver }: Scene): Promise<void> {
  const check = () => {
    const missing = receiver.missing(readEvents(databasePath))
    if (missing > 0) throw new Error(`${missing} events are to be delivered still`)
  }
  await eventually(check, settleMsMax).catch(() => {})
}
