import type { StoreReads } from '../../db/contract/store.ts'
import { type LastUpgrade, upgradeName } from '../../db/migrations.ts'
import { type EpochMs, moment } from '../base/clock.ts'
import { dayMs } from '../base/durations.ts'
import type { Check } from './finding.ts'

/** As long as somebody may wonder what has changed, and the way back is worth a thought. */
const toldMs = 7 * dayMs

/** @returns the last upgrade, for a week; null: there was none in that time */
export async function lastUpgrade(read: Pick<StoreReads, 'property'>, now: EpochMs): Promise<LastUpgrade | null> {
  const stored = await read.property(upgradeName)
  if (stored === null) return null
  const upgrade: LastUpgrade = JSON.parse(stored)
  return Math.abs(now - upgrade.at) < toldMs ? upgrade : null
}

/** From what to what, when, and where the database of before is. */
export const upgradeText = ({ from, to, at, copy }: LastUpgrade): string =>
  `upgraded from ${from} to ${to} at ${moment(at)} (UTC)${copy === null ? '' : `; the database of before is ${copy}`}`

/** Nothing is wrong: it is said to who wonders what has changed. */
export const upgradeCheck =
  (read: Pick<StoreReads, 'property'>, now: EpochMs): Check =>
  async () => {
    const upgrade = await lastUpgrade(read, now)
    return upgrade === null ? 'none within a week' : upgradeText(upgrade)
  }
