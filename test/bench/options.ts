import { parseArgs } from 'node:util'

/** The parts of a run; `--only` names some of them. */
export const GROUPS = ['send', 'replay', 'status', 'refusal', 'callback'] as const
export type Group = (typeof GROUPS)[number]

export interface Options {
  readonly seconds: number
  readonly rounds: number
  readonly groups: readonly Group[]
  readonly binary: string
  readonly writesResults: boolean
}

export const usage = `bun test/bench/run.ts [options]
  --seconds N   length of one round, default 2
  --rounds N    rounds of each side, default 3; the medians are compared
  --only LIST   some of ${GROUPS.join(',')}
  --quick       one round of one second: to see that everything works, not to be believed
  --binary PATH the executable, default dist/waypost
  --write       writes test/bench/RESULTS.md`

/** @throws Error with a sentence when the command line is wrong */
export function readOptions(argv: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      binary: { type: 'string', default: 'dist/waypost' },
      write: { type: 'boolean', default: false },
    },
  })
  const { seconds, rounds, only, quick, binary, write } = values
  return {
    seconds: count('--seconds', seconds ?? (quick ? '1' : '2')),
    rounds: count('--rounds', rounds ?? (quick ? '1' : '3')),
    groups: only === undefined ? GROUPS : only.split(',').map(groupOf),
    binary,
    writesResults: write,
  }
}

function count(option: string, text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1 || number > 3600) throw new Error(`${option} must be from 1 to 3600.`)
  return number
}

function groupOf(text: string): Group {
  const group = GROUPS.find(group => group === text)
  if (!group) throw new Error(`--only takes a list of ${GROUPS.join(', ')}.`)
  return group
}
