import type { StoreReads } from '../../db/contract/store.ts'
import { type EpochMs, moment } from '../base/clock.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../base/durations.ts'
import type { ClockJump } from '../base/runningTime.ts'
import type { Check } from './finding.ts'

/** Where the last jump of the time is kept, as JSON. */
export const clockJumpProperty = 'clockJump'
/** It is told for so long. */
const toldMs = dayMs

/** @returns the last jump of the time that a gateway has seen; null when that is long ago */
export async function lastClockJump(read: Pick<StoreReads, 'property'>, now: EpochMs): Promise<ClockJump | null> {
  const stored = await read.property(clockJumpProperty)
  if (stored === null) return null
  const jump: ClockJump = JSON.parse(stored)
  return Math.abs(now - jump.at) < toldMs ? jump : null
}

const units = [
  [hourMs, 'hours'],
  [minuteMs, 'minutes'],
  [secondMs, 'seconds'],
] as const

/** The time has not jumped lately. */
export const clockCheck =
  (read: Pick<StoreReads, 'property'>, now: EpochMs): Check =>
  async () => {
    const jump = await lastClockJump(read, now)
    if (jump === null) return 'the time has not jumped within a day'
    const { at, byMs } = jump
    const [unitMs, unit] = units.find(([ms]) => Math.abs(byMs) >= 2 * ms) ?? units[2]
    const by = `${Math.round(Math.abs(byMs) / unitMs)} ${unit} ${byMs > 0 ? 'ahead' : 'back'}`
    throw new Error(
      `the time jumped ${by}, to ${moment(at)} (UTC): somebody has set the clock, or the machine slept. Check that ` +
        'it is synchronised (timedatectl): what is dated meanwhile is dated wrong',
    )
  }
