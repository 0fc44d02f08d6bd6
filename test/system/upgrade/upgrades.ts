import { join } from 'node:path'
import { eventually } from '../../eventually.ts'
import { freePort } from '../../freePort.ts'
import { everyCall, type Failure, type Gateways, lasting } from '../rig/callers.ts'
import { Held } from '../rig/held.ts'
import { countLeft } from '../rig/ledger.ts'
import { promised } from '../rig/orders.ts'
import { type Report, Rig } from '../rig/rig.ts'
import { Supervisor, type Swap } from './supervisor.ts'

export interface UpgradeReport extends Report {
  readonly upgrades: number
  /** Attempts that brought no answer: the port was closed, the connection was cut, or the answer was 503. */
  readonly refused: number
  readonly cut: number
  readonly unavailable: number
  /** Of each upgrade, in milliseconds: from the first attempt that failed to the next answer of any order. */
  readonly gapMs: Spread
  /** From the signal to the end of the former process, and from there until the next one serves. */
  readonly stopMs: Spread
  readonly startMs: Spread
  /** The longest time that one order took with all its attempts. */
  readonly slowestOrderMs: number
  /** Upgrades that found a batch with items, and scheduled messages, that had still to leave. */
  readonly amongItems: number
  readonly amongScheduled: number
}

interface Spread {
  readonly median: number
  readonly max: number
}

/** Callers that always send with a key, to recipients that take every message. */
const calls = {
  ...everyCall,
  ...{ callers: 12, restMs: 4, keyed: 1 },
  lines: [
    ['open', 75],
    ['paced', 25],
  ],
} as const
/** A client that is refused tries the same order again after this, as our own clients do at first. */
const retryMs = 20
/** Load before, between and after the upgrades: counted, because a busy machine answers fewer in a time. */
const answersBetween = 40
const loadMsMax = 60_000
/** For each upgrade: its line sends as much in three seconds, and an upgrade takes one, on a busy machine several. */
const heldOfUpgrade = { items: 50, scheduled: 10 } as const
/** About so long after the one before. */
const upgradeMs = 1_000

/** The one address of all gateways, and when nobody was answered there. */
class Watched implements Gateways {
  readonly failures: { readonly atMs: number; readonly why: Failure }[] = []
  /** How long each order took from its first attempt to its answer, and when it was answered. */
  readonly answers: { readonly atMs: number; readonly tookMs: number }[] = []
  readonly #url: string
  isEnding = false

  constructor(url: string) {
    this.#url = url
  }

  address = () => this.#url
  mayCut = () => true
  isOver = () => this.isEnding

  async failed(_: string, why: Failure): Promise<void> {
    this.failures.push({ atMs: performance.now(), why })
    await Bun.sleep(retryMs)
  }

  answered(tookMs: number): void {
    this.answers.push({ atMs: performance.now(), tookMs })
  }
}

/**
 * Upgrades a gateway again and again under load: the executable is swapped, the supervisor restarts it, callers repeat
 * what was refused. Afterwards the logs are compared.
 */
export async function upgradeUnderLoad(options: {
  upgrades: number
  seed: number
  say?: (line: string) => void
}): Promise<UpgradeReport> {
  const { upgrades, seed, say = () => {} } = options
  await using ended = new AsyncDisposableStack()
  const rig = await Rig.make({ seed, calls, outages: ['503 SERVICE_UNAVAILABLE'], monthlyMessageLimit: 1 })
  const { deployment, callers, book, violations } = rig
  ended.defer(() => deployment.close())
  const port = freePort()
  const url = `http://127.0.0.1:${port}`
  const supervisor = await Supervisor.start(join(deployment.folder, 'bin'), { ...deployment.env, PORT: String(port) })
  ended.defer(() => supervisor.kill())
  deployment.platform.point(() => url)
  await deployment.subscribe()
  const watched = new Watched(url)
  const { items, scheduled } = heldOfUpgrade
  const held = new Held(rig, { items: items * upgrades, scheduled: scheduled * upgrades })
  await held.ask(lasting(url))
  await held.comeDue(upgrades * upgradeMs)
  let [amongItems, amongScheduled] = [0, 0]
  const swaps: Swap[] = []
  const running = callers.run(watched)
  ended.defer(async () => {
    watched.isEnding = true
    await running
  })
  await load(watched)
  for (let at = 1; at <= upgrades; at += 1) {
    const left = await countLeft(deployment.database)
    if (left.items > 0) amongItems += 1
    if (left.scheduled > 0) amongScheduled += 1
    const swap = await supervisor.upgrade()
    swaps.push(swap)
    const { askedMs, endedMs, readyMs, code } = swap
    if (code !== 0) violations.push(`the former gateway ended with ${code}`)
    say(`${at}. stopped in ${Math.round(endedMs - askedMs)} ms, started in ${Math.round(readyMs - endedMs)} ms`)
    await load(watched)
  }
  watched.isEnding = true
  await running
  // What failed just now.
  await callers.repeat(
    lasting(url),
    book.all.filter(order => order.key !== null && promised(order) === null),
  )
  await deployment.setRate(0)
  await rig.conclude(lasting(url))
  violations.push(...broken(rig))
  if ((await supervisor.gateway.terminate()) !== 0) violations.push('the last gateway did not end with 0')
  rig.checkFile()

  const count = (why: Failure) => watched.failures.filter(failure => failure.why === why).length
  return {
    upgrades,
    refused: count('refused'),
    cut: count('cut'),
    unavailable: count('unavailable'),
    gapMs: spread(swaps.map((swap, at) => gapOf(watched, swap, swaps[at + 1]))),
    stopMs: spread(swaps.map(({ askedMs, endedMs }) => endedMs - askedMs)),
    startMs: spread(swaps.map(({ endedMs, readyMs }) => readyMs - endedMs)),
    slowestOrderMs: Math.round(Math.max(0, ...watched.answers.map(({ tookMs }) => tookMs))),
    ...{ amongItems, amongScheduled },
    ...rig.report(),
  }
}

async function load({ answers }: Watched): Promise<void> {
  const enough = answers.length + answersBetween
  await eventually(() => {
    if (answers.length < enough) throw new Error(`${enough - answers.length} more requests are to be answered`)
  }, loadMsMax)
}

/** Every order reached the upstream once, was answered, and is on disk; nothing else is. */
function* broken({ book, deployment, ledger }: Rig) {
  const sent = Map.groupBy(deployment.platform.arrivals(), ({ tag }) => tag)
  for (const order of book.all) {
    const times = sent.get(order.tag)?.length ?? 0
    if (times !== 1) yield `${order.tag}: reached the upstream ${times} times`
    // No answer names the message of an item.
    if (order.key !== null && promised(order) === null) yield `${order.tag}: was never answered`
  }
  if (ledger.messages.size !== book.all.length) {
    yield `${book.all.length} orders, and ${ledger.messages.size} messages are on disk`
  }
  for (const { id, status } of ledger.messages.values()) if (status === 'UNKNOWN') yield `${id}: its outcome is unknown`
}

/** @returns how long nobody was answered, as the callers have seen it; 0 when no attempt failed */
function gapOf({ failures, answers }: Watched, swap: Swap, next: Swap | undefined): number {
  const isOfSwap = (atMs: number) => atMs >= swap.askedMs && atMs < (next?.askedMs ?? Number.POSITIVE_INFINITY)
  const failed = failures.filter(({ atMs }) => isOfSwap(atMs)).map(({ atMs }) => atMs)
  const [first, last] = [Math.min(...failed), Math.max(...failed)]
  const resumed = Math.min(...answers.map(({ atMs }) => atMs).filter(atMs => atMs > last))
  return failed.length === 0 ? 0 : resumed - first
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other)
  return { median: Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0), max: Math.round(sorted.at(-1) ?? 0) }
}
