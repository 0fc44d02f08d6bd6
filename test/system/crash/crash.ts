import { eventually } from '../../eventually.ts'
import { lasting } from '../rig/callers.ts'
import { type Report, Rig } from '../rig/rig.ts'
import { Killed } from './killed.ts'

export interface CrashReport extends Report {
  readonly kills: number
  /** Kills that came before the gateway served, while it migrated or recovered. */
  readonly killedAtStart: number
}

const servingKillMsMax = 700
/** A busy machine has answered nothing by then: a kill also waits for up to so many answers, most of the time. */
const answersMax = 60
const answersMsMax = 10_000
/** Of a gateway that was not even ready when it was killed. */
const startKillShare = 0.2
const integrityEvery = 5
/** One order in six is of the limited workspace: it reaches its limit well before the end, also on a slow machine. */
const limitPerKill = 1

/**
 * Kills the gateway at random moments under load, and compares the logs after each restart. The run stops at the first
 * round with a broken promise.
 */
export async function crash(options: {
  kills: number
  seed: number
  say?: (line: string) => void
}): Promise<CrashReport> {
  const { kills, seed, say = () => {} } = options
  await using ended = new AsyncDisposableStack()
  const rig = await Rig.make({ seed, monthlyMessageLimit: kills * limitPerKill })
  const { deployment, random, violations } = rig
  ended.defer(() => deployment.close())
  const gateway = new Killed(rig)
  ended.defer(() => gateway.kill())
  let round = 0

  async function killUnderLoad(): Promise<void> {
    const url = await gateway.restart()
    let isCut = false
    const load = rig.callers.run({ address: () => url, mayCut: () => isCut, isOver: () => isCut })
    const enough = rig.book.answered + random.whole(0, answersMax)
    await Bun.sleep(random.whole(0, servingKillMsMax))
    await eventually(() => {
      if (rig.book.answered < enough) throw new Error('more requests are to be answered')
    }, answersMsMax).catch(() => {})
    isCut = true
    await gateway.kill()
    await load
  }

  for (; round < kills && violations.length === 0; round += 1) {
    if (round > 0 && random.chance(startKillShare)) await gateway.killAtStart()
    else await killUnderLoad()
    if (round % integrityEvery === 0 || round === kills - 1) rig.checkFile()
    if ((round + 1) % 50 === 0) say(`${round + 1} kills, ${rig.book.all.length} orders`)
  }
  if (violations.length === 0) {
    await rig.conclude(lasting(await gateway.restart()))
    await gateway.terminate()
  }
  return { kills: round, killedAtStart: gateway.atStart, ...rig.report() }
}
