import type { Act, Counted, Place } from './acts.ts'
import { type Call, calls, type Fault, faultsOf, hit, hitFromStart, type Point, type Trace } from './strace.ts'

/** One point that was reached: a call of the system, or an answer of a database's server. */
export interface Tried {
  readonly act: string
  readonly of: Counted | 'server'
  readonly call: Call | 'answer'
  readonly fault: Fault | 'cut'
  readonly n: number
  /** Promises that were broken by it. */
  readonly violations: readonly string[]
}

/** Tries what was chosen, and tells of each point. */
export type Try = (choice?: Choice, say?: (one: Tried) => void) => Promise<Tried[]>

/** What is left out; nothing: all points. */
export interface Choice {
  readonly calls?: readonly Call[]
  readonly faults?: readonly Fault[]
  readonly counted?: readonly Counted[]
  /** Of each call, fault and thread. */
  readonly nMax?: number
  /** Each number of however many. */
  readonly isWhole?: boolean
}

/** @returns each call with each fault, but what is left out */
export const kindsOf = ({ calls: chosen = calls, faults }: Choice): Omit<Point, 'n'>[] =>
  chosen.flatMap(call =>
    faultsOf[call].filter(fault => faults?.includes(fault) ?? true).map(fault => ({ call, fault })),
  )

/** Up to here each number is tried; beyond, where one write is like the next, one in so many that they grow slowly. */
const eachMax = 50
const share = 25

/** Counts up until nothing is hit any more. */
export async function countUp(
  { nMax = Number.POSITIVE_INFINITY, isWhole = false }: Choice,
  tryOne: (n: number) => Promise<'reached' | 'not reached' | 'broken'>,
): Promise<void> {
  const step = (n: number) => (isWhole || n < eachMax ? 1 : Math.floor(n / share))
  for (let n = 1; n <= nMax; n += step(n)) if ((await tryOne(n)) !== 'reached') return
}

export const trying =
  (act: Act): Try =>
  (choice = {}, say = () => {}) =>
    tryAct(act, choice, say)

/**
 * Hits each point of an act. After each, the client repeats until it is answered, the gateway is killed and started, and
 * all that was promised until then is compared.
 */
async function tryAct(act: Act, choice: Choice, say: (one: Tried) => void): Promise<Tried[]> {
  const tried: Tried[] = []
  const place = await act.open()
  function keep(one: Omit<Tried, 'act'>) {
    tried.push({ act: act.name, ...one })
    say({ act: act.name, ...one })
  }
  try {
    for (const of of act.counted.filter(name => choice.counted?.includes(name) ?? true)) {
      for (const kind of kindsOf(choice).filter(({ call, fault }) => isCounted(of, call, fault))) {
        await countUp(choice, async n => {
          const { perform, finish } = await place.prepare()
          const trace = await traceOf(place, of, { ...kind, n })
          await perform(trace.wrapper)
          const isReached = await trace.end(place.pid)
          const violations = [...(await finish()), ...(await place.verdict())]
          if (!isReached && violations.length === 0) return 'not reached'
          keep({ of, ...kind, n, violations })
          return violations.length > 0 ? 'broken' : 'reached'
        })
      }
    }
    const violations = await place.lastVerdict()
    const [last] = tried.slice(-1)
    if (violations.length > 0 && last) keep({ ...last, violations })
  } finally {
    await place.close()
  }
  return tried
}

/** An error meets each thread. So it is for kills alone that the files are counted apart. */
const isCounted = (of: Counted, call: Call, fault: Fault) =>
  of !== 'its files' || (fault === 'kill' && (call === 'pwrite64' || call === 'fsync' || call === 'ftruncate'))

function traceOf({ pid, databasePath }: Place, of: Counted, point: Point): Trace | Promise<Trace> {
  switch (of) {
    case 'program':
      return hitFromStart(point)
    case 'its files': {
      const names = [databasePath, `${databasePath}.restoring`]
      return hitFromStart({ ...point, files: names.flatMap(name => ['', '-wal', '-journal'].map(end => name + end)) })
    }
    default:
      return hit(pid, of, point)
  }
}
