import { pointer } from './pointer.ts'

/**
 * Finds whole numbers that JSON readers round: what is forwarded untouched must not change on the way.
 * @returns pointers below `root`
 */
export function inexactNumbers(value: unknown, root: string): string[] {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) ? [root] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => inexactNumbers(inner, root + pointer(key)))
}

export const inexactNumber = 'is beyond the numbers that JSON keeps exactly; write it as a string'
