import type { StoreReads } from '../../db/contract/store.ts'
import { type EpochMs, moment } from '../base/clock.ts'
import { dayMs } from '../base/durations.ts'
import { type PromiseName, promises } from '../telemetry/promises.ts'
import type { Check } from './finding.ts'

/** Where the last promise that did not hold is kept, as JSON. */
export const brokenPromiseProperty = 'brokenPromise'
/** It is told for so long: what has met it may be looked for days later. */
const toldMs = 7 * dayMs

/** As it is kept. A later version may know other promises. */
export interface KeptBroken {
  readonly promise: PromiseName | (string & {})
  readonly at: EpochMs
}

/** No promise was found broken lately. */
export const promiseCheck =
  (read: Pick<StoreReads, 'property'>, now: EpochMs): Check =>
  async () => {
    const stored = await read.property(brokenPromiseProperty)
    const last: KeptBroken | null = stored === null ? null : JSON.parse(stored)
    if (last === null || Math.abs(now - last.at) >= toldMs) return 'no promise was found broken within a week'
    const meaning = Object.entries(promises).find(([name]) => name === last.promise)?.[1]
    throw new Error(
      `a promise was found broken at ${moment(last.at)} (UTC), ${last.promise}${meaning ? ` (${meaning})` : ''}: ` +
        'a defect of ours, or a database that was changed by hand. The log of that time says what it is about',
    )
  }
