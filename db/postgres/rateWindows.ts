import { judge } from '../../src/rateLimits.ts'
import type { RateAdmission, RateRequest, Shared } from '../shared.ts'
import { databaseNow } from './instances.ts'
import { type Connection, jsonRows } from './open.ts'
import type { Verbs } from './verbs.ts'

export type Count = Parameters<Shared['admit']>[0]

interface Window {
  readonly subject: string
  readonly count: number
  readonly now: number
}

/**
 * All requests of a turn at once: the rows of their subjects are locked, in one order. A window is not worth the wait for
 * the server's disk: after a crash of the server, the requests of the last moment may not be counted.
 */
export async function admitAll({ query }: Connection, calls: readonly Count[]): Promise<RateAdmission[][]> {
  const windowMsBySubject = new Map<string, number>()
  for (const { requests, windowMs } of calls) {
    for (const { subjects } of requests) for (const { subject } of subjects) windowMsBySubject.set(subject, windowMs)
  }
  const windows = await query<Window>(
    `INSERT INTO rate_windows (subject, starts_at, count)
     SELECT subject, now - now % "windowMs", 0
     FROM json_to_recordset($1::text::json) AS asked (subject text, "windowMs" bigint),
       (SELECT ${databaseNow}::bigint AS now, set_config('synchronous_commit', 'off', true)) AS clock
     ORDER BY subject COLLATE "C"
     ON CONFLICT (subject) DO UPDATE SET
       starts_at = greatest(rate_windows.starts_at, excluded.starts_at),
       count = CASE WHEN rate_windows.starts_at < excluded.starts_at THEN 0 ELSE rate_windows.count END
     RETURNING subject, count::float8 AS count, ${databaseNow}::float8 AS now`,
    [jsonRows([...windowMsBySubject].map(([subject, windowMs]) => ({ subject, windowMs })))],
  )
  const now = windows[0]?.now ?? 0
  const counts = new Map(windows.map(({ subject, count }) => [subject, count]))
  const raised = new Set<string>()
  const admit = ({ subjects }: RateRequest, windowMs: number): RateAdmission => {
    const verdict = judge(
      subjects.map(({ subject }) => counts.get(subject) ?? 0),
      subjects.map(({ limit }) => limit),
    )
    const { admitted, limit, remaining } = verdict
    if (admitted) {
      for (const { subject } of subjects) {
        counts.set(subject, (counts.get(subject) ?? 0) + 1)
        raised.add(subject)
      }
    }
    const subject = subjects[verdict.tightest]?.subject ?? ''
    return { admitted, subject, limit, remaining, resetsInMs: windowMs - (now % windowMs) }
  }
  const admissions = calls.map(({ requests, windowMs }) => requests.map(request => admit(request, windowMs)))
  if (raised.size > 0) {
    await query(
      `UPDATE rate_windows SET count = raised.count
       FROM json_to_recordset($1::text::json) AS raised (subject text, count bigint)
       WHERE rate_windows.subject = raised.subject`,
      [jsonRows([...raised].map(subject => ({ subject, count: counts.get(subject) ?? 0 })))],
    )
  }
  return admissions
}

export function windowVerbs({ query }: Connection) {
  return {
    async countRequests({ windows }: Parameters<Verbs['countRequests']>[0]) {
      await query(
        `INSERT INTO rate_windows (subject, starts_at, count)
         SELECT subject, "startsAt", count
         FROM json_to_recordset($1::text::json) AS counted (subject text, "startsAt" bigint, count bigint)
         ORDER BY subject COLLATE "C"
         ON CONFLICT (subject) DO UPDATE SET starts_at = excluded.starts_at, count = excluded.count`,
        [jsonRows(windows)],
      )
    },
  } satisfies Partial<Verbs>
}
