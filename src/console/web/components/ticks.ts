/** The most lines that are still readable. */
const stepsMax = 5

/** @returns round numbers from 0 to above the largest count: 0, 500, 1000, 1500 for 1,234 */
export function roundTicks(largest: number): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, largest / stepsMax)))
  const step = [1, 2, 5, 10].map(factor => factor * power).find(size => largest / size < stepsMax) ?? 10 * power
  const steps = Math.floor(largest / step) + 1
  return Array.from({ length: steps + 1 }, (_, at) => at * step)
}
