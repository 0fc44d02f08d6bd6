import type { Session } from '../../../db/users.ts'
import type { EpochMs } from '../../time/clock.ts'
import { dayMs } from '../../time/durations.ts'

/** A sign-in ends when the console was not open for two weeks, and after 90 days in any case. */
export const sessionIdleMsMax = 14 * dayMs
export const sessionMsMax = 90 * dayMs

export const isSessionOpen = ({ refreshedAt, expiresAt }: Session, now: EpochMs): boolean =>
  expiresAt > now && refreshedAt > now - sessionIdleMsMax
