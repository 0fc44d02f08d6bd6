import { parseArgs } from 'node:util'

/** The parts of a run; `--only` names some of them. */
export const GROUPS = [
  'send',
  'latency',
  'replay',
  'status',
  'refusal',
  'callback',
  'start',
  'prune',
  'memory',
] as const
/** Those that need a PostgreSQL server; a run has them when `--only` names them. */
export const CLUSTER_GROUPS = ['cluster', 'cluster-patient', 'cluster-disk', 'cluster-rows'] as const
export type Group = (typeof GROUPS)[number] | (typeof CLUSTER_GROUPS)[number]

/** A gateway has three threads that compile; under load they are done with it after some seconds. */
const warmUpSeconds = 5

export interface Options {
  readonly warmUpSeconds: number
  readonly seconds: number
  readonly rounds: number
  readonly groups: readonly Group[]
  readonly binary: string
  readonly writesResults: boolean
  readonly sizes: Sizes
}

/** How much is stored, or for how long something lasts. */
export interface Sizes {
  readonly messagesStored: number
  readonly keysExpired: number
  /** Starts after each kind of end. */
  readonly starts: number
  readonly memorySeconds: number
}

const fullSizes: Sizes = { messagesStored: 1_000_000, keysExpired: 1_000_000, starts: 5, memorySeconds: 600 }
/** Less of everything, but of the keys more than a round of one second prunes. */
const quickSizes: Sizes = { messagesStored: 100_000, keysExpired: 400_000, starts: 2, memorySeconds: 10 }

export const usage = `bun test/bench/run.ts [options]
  --seconds N         length of one round, default 2
  --rounds N          rounds of each side, default 3; the medians are compared
  --only LIST         some of ${GROUPS.join(',')}
                      or of ${CLUSTER_GROUPS.join(',')}: several instances on PostgreSQL
  --memory-minutes N  how long the group memory sends, default ${fullSizes.memorySeconds / 60}
  --quick             one round of one second, and less stored: to see that everything works, not to be believed
  --binary PATH       the executable, default dist/waypost
  --write             writes test/bench/RESULTS.md`

/** @throws Error with a sentence when the command line is wrong */
export function readOptions(argv: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      only: { type: 'string' },
      'memory-minutes': { type: 'string' },
      quick: { type: 'boolean', default: false },
      binary: { type: 'string', default: 'dist/waypost' },
      write: { type: 'boolean', default: false },
    },
  })
  const { seconds, rounds, only, 'memory-minutes': minutes, quick, binary, write } = values
  const sizes = quick ? quickSizes : fullSizes
  return {
    warmUpSeconds: quick ? 1 : warmUpSeconds,
    seconds: count('--seconds', seconds ?? (quick ? '1' : '2')),
    rounds: count('--rounds', rounds ?? (quick ? '1' : '3')),
    groups: only === undefined ? GROUPS : only.split(',').map(groupOf),
    binary,
    writesResults: write,
    sizes: minutes === undefined ? sizes : { ...sizes, memorySeconds: count('--memory-minutes', minutes) * 60 },
  }
}

function count(option: string, text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1 || number > 3600) throw new Error(`${option} must be from 1 to 3600.`)
  return number
}

function groupOf(text: string): Group {
  const all = [...GROUPS, ...CLUSTER_GROUPS]
  const group = all.find(group => group === text)
  if (!group) throw new Error(`--only takes a list of ${all.join(', ')}.`)
  return group
}
