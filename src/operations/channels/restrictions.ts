import type { UpstreamUpdate } from '../../../db/contract/updates.ts'
import type { EpochMs } from '../../base/clock.ts'
import { secondMs } from '../../base/durations.ts'
import { field, list, text } from '../../base/json.ts'
import { accountErrorKind } from '../../graph/accountErrors.ts'
import { explain, isStopCode } from '../../graph/codes.ts'

/** What the upstream does not let an account or a line do for a while. */
export interface Restriction {
  /** In the upstream's words, or a code in ours. */
  readonly what: string
  readonly since: EpochMs
  /** Null: it is not said. */
  readonly until: EpochMs | null
}

/** @returns what an update restricts; null of one that says nothing of the kind */
export function restrictionOf({ kind, at: since, detail }: UpstreamUpdate): Restriction | null {
  if (kind === 'account_update ACCOUNT_RESTRICTION') {
    const restrictions = list(field(detail, 'restriction_info'))
    const types = restrictions.flatMap(one => text(field(one, 'restriction_type')) ?? [])
    const ends = restrictions.map(one => moment(field(one, 'expiration')))
    // One without an end outlasts the others.
    const until = ends.length === 0 || ends.includes(null) ? null : Math.max(...ends.map(end => end ?? 0))
    return { what: types.join(', ') || 'ACCOUNT_RESTRICTION', since, until }
  }
  if (kind === 'account_update DISABLED_UPDATE') {
    const [state, date] = ['waba_ban_state', 'waba_ban_date'].map(name => text(field(field(detail, 'ban_info'), name)))
    return state === 'SCHEDULE_FOR_DISABLE'
      ? { what: [state, date].filter(Boolean).join(' '), since, until: null }
      : null
  }
  if (!kind.startsWith(`${accountErrorKind} `)) return null
  const code = Number(kind.slice(accountErrorKind.length + 1))
  // What stops a line or an account for good is told as such.
  if (isStopCode(code)) return null
  return { what: `${explain(code)?.short ?? 'code'} (${code})`, since, until: moment(field(detail, 'until')) }
}

/** A time in seconds has ten digits until the year 2286, one in milliseconds thirteen. */
const secondsMax = 1e11

/**
 * @returns a time that is written in seconds or milliseconds, as a number or its text, or as a date; null: none of them
 */
function moment(value: unknown): EpochMs | null {
  const isDate = typeof value === 'string' && !/^\d+$/.test(value)
  const written = isDate ? Date.parse(value) : Number(value ?? Number.NaN)
  const at = !isDate && written < secondsMax ? written * secondMs : written
  return at > 0 && !Number.isNaN(new Date(at).getTime()) ? at : null
}
