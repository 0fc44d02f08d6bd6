import { acts } from './acts.ts'
import { programActs } from './programs.ts'
import { upgradeAct } from './upgrade.ts'

/** Every act, in the order of what matters most. */
export const all = [...acts, ...programActs, upgradeAct]
