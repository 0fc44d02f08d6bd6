import { judge } from '../../src/base/rateLimits.ts'
import type { RateAdmission, Shared } from '../contract/shared.ts'
import type { StoreWrites } from '../contract/store.ts'
import { type Connection, jsonRows } from './open.ts'

export type Count = Parameters<Shared['admit']>[0]

/** Equal requests, as `count_requests_1` takes them. */
interface Group {
  readonly subjects: readonly string[]
  readonly limits: readonly number[]
  readonly windowMs: number
  wanted: number
}

interface Counted {
  /** Of the subjects, before the requests. */
  readonly counts: readonly number[]
  /** How many of the equal requests count. */
  readonly granted: number
  readonly now: number
}

/** All requests of a turn at once, in one statement. It only counts; `judge` decides. */
export async function admitAll({ query }: Connection, calls: readonly Count[]): Promise<RateAdmission[][]> {
  const groups = new Map<string, Group>()
  const asked = calls.map(({ requests, windowMs }) =>
    requests.map(request => {
      const subjects = request.subjects.map(({ subject }) => subject)
      const limits = request.subjects.map(({ limit }) => limit)
      const key = JSON.stringify([subjects, limits, windowMs])
      const group = groups.get(key) ?? { subjects, limits, windowMs, wanted: 0 }
      groups.set(key, group)
      group.wanted += 1
      return { group, place: group.wanted - 1 }
    }),
  )
  const rows = await query<Counted>('SELECT counts, granted, now FROM count_requests_1($1::text::json)', [
    jsonRows([...groups.values()]),
  ])
  const counted = new Map([...groups.values()].map((group, at) => [group, rows[at]] as const))
  return asked.map(requests => requests.map(({ group, place }) => admissionOf(group, counted.get(group), place)))
}

/** @param place of the request among its equals: those before it were counted first */
function admissionOf(
  { subjects, limits, windowMs }: Group,
  counted: Counted | undefined,
  place: number,
): RateAdmission {
  if (!counted) throw new Error('the database has not answered a request')
  const { counts, granted, now } = counted
  const before = Math.min(place, granted)
  const verdict = judge(
    counts.map(count => count + before),
    limits,
  )
  const { admitted, limit, remaining, tightest } = verdict
  return { admitted, subject: subjects[tightest] ?? '', limit, remaining, resetsInMs: windowMs - (now % windowMs) }
}

export function windowVerbs({ query }: Connection) {
  return {
    async countRequests({ windows }: Parameters<StoreWrites['countRequests']>[0]) {
      await query(
        `INSERT INTO rate_windows (subject, starts_at, count)
         SELECT subject, "startsAt", count
         FROM json_to_recordset($1::text::json) AS counted (subject text, "startsAt" bigint, count bigint)
         ORDER BY subject COLLATE "C"
         ON CONFLICT (subject) DO UPDATE SET starts_at = excluded.starts_at, count = excluded.count`,
        [jsonRows(windows)],
      )
    },
  } satisfies Partial<StoreWrites>
}
