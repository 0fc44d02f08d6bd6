import type { EpochMs } from '../base/clock.ts'
import { dayMs } from '../base/durations.ts'
import type { Issue } from '../base/errors.ts'
import { sendAtMsMax } from './batchSchemas.ts'

export const inPast: Issue = { path: '/sendAt', message: 'must be in the future; leave it out to start at once' }

export function timeIssues(startsAt: EpochMs | null, now: EpochMs): Issue[] {
  if (startsAt === null || startsAt <= now + sendAtMsMax) return []
  return [{ path: '/sendAt', message: `must be at most ${sendAtMsMax / dayMs} days ahead` }]
}
