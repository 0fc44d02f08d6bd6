/**
 * When each version of the upstream's API came, as days in UTC, oldest first (docs/platform.md#versions-of-the-api). A
 * version is served until two years after the next one came.
 */
const released = {
  'v23.0': '2025-05-29',
  'v24.0': '2025-10-08',
  'v25.0': '2026-02-18',
  'v26.0': '2026-07-29',
} as const
const servedYears = 2

type Version = keyof typeof released

/** Oldest first. Any other has ended, never was, or came later. */
export const knownVersions = Object.keys(released) as Version[]

/** @returns the day up to which a version is served, `2028-07-29`; null when that is not known yet, or not here */
export function servedUntil(version: string): string | null {
  const at = knownVersions.indexOf(version as Version)
  const next = at === -1 ? undefined : knownVersions[at + 1]
  if (next === undefined) return null
  const [year = '', ...monthAndDay] = released[next].split('-')
  return [Number(year) + servedYears, ...monthAndDay].join('-')
}
