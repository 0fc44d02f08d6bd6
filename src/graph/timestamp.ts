/**
 * The end of the year 9999: a later year has five digits, which no `date-time` of an answer may have (RFC 3339). Times
 * in milliseconds are beyond it too.
 */
const secondsMax = 253_402_300_799

/** @returns Unix seconds, a number or its digits, as epoch milliseconds; null for anything else. */
export function timestamp(value: unknown): number | null {
  const seconds = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof seconds === 'number' && seconds >= 0 && seconds <= secondsMax ? Math.floor(seconds * 1000) : null
}
