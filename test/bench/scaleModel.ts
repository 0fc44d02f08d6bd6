import { parseArgs } from 'node:util'

/*
 * What several instances store when their sends are of one workspace, and so count in one row: a simulation, for sizes
 * that no machine at hand can run. `bun test/bench/scaleModel.ts`; docs/scale.md has what it says.
 *
 * Each instance gathers its sends as db/postgres/batch.ts does: at most 500 in a transaction, at most two transactions
 * at a time. A transaction works alone until it needs the row, waits for the row in turn, and holds it until it is on
 * disk.
 */

/** As in db/postgres/batch.ts. */
const [batchMax, batchesMax] = [500, 2]
const seconds = 6
/** The first seconds fill the queues, and do not count. */
const warmUpSeconds = 2
/** Nothing happens sooner: a rounded time must not come twice. */
const clockMs = 0.001

interface Times {
  /** Of a transaction before it needs the row, and what each send adds to it. */
  readonly aloneMs: number
  readonly aloneSendMs: number
  /** Of a transaction that holds the row, without the sync. */
  readonly heldMs: number
  /** What each send adds while the row is held. */
  readonly heldSendMs: number
  /** Until a commit is on disk, and on the standby where one is waited for. */
  readonly syncMs: number
}

interface Instance {
  /** When its first send comes. Sends come evenly. */
  readonly firstAt: number
  /** Sends that are in a transaction, or were. */
  taken: number
  running: number
  /** It looks again when its next send comes. */
  isIdle: boolean
}

interface Transaction {
  readonly instance: Instance
  /** The number of its first send, and how many it has. */
  readonly first: number
  readonly count: number
}

/** @returns sends that were stored in a second, sends of a transaction, and how long a send waited, in milliseconds */
export function simulate(instances: number, perSecond: number, times: Times) {
  const gapMs = (1_000 * instances) / perSecond
  const gateways = Array.from(
    { length: instances },
    (_, at): Instance => ({ firstAt: (gapMs * at) / instances, taken: 0, running: 0, isIdle: false }),
  )
  const events: { at: number; run: () => void }[] = []
  const rowQueue: Transaction[] = []
  const waits: number[] = []
  let [now, isHeld, transactions] = [0, false, 0]

  function later(ms: number, run: () => void) {
    const at = now + ms
    let index = events.length
    while (index > 0 && (events[index - 1]?.at ?? 0) < at) index -= 1
    events.splice(index, 0, { at, run })
  }

  function start(instance: Instance) {
    if (instance.running >= batchesMax || instance.isIdle) return
    const { firstAt, taken } = instance
    const count = Math.min(Math.floor((now - firstAt) / gapMs) + 1 - taken, batchMax)
    if (count <= 0) {
      instance.isIdle = true
      later(Math.max(firstAt + taken * gapMs - now, clockMs), () => {
        instance.isIdle = false
        start(instance)
      })
      return
    }
    instance.taken += count
    instance.running += 1
    later(times.aloneMs + times.aloneSendMs * count, () => {
      rowQueue.push({ instance, first: taken, count })
      hold()
    })
    start(instance)
  }

  function hold() {
    const transaction = isHeld ? undefined : rowQueue.shift()
    if (!transaction) return
    isHeld = true
    const { instance, first, count } = transaction
    later(times.heldMs + times.heldSendMs * count + times.syncMs, () => {
      isHeld = false
      instance.running -= 1
      if (now >= warmUpSeconds * 1_000) {
        transactions += 1
        for (let at = first; at < first + count; at += 1) waits.push(now - (instance.firstAt + at * gapMs))
      }
      start(instance)
      hold()
    })
  }

  for (const instance of gateways) start(instance)
  for (let event = events.pop(); event && event.at < seconds * 1_000; event = events.pop()) {
    now = event.at
    event.run()
  }
  waits.sort((a, b) => a - b)
  return {
    storedPerSecond: waits.length / (seconds - warmUpSeconds),
    perTransaction: waits.length / Math.max(1, transactions),
    medianMs: waits[Math.floor(waits.length / 2)] ?? Number.NaN,
    slowMs: waits[Math.floor(waits.length * 0.99)] ?? Number.NaN,
  }
}

/** The measured times stand in docs/scale.md. */
function print() {
  const number = (fallback: string) => ({ type: 'string', default: fallback }) as const
  const { values } = parseArgs({
    options: {
      'alone-ms': number('0.5'),
      'alone-send-ms': number('0.015'),
      'held-ms': number('0.5'),
      'held-send-ms': number('0.016'),
    },
  })
  const times = {
    aloneMs: Number(values['alone-ms']),
    aloneSendMs: Number(values['alone-send-ms']),
    heldMs: Number(values['held-ms']),
    heldSendMs: Number(values['held-send-ms']),
  }
  console.log('sync ms  instances  offered/s  stored/s  sends a transaction  wait ms (median, 99 %)')
  for (const syncMs of [0.2, 2, 7]) {
    for (const instances of [1, 3, 10]) {
      for (const perSecond of [1_000, 10_000, 30_000, 100_000]) {
        const told = simulate(instances, perSecond, { ...times, syncMs })
        const { storedPerSecond, perTransaction, medianMs, slowMs } = told
        const numbers = [storedPerSecond.toFixed(0), perTransaction.toFixed(0), medianMs.toFixed(0), slowMs.toFixed(0)]
        console.log([syncMs, instances, perSecond, ...numbers].join('\t'))
      }
    }
  }
}

if (import.meta.main) print()
