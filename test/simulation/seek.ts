import fc from 'fast-check'
import { broken } from './checks.ts'
import { type History, histories, type Kind } from './history.ts'
import type { Log } from './log.ts'
import { play, Rig } from './play.ts'

/** Histories of one seed: fast-check makes larger ones of later runs. */
const runsOfSeed = 40
/** What shortens a history that fails tries so many others. */
const shrinkMsMax = 45_000

/** A history in which something is broken. */
export interface Finding {
  /** With it and the path, the same history is made again. */
  readonly seed: number
  readonly path: string
  readonly history: History
  readonly words: readonly string[]
}

/** What was played. */
export interface Sought {
  readonly histories: number
  readonly simulatedMs: number
  readonly tookMs: number
  readonly finding: Finding | null
}

/**
 * @returns what a history breaks, and what was seen of it. An error in it is told like the rest, also one that nobody
 *   has caught, which would end a process
 */
async function judged(history: History, rig: Rig, isFresh = false): Promise<{ words: string[]; log: Log | null }> {
  const uncaught: string[] = []
  const note = (cause: unknown) => uncaught.push(`nobody caught ${Bun.inspect(cause)}`)
  process.on('unhandledRejection', note)
  try {
    const log = play(history, rig, isFresh)
    // It is told once the event loop goes on.
    await new Promise<void>(resolve => setImmediate(resolve))
    return { words: [...broken(history, log, rig.database), ...uncaught], log }
  } catch (error) {
    return { words: [`it threw ${Bun.inspect(error)}`], log: null }
  } finally {
    process.off('unhandledRejection', note)
  }
}

/**
 * Plays histories of one seed after another until one breaks something, which is shortened then, or the time is over.
 * @param options `seeds`: the next one; each history is made again by its seed and its path. `shrinkMs`: how long one
 *   that fails is made shorter. `among`: the kinds of acts; all, unless given
 */
export async function seek(options: {
  readonly seeds: () => number
  readonly forMs: number
  readonly path?: string
  readonly shrinkMs?: number
  readonly among?: readonly Kind[]
}): Promise<Sought> {
  const { seeds, forMs, path, shrinkMs = shrinkMsMax, among } = options
  const rig = new Rig()
  const startedAt = performance.now()
  const sought = { histories: 0, simulatedMs: 0 }
  let until = startedAt + forMs
  let words: readonly string[] = []
  try {
    do {
      const seed = seeds()
      const property = fc.asyncProperty(histories(among), async history => {
        if (performance.now() > until) return true
        const { words: found, log } = await judged(history, rig)
        sought.histories += 1
        sought.simulatedMs += log?.simulatedMs ?? 0
        if (found.length === 0) return true
        // From the first one on it is made shorter.
        if (words.length === 0) until = performance.now() + shrinkMs
        words = found
        return false
      })
      const result = await fc.check(property, {
        seed,
        numRuns: runsOfSeed,
        ...(path !== undefined && { path, endOnFailure: true }),
      })
      const [history] = result.counterexample ?? []
      if (result.failed && history) {
        const tookMs = performance.now() - startedAt
        const finding = { seed, path: result.counterexamplePath ?? '', history }
        const again = (await judged(history, rig, true)).words
        return { ...sought, tookMs, finding: { ...finding, words: again.length > 0 ? again : words } }
      }
    } while (performance.now() < until && path === undefined)
    return { ...sought, tookMs: performance.now() - startedAt, finding: null }
  } finally {
    rig.close()
  }
}

/** @returns a finding, as it is shown. @param among as it was sought with */
export const shown = ({ seed, path, history, words }: Finding, among?: string): string =>
  [
    ...words.map(sentence => `  ${sentence}`),
    '',
    `The shortest history in which it happens: ${JSON.stringify(history, null, 1).replaceAll(/\n\s*/g, ' ')}`,
    '',
    `It is played again by: bun test/simulation/run.ts --seed ${seed} --path ${path}` +
      (among === undefined ? '' : ` --among ${among}`),
  ].join('\n')

/** @returns what was played, in one line */
export const summary = ({ histories, simulatedMs, tookMs }: Sought): string =>
  `${histories} histories in ${(tookMs / 1_000).toFixed(1)} s: ${Math.round(histories / (tookMs / 1_000))} a second, ` +
  `${Math.round(simulatedMs / tookMs)} times real time`
