import { eventually } from '../../eventually.ts'
import { lasting } from '../rig/callers.ts'
import { Held } from '../rig/held.ts'
import { countLeft, type Left } from '../rig/ledger.ts'
import { type Report, Rig } from '../rig/rig.ts'
import { Killed } from './killed.ts'

export interface HeldReport extends Report {
  readonly kills: number
  readonly killedAtStart: number
  /** Kills after which items of the batch, and scheduled messages, had still to leave. */
  readonly killedAmongItems: number
  readonly killedAmongDue: number
  /** What had not left by the last kill. */
  readonly left: Left
  /** Messages whose answer a kill has lost, whatever a callback has told of them since. */
  readonly answersLost: number
}

/** Slow enough that no kill loses many answers. */
const perSecond = 40
const startKillShare = 0.2
/** From the last arrival that is waited for to the kill; or from the start, where the batch is ahead of the kills. */
const killMsMax = { sending: 100, ahead: 700 } as const
/** A gateway that was killed again and again has to recover first. */
const arriveMsMax = 10_000
/** What is scheduled comes due in the first part of the kills, about so long for each. */
const dueMsOfKill = 1_000
/** Of 10,000 messages, a comparison takes a second, and a check of the file as long. */
const compareEvery = 10
const integrityEvery = 20

/**
 * Kills a gateway at random moments while a batch runs and scheduled messages come due, and compares the logs again and
 * again. The run stops at the first broken promise.
 */
export async function held(options: {
  kills: number
  items: number
  scheduled: number
  seed: number
  say?: (line: string) => void
}): Promise<HeldReport> {
  const { kills, items, scheduled, seed, say = () => {} } = options
  await using ended = new AsyncDisposableStack()
  const rig = await Rig.make({ seed, monthlyMessageLimit: 1, rates: { held: perSecond } })
  const { deployment, random, violations } = rig
  const { platform, database } = deployment
  ended.defer(() => deployment.close())
  const gateway = new Killed(rig)
  ended.defer(() => gateway.kill())
  const asked = new Held(rig, { items, scheduled })
  await asked.ask(lasting(await gateway.restart()))
  await asked.comeDue(kills * dueMsOfKill)
  await gateway.kill()

  let [killedAmongItems, killedAmongDue, round, uncounted] = [0, 0, 0, 0]
  let left: Left = { items, scheduled }

  /** @returns its address */
  async function restart(): Promise<string> {
    const url = await gateway.restart(round % compareEvery === 0)
    left = await countLeft(database)
    if (left.items > 0) killedAmongItems += uncounted
    if (left.scheduled > 0) killedAmongDue += uncounted
    uncounted = 0
    return url
  }

  /**
   * Waits for a share of what is left, so that the batch lasts as long as the kills do. On a busy machine more leaves
   * before the kill comes; then some kills come before anything leaves, for after a start a line waits for a second.
   */
  async function killWhileSending(): Promise<void> {
    const before = platform.arrivals().length
    await restart()
    const toLeave = left.items + left.scheduled
    const isAhead = toLeave < ((items + scheduled) * (kills - round)) / kills
    const share = Math.ceil(toLeave / (kills - round))
    const enough = before + Math.min(isAhead ? 0 : random.whole(1, 2 * share), left.items)
    await eventually(() => {
      if (platform.arrivals().length < enough) throw new Error('more messages are to arrive')
    }, arriveMsMax).catch(() => {})
    await Bun.sleep(random.whole(0, isAhead ? killMsMax.ahead : killMsMax.sending))
    await gateway.kill()
  }

  for (; round < kills && violations.length === 0; round += 1) {
    if (random.chance(startKillShare)) await gateway.killAtStart()
    else await killWhileSending()
    uncounted += 1
    if (round % integrityEvery === 0 || round === kills - 1) rig.checkFile()
    if ((round + 1) % 50 === 0) say(`${round + 1} kills, ${left.items} items and ${left.scheduled} messages to leave`)
  }
  if (violations.length === 0) {
    const url = await restart()
    await deployment.setRate(0)
    await rig.conclude(lasting(url))
    await gateway.terminate()
  }
  return {
    ...{ kills: round, killedAtStart: gateway.atStart, killedAmongItems, killedAmongDue, left },
    answersLost: [...rig.ledger.messages.values()].filter(({ lostAt }) => lostAt !== null).length,
    ...rig.report(),
  }
}
