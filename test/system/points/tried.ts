import { dirname } from 'node:path'
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

/** One try: of each kind the last one, in which there was no such call any more, is no point. */
export interface Attempt extends Tried {
  readonly isReached: boolean
}

/** Tries what was chosen, and tells of each try. @returns the points that were reached */
export type Try = (choice?: Choice, say?: (one: Attempt) => void) => Promise<Tried[]>

/** What is left out; nothing: all points. */
export interface Choice {
  readonly calls?: readonly Call[]
  readonly faults?: readonly Fault[]
  readonly counted?: readonly Counted[]
  /** Of each call, fault and thread. */
  readonly nMax?: number
  /** Each number of however many. */
  readonly isWhole?: boolean
  /** What was tried before, and is not tried again. */
  readonly known?: readonly Attempt[]
  /** Whether no further point is to be tried. */
  isOver?(): boolean
}

/** @returns each call with each fault, but what is left out */
const kindsOf = ({ calls: chosen = calls, faults }: Choice): Omit<Point, 'n'>[] =>
  chosen.flatMap(call =>
    faultsOf[call].filter(fault => faults?.includes(fault) ?? true).map(fault => ({ call, fault })),
  )

/** Each number is tried up to twice this; beyond, where one call is like the next, so few that they grow by a share. */
const shareOfKills = 25
/** Whichever write of a transaction fails, all of it is undone. */
const shareOfErrors = 8

/**
 * So many numbers in a row that are not reached end a kind: how often a gateway writes differs from one time to the next,
 * with what is to be moved from the log into the file. Of a call that never came, one is enough.
 */
const missesMax = 3

/** What one try has come to. */
export type Outcome = Pick<Attempt, 'isReached' | 'violations'>

/** Counts the points of one act. */
export class Counting {
  readonly tried: Tried[] = []
  readonly #act: string
  readonly #choice: Choice
  readonly #say: (one: Attempt) => void
  readonly #share: number

  constructor(act: string, choice: Choice, say: (one: Attempt) => void, share = shareOfKills) {
    this.#act = act
    this.#choice = choice
    this.#say = say
    this.#share = share
  }

  /** Counts the calls of one kind up until none is hit any more, or something is broken. */
  async up(kind: Pick<Tried, 'of' | 'call' | 'fault'>, tryOne: (n: number) => Promise<Outcome>): Promise<void> {
    const { nMax = Number.POSITIVE_INFINITY, isWhole = false, known = [], isOver } = this.#choice
    const share = kind.fault === 'ENOSPC' || kind.fault === 'EIO' ? Math.min(shareOfErrors, this.#share) : this.#share
    const step = (n: number) => (isWhole ? 1 : Math.max(1, Math.floor(n / share)))
    const former = known.filter(
      ({ act, of, call, fault }) => act === this.#act && of === kind.of && call === kind.call && fault === kind.fault,
    )
    let misses = 0
    for (let n = 1; n <= nMax; n += step(n)) {
      const found = former.find(one => one.n === n)
      if (!found && isOver?.()) return
      const { isReached, ...one } = found ?? { act: this.#act, ...kind, n, ...(await tryOne(n)) }
      if (!found) this.#say({ ...one, isReached })
      if (!isReached && one.violations.length === 0) {
        misses += 1
        if (n === 1 || misses === missesMax) return
        continue
      }
      misses = 0
      this.tried.push(one)
      if (one.violations.length > 0) return
    }
  }

  /** What is broken after all, as far as anybody can tell by the last point. */
  end(violations: readonly string[]): void {
    const [last] = this.tried.slice(-1)
    if (violations.length === 0 || !last) return
    const one = { ...last, violations }
    this.tried.push(one)
    this.#say({ ...one, isReached: true })
  }
}

export const trying =
  (act: Act): Try =>
  (choice = {}, say = () => {}) =>
    tryAct(act, choice, say)

/**
 * Hits each point of an act. After each, the client repeats until it is answered, the gateway is killed and started, and
 * all that was promised until then is compared.
 */
async function tryAct(act: Act, choice: Choice, say: (one: Attempt) => void): Promise<Tried[]> {
  const counting = new Counting(act.name, choice, say, act.share)
  const place = await act.open()
  try {
    for (const of of act.counted.filter(name => choice.counted?.includes(name) ?? true)) {
      for (const kind of kindsOf(choice).filter(({ call, fault }) => isCounted(of, call, fault))) {
        await counting.up({ of, ...kind }, async n => {
          const { perform, finish } = await place.prepare()
          const trace = await traceOf(place, of, { ...kind, n })
          await perform(trace.wrapper)
          const isReached = await trace.end(place.pid)
          return { isReached, violations: [...(await finish()), ...(await place.verdict())] }
        })
      }
    }
    counting.end(await place.lastVerdict())
  } finally {
    await place.close()
  }
  return counting.tried
}

function isCounted(of: Counted, call: Call, fault: Fault): boolean {
  if (of === 'its folder') return call === 'fsync'
  // An error meets each thread. So it is for kills alone that the files are counted apart.
  return of !== 'its files' || (fault === 'kill' && (call === 'pwrite64' || call === 'fsync' || call === 'ftruncate'))
}

function traceOf({ pid, databasePath }: Place, of: Counted, point: Point): Trace | Promise<Trace> {
  switch (of) {
    case 'program':
      return hitFromStart(point)
    case 'its files': {
      const names = [databasePath, `${databasePath}.restoring`]
      return hitFromStart({ ...point, files: names.flatMap(name => ['', '-wal', '-journal'].map(end => name + end)) })
    }
    case 'its folder':
      return hitFromStart({ ...point, files: [dirname(databasePath)] })
    default:
      return hit(pid, of, point)
  }
}
