import { hasPostgres } from '../../postgres.ts'
import type { Need } from '../../programs.ts'
import { acts } from './acts.ts'
import { heldActs } from './held.ts'
import { answersAct, tryAnswers } from './postgres.ts'
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

/** Every act, in the order of what matters most. */
export const all: readonly Trial[] = [
  ...[...acts, ...heldActs, ...programActs, upgradeAct].map(act => ({
    name: act.name,
    need: tracing,
    tryPoints: trying(act),
  })),
  { name: answersAct, need: ['PostgreSQL', hasPostgres], tryPoints: tryAnswers },
]
