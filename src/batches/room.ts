import type { Line } from '../../db/contract/records.ts'
import { secondMs } from '../base/durations.ts'
import type { LineBacklog } from '../sending/openMessages.ts'

/** A batch has so much of the pace of a line waiting at most: a single send beside it waits no longer. */
const aheadMs = 100
/** The same of a line without a pace. */
const unpacedMax = 50
/** It has so many seconds of the pace under way: an answer of the platform may take so long without a gap. */
const underWaySeconds = 5
const underWayMin = 10
const unpacedUnderWayMax = 200

/** @returns how many further items of batches a line takes now */
export function roomOf({ id, perSecond }: Pick<Line, 'id' | 'perSecond'>, backlogs: readonly LineBacklog[]): number {
  const { waiting = 0 } = backlogs.find(({ lineId }) => lineId === id) ?? {}
  const ahead = perSecond > 0 ? Math.max(1, Math.ceil((perSecond * aheadMs) / secondMs)) : unpacedMax
  return Math.max(0, ahead - waiting)
}

/** @returns how many messages of a batch may be without an answer */
export const underWayMax = ({ perSecond }: Pick<Line, 'perSecond'>): number =>
  perSecond > 0 ? Math.max(underWayMin, perSecond * underWaySeconds) : unpacedUnderWayMax
