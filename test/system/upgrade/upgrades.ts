import { join } from 'node:path'
import { eventually } from '../../eventually.ts'
import { freePort } from '../../freePort.ts'
import { type Deployment, makeDeployment } from '../rig/deployment.ts'
import { checkIntegrity, readLedger } from '../rig/ledger.ts'
import { compare } from '../rig/verdict.ts'
import { RetryingClients } from './callers.ts'
import { Supervisor, type Swap } from './supervisor.ts'

export interface UpgradeReport {
  readonly upgrades: number
  readonly orders: number
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
  /** Promises that were broken. */
  readonly violations: readonly string[]
}

interface Spread {
  readonly median: number
  readonly max: number
}

/** Load before, between and after the upgrades: counted, because a busy machine answers fewer in a time. */
const ordersBetween = 25
/** A paced line has to send all that waits. */
const settleMsMax = 60_000
const violationsMax = 20

/**
 * Upgrades a gateway again and again under load: the executable is swapped, the supervisor restarts it, callers repeat
 * what was refused. Afterwards what they were answered, what reached the stand-in and what is on disk are compared.
 */
export async function upgradeUnderLoad(options: {
  upgrades: number
  say?: (line: string) => void
}): Promise<UpgradeReport> {
  const { upgrades, say = () => {} } = options
  const deployment = await makeDeployment(1)
  const port = freePort()
  const url = `http://127.0.0.1:${port}`
  const swaps: Swap[] = []
  const callers = new RetryingClients(deployment, url)
  const violations: string[] = []
  let supervisor: Supervisor | undefined
  try {
    supervisor = await Supervisor.start(join(deployment.folder, 'bin'), { ...deployment.env, PORT: String(port) })
    deployment.platform.point(() => url)
    await deployment.subscribe()
    callers.start()
    await load(callers)
    for (let at = 1; at <= upgrades; at += 1) {
      const swap = await supervisor.upgrade()
      swaps.push(swap)
      if (swap.code !== 0) violations.push(`the former gateway ended with ${swap.code}`)
      say(
        `${at}. stopped in ${Math.round(swap.endedMs - swap.askedMs)} ms, started in ${Math.round(swap.readyMs - swap.endedMs)} ms`,
      )
      await load(callers)
    }
    await callers.end()
    await eventually(() => {
      const queued = [...readLedger(deployment.databasePath).messages.values()].filter(
        ({ status }) => status === 'QUEUED',
      )
      if (queued.length > 0) throw new Error(`${queued.length} messages wait to be sent still`)
    }, settleMsMax)
    violations.push(...broken(deployment, callers, supervisor))
    if ((await supervisor.stop()) !== 0) violations.push('the last gateway did not end with 0')
    const verdict = checkIntegrity(deployment.databasePath, deployment.folder)
    if (verdict !== 'ok') violations.push(`the database is damaged: ${verdict}`)
  } finally {
    await callers.end()
    await supervisor?.kill()
    await deployment.close()
  }
  const count = (why: string) => callers.failures.filter(failure => failure.why === why).length
  return {
    upgrades,
    orders: callers.book.all.length,
    refused: count('refused'),
    cut: count('cut'),
    unavailable: count('503'),
    gapMs: spread(swaps.map((swap, at) => gapOf(callers, swap, swaps[at + 1]))),
    stopMs: spread(swaps.map(({ askedMs, endedMs }) => endedMs - askedMs)),
    startMs: spread(swaps.map(({ endedMs, readyMs }) => readyMs - endedMs)),
    slowestOrderMs: Math.round(Math.max(0, ...callers.answered.map(({ tookMs }) => tookMs))),
    violations: violations.slice(0, violationsMax),
  }
}

async function load({ answered }: RetryingClients): Promise<void> {
  const enough = answered.length + ordersBetween
  await eventually(() => {
    if (answered.length < enough) throw new Error(`${enough - answered.length} more orders are to be answered`)
  }, settleMsMax)
}

/** Every order reached the upstream once, was answered, and is on disk; nothing else is. */
function* broken(deployment: Deployment, { book }: RetryingClients, { starts }: Supervisor) {
  yield* book.violations
  const arrivals = deployment.platform.arrivals()
  const ledger = readLedger(deployment.databasePath)
  const startedAt = starts.at(-1)?.startedAt ?? 0
  yield* compare({ orders: book.all, arrivals, ledger, workspaces: deployment.workspaces, startedAt })
  for (const id of deployment.platform.doubles()) yield `${id}: went out twice`
  const sent = Map.groupBy(arrivals, ({ tag }) => tag)
  for (const { tag, answers } of book.all) {
    const times = sent.get(tag)?.length ?? 0
    if (times !== 1) yield `${tag}: reached the upstream ${times} times`
    if (answers.length !== 1) yield `${tag}: was answered ${answers.length} times`
  }
  if (ledger.messages.size !== book.all.length) {
    yield `${book.all.length} orders, and ${ledger.messages.size} messages are on disk`
  }
  for (const { id, status } of ledger.messages.values()) if (status === 'UNKNOWN') yield `${id}: its outcome is unknown`
}

/** @returns how long nobody was answered, as the callers have seen it; 0 when no attempt failed */
function gapOf({ failures, answered }: RetryingClients, swap: Swap, next: Swap | undefined): number {
  const isOfSwap = (atMs: number) => atMs >= swap.askedMs && atMs < (next?.askedMs ?? Number.POSITIVE_INFINITY)
  const failed = failures.filter(({ atMs }) => isOfSwap(atMs)).map(({ atMs }) => atMs)
  const [first, last] = [Math.min(...failed), Math.max(...failed)]
  const resumed = Math.min(...answered.map(({ atMs }) => atMs).filter(atMs => atMs > last))
  return failed.length === 0 ? 0 : resumed - first
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other)
  return { median: Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0), max: Math.round(sorted.at(-1) ?? 0) }
}
