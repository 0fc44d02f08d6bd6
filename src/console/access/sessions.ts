import type { Session } from '../../../db/contract/users.ts'
import type { EpochMs } from '../../base/clock.ts'
import { dayMs } from '../../base/durations.ts'

/** A sign-in ends when the console was not open for two weeks, and after 90 days in any case. */
export const sessionIdleMsMax = 14 * dayMs
export const sessionMsMax = 90 * dayMs

export const isSessionOpen = ({ refreshedAt, expiresAt }: Session, now: EpochMs): boolean =>
  expiresAt > now && refreshedAt > now - sessionIdleMsMax
