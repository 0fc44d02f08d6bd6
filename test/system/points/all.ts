import { hasPostgres } from '../../postgres.ts'
import type { Need } from '../../programs.ts'
import { acts, onFile, type StageAct } from './acts.ts'
import { heldActs } from './held.ts'
import { moveActs } from './move.ts'
import { cuttingAnswers, onPostgres } from './postgres.ts'
import { programActs } from './programs.ts'
import { tracing } from './strace.ts'
import { type Try, trying } from './tried.ts'
import { upgradeAct } from './upgrade.ts'

interface Trial {
  readonly name: string
  /** What it takes to try it. */
  readonly need: Need
  readonly tryPoints: Try
}

const onStage: readonly StageAct[] = [...acts, ...heldActs]
/** What is tried on a server: the steps of a message and of what is told of it, which each engine has its own way for. */
const onServer: readonly string[] = [
  'a send with a key',
  'a callback with a new person and a status',
  'the hand-over of a message that waits',
  'a delivery to a webhook',
  'the release of a scheduled message',
  'a batch, from its request to its last item',
]

const server: Need = ['PostgreSQL', hasPostgres]

/** Every act, in the order of what matters most. */
export const all: readonly Trial[] = [
  ...[...[...onStage, ...programActs].map(onFile), upgradeAct].map(act => ({
    name: act.name,
    need: tracing,
    tryPoints: trying(act),
  })),
  ...moveActs.map(act => ({ name: act.name, need: tracing[1] ? server : tracing, tryPoints: trying(act) })),
  ...onStage
    .filter(({ name }) => onServer.includes(name))
    .map(act => ({
      ...{ name: onPostgres(act.name), need: server },
      tryPoints: cuttingAnswers(act),
    })),
]
