import { type Clock, systemClock } from '../../src/base/clock.ts'
import { OutcomeUnknown, Unavailable } from '../../src/base/unavailable.ts'

/** Calls of one verb in one transaction. The server's parser and the locks of a transaction grow with it. */
const batchMax = 500
/** Concurrent transactions of one verb: while they run, the next calls are collected. */
const batchesMax = 2
/**
 * A second one begins only when the first takes longer than a statement of ours: somebody else's lock holds it up, or
 * a lost connection. Both change the same few rows, so it would wait for the first one, and both would be smaller than
 * one is.
 */
const aloneMsMax = 25
/**
 * A transaction waits up to 4 seconds for a lock, and for as long behind another one. Who has waited this long for a
 * transaction that then failed would wait for the next one as well: no send waits longer than 10 seconds for all, and
 * for its key.
 */
const turnMsMax = 1_000

interface Waiting<Argument, Result> {
  readonly since: number
  readonly argument: Argument
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Groups the calls of a verb: those of one turn of the event loop, and those that come while a transaction runs, share
 * the next one. When it fails, each call gets its own: then only the failing call fails. When the server is the
 * cause, all of them fail: more transactions would only make it worse, and it is unknown what a lost one has stored.
 * With them fail those that have waited long for their turn.
 * @param run stores the calls in one transaction; its results are in their order
 */
export function gathered<Argument, Result>(
  run: (batch: readonly Argument[]) => Promise<readonly Result[]>,
  clock: Pick<Clock, 'steady' | 'setTimer'> = systemClock,
): (argument: Argument) => Promise<Result> {
  const waiting: Waiting<Argument, Result>[] = []
  let running = 0
  let isFlushDue = false
  let aloneUntil = 0
  let cancelTimer: (() => void) | null = null

  function flushLater() {
    if (isFlushDue || running >= batchesMax || waiting.length === 0) return
    const leftMs = running === 0 ? 0 : aloneUntil - clock.steady()
    if (leftMs > 0) {
      cancelTimer ??= clock.setTimer(leftMs, () => {
        cancelTimer = null
        flushLater()
      })
      return
    }
    cancelTimer?.()
    cancelTimer = null
    isFlushDue = true
    setImmediate(() => {
      isFlushDue = false
      void flush()
    })
  }

  async function flush() {
    const batch = waiting.splice(0, batchMax)
    // Those that waited may have been refused meanwhile, with a transaction that failed.
    if (batch.length === 0) return
    running += 1
    aloneUntil = clock.steady() + aloneMsMax
    flushLater()
    try {
      await settle(batch)
    } finally {
      running -= 1
      flushLater()
    }
  }

  async function settle(batch: readonly Waiting<Argument, Result>[]) {
    try {
      const results = await run(batch.map(({ argument }) => argument))
      batch.forEach(({ resolve }, at) => {
        // `run` answers each of its calls.
        resolve(results[at] as Result)
      })
    } catch (error) {
      const isOfServer = error instanceof Unavailable || error instanceof OutcomeUnknown
      if (batch.length > 1 && !isOfServer) await Promise.all(batch.map(call => settle([call])))
      else for (const { reject } of batch) reject(error)
      if (isOfServer) refuseLate(error)
    }
  }

  function refuseLate({ message }: Error) {
    const latest = clock.steady() - turnMsMax
    const waited = waiting.findIndex(({ since }) => since > latest)
    const late = waiting.splice(0, waited === -1 ? waiting.length : waited)
    for (const { reject } of late) reject(new Unavailable(message))
  }

  return argument =>
    new Promise((resolve, reject) => {
      waiting.push({ since: clock.steady(), argument, resolve, reject })
      flushLater()
    })
}
