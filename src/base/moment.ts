import type { EpochMs } from './clock.ts'

/** A moment for people: UTC to the second. */
export const moment = (at: EpochMs): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ')
