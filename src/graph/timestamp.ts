/** The largest time that makes a date; anything else in a callback is no time. */
const secondsMax = 8_640_000_000_000

/** @returns Unix seconds, a number or its digits, as epoch milliseconds. */
export function timestamp(value: unknown): number | null {
  const seconds = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof seconds === 'number' && seconds >= 0 && seconds <= secondsMax ? Math.floor(seconds * 1000) : null
}
