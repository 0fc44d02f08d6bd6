import type { SteadyMs } from '../../src/clock.ts'
import { fullPace, paceWindowMs, rateOf, recovered } from '../../src/message/slowdown.ts'
import { databaseNow, leaseMs } from './instances.ts'
import { type Connection, jsonRows } from './open.ts'

/** Departures that were given to one instance. They are used until `endsAt`, or lost. */
export interface Grant {
  readonly endsAt: number
  readonly count: number
}

/** The time a grant lasts is rounded up to these steps, so that a line has few grants at a time. */
const grantStepMs = 10

/**
 * The rule of a line's pace over all instances. A grant given at `now` is used between then and its end. It is at most what
 * the rate leaves after all grants that ended less than a second ago, or are still used. So no second has more departures
 * than the rate: of the grants that are used in a second, the last given one saw all others of that second.
 * @param rate of departures in any second
 * @param lasting grants that count
 * @returns how many of `count` are given, and otherwise when one is free again
 */
export function shareOf(
  rate: number,
  grants: readonly Grant[],
  count: number,
  now: number,
): { granted: number; lasting: readonly Grant[]; waitMs: number } {
  const lasting = grants.filter(({ endsAt }) => endsAt > now - paceWindowMs).toSorted((a, b) => a.endsAt - b.endsAt)
  let used = lasting.reduce((sum, grant) => sum + grant.count, 0)
  const granted = Math.max(0, Math.min(count, rate - used))
  if (granted === count) return { granted, lasting, waitMs: 0 }
  // What is given here is not free for as long as its own validity, so this is the earliest time.
  used += granted
  for (const { endsAt, count: freed } of lasting) {
    used -= freed
    if (used < rate) return { granted, lasting, waitMs: Math.max(1, endsAt + paceWindowMs - now) }
  }
  return { granted, lasting, waitMs: paceWindowMs }
}

/** What became of the wish of one line. The first `granted` of its messages may leave. */
export interface Share {
  readonly granted: number
  /** As in Clearance. */
  readonly validMs: number
  readonly waitMs: number
}

interface PaceRow {
  readonly lineId: string
  readonly perSecond: number
  readonly hasRow: boolean
  readonly slowdown: number | null
  readonly slowedAt: number | null
  readonly pausedUntil: number | null
  readonly ends: string | null
  readonly counts: string | null
  readonly now: number
}

// A line without a limit has nothing to share: its row is read, for a pause, and not locked.
const lockPaces = `WITH limited AS (
    SELECT * FROM line_paces WHERE line_id IN (SELECT id FROM lines WHERE id = ANY($1::text[]) AND per_second > 0)
    ORDER BY line_id FOR UPDATE
  )
  SELECT lines.id AS "lineId", per_second::float8 AS "perSecond", limited.line_id IS NOT NULL AS "hasRow",
    limited.slowdown::float8 AS slowdown, limited.slowed_at::float8 AS "slowedAt",
    greatest(limited.paused_until, unlimited.paused_until, channel_pauses.paused_until)::float8 AS "pausedUntil",
    to_json(limited.grant_ends)::text AS ends, to_json(limited.grant_counts)::text AS counts,
    ${databaseNow}::float8 AS now
  FROM lines
  LEFT JOIN limited ON limited.line_id = lines.id
  LEFT JOIN line_paces AS unlimited ON unlimited.line_id = lines.id AND per_second = 0
  LEFT JOIN channel_pauses ON channel_pauses.channel_id = lines.channel_id
  WHERE lines.id = ANY($1::text[])`

/** The paces of some lines, locked until the end of the transaction. */
export interface Paces {
  /**
   * Gives departures of a line. Only once for each line.
   * @param count how many messages ask to leave
   */
  take(lineId: string, count: number): Share
  /** Stores what was given. */
  write(): Promise<void>
}

/**
 * Locks the paces of lines, before their messages.
 * @param validMs how long a departure stays usable, counted from before the call
 */
export async function loadPaces({ query }: Connection, lineIds: readonly string[], validMs: number): Promise<Paces> {
  const load = () => query<PaceRow>(lockPaces, [lineIds])
  let rows = lineIds.length === 0 ? [] : await load()
  const fresh = rows.filter(({ perSecond, hasRow }) => perSecond > 0 && !hasRow).map(({ lineId }) => lineId)
  if (fresh.length > 0) {
    await query(
      `INSERT INTO line_paces (line_id) SELECT id FROM unnest($1::text[]) AS id ORDER BY id COLLATE "C"
       ON CONFLICT DO NOTHING`,
      [fresh],
    )
    rows = await load()
  }
  const byLine = new Map(rows.map(row => [row.lineId, row]))
  const changed: { lineId: string; ends: number[]; counts: number[] }[] = []

  return {
    take(lineId, count) {
      const row = byLine.get(lineId)
      if (!row) throw new Error('The pace of a line was not loaded.')
      const { perSecond, pausedUntil, now } = row
      if (pausedUntil !== null && pausedUntil > now) return { granted: 0, validMs, waitMs: pausedUntil - now }
      // Not for ever: after its lease, this instance may have been thought dead.
      if (perSecond === 0) return { granted: count, validMs: leaseMs, waitMs: 0 }
      const rate = rateOf(perSecond, recovered(slowdownOf(row), now))
      const { granted, lasting, waitMs } = shareOf(rate, grantsOf(row), count, now)
      if (granted > 0) {
        const endsAt = Math.ceil((now + validMs) / grantStepMs) * grantStepMs
        const counts = new Map(lasting.map(grant => [grant.endsAt, grant.count]))
        counts.set(endsAt, (counts.get(endsAt) ?? 0) + granted)
        changed.push({ lineId, ends: [...counts.keys()], counts: [...counts.values()] })
      }
      return { granted, validMs, waitMs }
    },

    async write() {
      if (changed.length === 0) return
      await query(
        `UPDATE line_paces SET grant_ends = ends, grant_counts = counts
         FROM json_to_recordset($1::text::json) AS given ("lineId" text, ends bigint[], counts bigint[])
         WHERE line_id = "lineId"`,
        [jsonRows(changed)],
      )
    },
  }
}

export const slowdownOf = ({ slowdown, slowedAt }: Pick<PaceRow, 'slowdown' | 'slowedAt'>) =>
  slowdown === null || slowedAt === null ? fullPace : { divisor: slowdown, slowedAt }

function grantsOf({ ends, counts }: PaceRow): Grant[] {
  const given: number[] = JSON.parse(counts ?? '[]')
  return (JSON.parse(ends ?? '[]') as number[]).map((endsAt, at) => ({ endsAt, count: given[at] ?? 0 }))
}

/** Even the fastest database: a message that is cleared has to reach its hand-over. */
const validMsMin = 100
/** After its lease, an instance that has stood still must not use what it was given. */
const validMsMax = leaseMs
/** A grant lasts this many times as long as the calls have taken lately. */
const validShare = 2
/** The weight of a call that was faster than those before it, where the last one was less than `fasterStepMs` ago. */
const fasterWeight = 1 / 16
/**
 * The longer ago the last call was, the more a faster one weighs. A line whose departures are all given out for long asks
 * rarely: by number of calls alone, it would take minutes to find out that the database is fast again.
 */
const fasterStepMs = 50

/**
 * How long departures are given for: it follows the time that the calls take. So a slow database makes a line slower, and
 * never lets all departures run out before their messages are known to be cleared.
 */
export class Validity {
  #callMs = 0
  #observedAt: SteadyMs = 0

  /**
   * @param ms from the call to its answer
   * @param at when the answer came
   */
  observe(ms: number, at: SteadyMs): void {
    const steps = Math.max(1, (at - this.#observedAt) / fasterStepMs)
    const weight = 1 - (1 - fasterWeight) ** steps
    this.#callMs = Math.max(ms, this.#callMs + (ms - this.#callMs) * weight)
    this.#observedAt = at
  }

  get ms(): number {
    return Math.round(Math.min(Math.max(this.#callMs * validShare, validMsMin), validMsMax))
  }
}
