import { parseArgs } from 'node:util'
import { backlogFigures } from './backlog.ts'
import { graphFigures } from './graph.ts'
import { killFigures } from './kills.ts'
import { connectionFigures, patientFigures } from './loads.ts'
import { type Gateway, gateways } from './peers.ts'
import type { Profile } from './profile.ts'

/** What is measured, in the order of docs/speed.md. */
export const profiles = {
  connections: connectionFigures,
  patient: patientFigures,
  backlog: backlogFigures,
  graph: graphFigures,
  kills: killFigures,
} as const satisfies Record<string, Profile>
export type ProfileName = keyof typeof profiles
/** Those whose callers are wrk. */
export const byWrk: ReadonlySet<ProfileName> = new Set<ProfileName>(['connections', 'patient', 'graph'])
const profileNames = Object.keys(profiles) as ProfileName[]

/** The quarters of fewer say little. */
const roundsUsual = 8
const roundsMax = 60

export interface Options {
  readonly profiles: readonly ProfileName[]
  readonly gateways: readonly Gateway[]
  readonly rounds: number
  readonly isQuick: boolean
  readonly binary: string
  readonly writes: boolean
}

export const usage = `bun test/bench/peers/run.ts [options]
  --only LIST         some of ${profileNames.join(',')}; all by default
  --gateways LIST     some of ${gateways.join(',')}; all by default
  --rounds N          rounds of one second of each gateway, default ${roundsUsual}
  --quick             one round, not warmed up: to see that everything works, not to be believed
  --binary PATH       the executable, default dist/waypost
  --write             writes what was measured into docs/speed.md`

/** @throws Error with a sentence when the command line is wrong */
export function readOptions(argv: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: 'string' },
      gateways: { type: 'string' },
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      binary: { type: 'string', default: 'dist/waypost' },
      write: { type: 'boolean', default: false },
    },
  })
  const rounds = Number(values.rounds ?? (values.quick ? 1 : roundsUsual))
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > roundsMax)
    throw new Error(`--rounds must be from 1 to ${roundsMax}.`)
  return {
    profiles: listed('--only', values.only, profileNames),
    gateways: listed('--gateways', values.gateways, gateways),
    rounds,
    isQuick: values.quick,
    binary: values.binary,
    writes: values.write,
  }
}

/** @returns those that are named, in their own order; all when none are */
function listed<Name extends string>(option: string, text: string | undefined, all: readonly Name[]): readonly Name[] {
  if (text === undefined) return all
  const named = text.split(',')
  if (named.some(name => !all.some(each => each === name)))
    throw new Error(`${option} takes a list of ${all.join(', ')}.`)
  return all.filter(name => named.includes(name))
}
