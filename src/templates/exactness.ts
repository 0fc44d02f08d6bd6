import { issuesMax, pointer } from '../base/issues.ts'

/**
 * Finds whole numbers that JSON readers round, and numbers that JSON writes as null because they are too large:
 * forwarded content must not change. No pointers are built for a correct value, and the search ends once an answer can
 * hold no more problems.
 * @returns pointers below `root`
 */
export function inexactNumbers(value: unknown, root: string): string[] {
  const found: string[] = []
  search(value, { root, keys: [] }, found)
  return found
}

/** The current position: one list of keys for the whole walk. */
interface Path {
  readonly root: string
  readonly keys: string[]
}

function search(value: unknown, path: Path, found: string[]): void {
  if (typeof value === 'number') {
    if (!isExact(value)) found.push(path.root + pointer(...path.keys))
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    if (found.length >= issuesMax) return
    path.keys.push(key)
    search((value as Record<string, unknown>)[key], path, found)
    path.keys.pop()
  }
}

/** The rounding of fractions is accepted. */
const isExact = (value: number) => (Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value))

export const inexactNumber = 'is beyond the numbers that JSON keeps exactly; write it as a string'
