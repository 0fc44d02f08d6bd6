import type { SteadyMs } from '../../src/base/clock.ts'
import { minuteMs } from '../../src/base/durations.ts'
import { databaseNow, leaseMs } from './instances.ts'
import { type Connection, jsonRows } from './open.ts'

/** The result for one line. The first `granted` of its messages may leave. */
export interface Share {
  readonly granted: number
  /** As in HandOver. */
  readonly validMs: number
  readonly waitMs: number
}

/** Longer pauses are those of a clock that was ahead, or begin anew with the next answer of the upstream. */
const pauseMsMax = 10 * minuteMs
/** When a line that is held asks again: soon, where the wait is that of a clock that was ahead. */
export const heldFor = `(CASE WHEN wait_ms > ${pauseMsMax} THEN ${leaseMs} ELSE wait_ms END)::float8`

/** Locks the paces of lines until the end of the transaction. They come before messages in the order of locks. */
export const lockPaces = ({ query }: Connection, lineIds: readonly string[]) =>
  query('SELECT lock_paces_1($1::text[])', [lineIds])

/**
 * Gives departures of lines whose paces are locked, by the rule of `share_of_1`.
 * @param wishes how many messages of each line want to leave
 * @param validMs how long a departure stays usable, counted from before the call
 * @returns the grants, by line
 */
export async function giveDepartures(
  { query }: Connection,
  wishes: readonly { readonly lineId: string; readonly count: number }[],
  validMs: number,
): Promise<ReadonlyMap<string, Share>> {
  if (wishes.length === 0) return new Map()
  const given = await query<{ lineId: string; granted: number; validMs: number | null; waitMs: number }>(
    `SELECT "lineId", granted::float8 AS granted, valid_for::float8 AS "validMs", ${heldFor} AS "waitMs"
     FROM json_to_recordset($1::text::json) AS wish ("lineId" text, count bigint),
       give_departures_1("lineId", count, $2::bigint)`,
    [jsonRows(wishes), validMs],
  )
  // Not unlimited, even on a line without a limit: after its lease, this instance may have been considered dead.
  return new Map(given.map(({ lineId, validMs, ...share }) => [lineId, { ...share, validMs: validMs ?? leaseMs }]))
}

/** After the clock was ahead: its departures and pauses would hold a line until the time is as late. */
export async function shortenPaces({ query }: Connection): Promise<void> {
  const [pause, grant] = [`${databaseNow} + ${pauseMsMax}`, `${databaseNow} + ${2 * leaseMs}`]
  await query(
    `UPDATE line_paces SET
       slowed_at = CASE WHEN slowed_at > ${databaseNow} THEN ${databaseNow} ELSE slowed_at END,
       paused_until = CASE WHEN paused_until > ${pause} THEN ${pause} ELSE paused_until END,
       grant_ends = CASE WHEN ${grant} < ANY(grant_ends) THEN '{}' ELSE grant_ends END,
       grant_counts = CASE WHEN ${grant} < ANY(grant_ends) THEN '{}' ELSE grant_counts END
     WHERE line_id = ANY(ARRAY(
       SELECT line_id FROM line_paces
       WHERE slowed_at > ${databaseNow} OR paused_until > ${pause} OR ${grant} < ANY(grant_ends)
       ORDER BY line_id FOR UPDATE))`,
  )
  await query(`UPDATE channel_pauses SET paused_until = ${pause} WHERE paused_until > ${pause}`)
}

/** Even the fastest database: a message that is handed over has to reach its departure. */
const validMsMin = 100
/** After its lease, an instance that was suspended must not use its grants. */
const validMsMax = leaseMs
/** A grant lasts this many times as long as the calls have taken lately. */
const validShare = 2
/** The weight of a call that was faster than those before it, where the last one was less than `fasterStepMs` ago. */
const fasterWeight = 1 / 16
/**
 * The longer ago the last call was, the more a faster one weighs. A line whose departures are granted far ahead asks
 * rarely: counting calls alone, it would take minutes to notice that the database is fast again.
 */
const fasterStepMs = 50

/**
 * How long departures are granted for: it follows the duration of the calls. So a slow database makes a line slower,
 * but departures never expire before their messages are known to be handed over.
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
