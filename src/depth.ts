/** True when the value has more levels of arrays and objects than that. Stops at the bound, so it cannot overflow. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  return Object.values(value).some(inner => isDeeperThan(inner, levels - 1))
}
