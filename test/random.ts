/** Numbers from 0 to below `max`, the same ones in each run. */
export function randomOf(seed: number): (max: number) => number {
  let state = seed * 2_654_435_761
  return max => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * max)
  }
}
