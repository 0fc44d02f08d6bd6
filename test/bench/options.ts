import { parseArgs } from 'node:util'

/** The parts of a run. */
export const GROUPS = [
  'send',
  'latency',
  'replay',
  'status',
  'refusal',
  'callback',
  'start',
  'prune',
  'events',
  'webhook',
  'fair',
  'batch',
  'large',
  'memory',
] as const
/** What a change of the send path is judged by: a run has these when `--only` names none. */
const usual: readonly Group[] = ['send', 'latency', 'memory']
/** Those that need a PostgreSQL server; a run has them when `--only` names them. */
export const CLUSTER_GROUPS = [
  'fair-postgres',
  'batch-postgres',
  'postgres',
  'postgres-callbacks',
  'cluster',
  'cluster-patient',
  'cluster-disk',
  'cluster-rows',
] as const
/** Those that measure what a call costs others: their rows stand by themselves. */
export const besideGroups: readonly Group[] = ['fair', 'fair-postgres']
export type Group = (typeof GROUPS)[number] | (typeof CLUSTER_GROUPS)[number]

/** The state with the cheapest send so far: the marks of sends are against it. */
const fastest = '0f0f37b'

/**
 * Of each side of each comparison. The threads of a gateway compile: after 50,000 sends it still takes 10 µs of each,
 * after 150,000 none.
 */
const warmUpSeconds = 20

export interface Options {
  readonly warmUpSeconds: number
  readonly seconds: number
  readonly rounds: number
  readonly groups: readonly Group[]
  readonly binary: string
  /** The commit of the state that sends are compared with. */
  readonly against: string
  readonly writesResults: boolean
  readonly sizes: Sizes
  /** Of the group fair: those whose name has one of these in it. */
  readonly calls: readonly string[]
}

/** How much is stored, or for how long something lasts. */
export interface Sizes {
  readonly messagesStored: number
  readonly keysExpired: number
  /** Starts after each kind of end. */
  readonly starts: number
  readonly memorySeconds: number
  /** Of one batch. */
  readonly batchItems: number
  /** Of the workspace that asks as hard as it may. */
  readonly neighbourMessages: number
}

const fullSizes: Sizes = {
  messagesStored: 1_000_000,
  keysExpired: 1_000_000,
  starts: 5,
  memorySeconds: 60,
  batchItems: 100_000,
  neighbourMessages: 200_000,
}
/** Less of everything, but of the keys more than a round of one second prunes. */
const quickSizes: Sizes = {
  messagesStored: 100_000,
  keysExpired: 400_000,
  starts: 2,
  memorySeconds: 10,
  batchItems: 20_000,
  neighbourMessages: 20_000,
}

export const usage = `bun test/bench/run.ts [options]
  --seconds N         length of one round, default 2
  --rounds N          rounds of each side, default 3; the medians are compared
  --only LIST         some of ${GROUPS.join(',')};
                      all is all of these, and the default ${usual.join(',')};
                      or of ${CLUSTER_GROUPS.join(',')}: on PostgreSQL, the cluster's with several instances
  --calls LIST        of the groups fair: only calls whose name has one of these in it, as POST,/lines
  --memory-seconds N  how long the group memory sends, default ${fullSizes.memorySeconds}
  --quick             one round of one second, and less stored: to see that everything works, not to be believed
  --against COMMIT    the state that sends are compared with, default ${fastest}
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
      calls: { type: 'string', default: '' },
      'memory-seconds': { type: 'string' },
      quick: { type: 'boolean', default: false },
      against: { type: 'string', default: fastest },
      binary: { type: 'string', default: 'dist/waypost' },
      write: { type: 'boolean', default: false },
    },
  })
  const { seconds, rounds, only, calls, 'memory-seconds': memorySeconds, quick, against, binary, write } = values
  const sizes = quick ? quickSizes : fullSizes
  return {
    warmUpSeconds: quick ? 1 : warmUpSeconds,
    seconds: count('--seconds', seconds ?? (quick ? '1' : '2')),
    rounds: count('--rounds', rounds ?? (quick ? '1' : '3')),
    groups: groupsOf(only),
    calls: calls.split(','),
    binary,
    against,
    writesResults: write,
    sizes: memorySeconds === undefined ? sizes : { ...sizes, memorySeconds: count('--memory-seconds', memorySeconds) },
  }
}

function count(option: string, text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1 || number > 3600) throw new Error(`${option} must be from 1 to 3600.`)
  return number
}

function groupsOf(only: string | undefined): readonly Group[] {
  if (only === undefined) return usual
  return only === 'all' ? GROUPS : only.split(',').map(groupOf)
}

function groupOf(text: string): Group {
  const all = [...GROUPS, ...CLUSTER_GROUPS]
  const group = all.find(group => group === text)
  if (!group) throw new Error(`--only takes a list of ${all.join(', ')}.`)
  return group
}
