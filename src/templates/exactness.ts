import { pointer } from './pointer.ts'

/**
 * Finds whole numbers that JSON readers round, and numbers beyond all bounds, which JSON writes as null: what is forwarded
 * untouched must not change on the way.
 * @returns pointers below `root`
 */
export function inexactNumbers(value: unknown, root: string): string[] {
  if (typeof value === 'number') return isExact(value) ? [] : [root]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => inexactNumbers(inner, root + pointer(key)))
}

/** What JSON readers do to the last digits of a fraction is left alone. */
const isExact = (value: number) => (Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value))

export const inexactNumber = 'is beyond the numbers that JSON keeps exactly; write it as a string'
