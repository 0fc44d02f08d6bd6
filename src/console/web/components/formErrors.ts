import { toFailure } from '../api/failure.ts'
import { texts } from '../texts/texts.ts'
import { type Bounds, whole, wholeOf } from './numbers.ts'

/** @returns the problems of a refused form by field: `/expiresAt` belongs to `expiresAt`. */
export function fieldErrors(thrown: unknown): Record<string, string> {
  return Object.fromEntries(
    toFailure(thrown).issues.map(({ path, message }) => [path.split('/')[1] ?? '', capital(message)]),
  )
}

/** @returns what is wrong with a number as it was typed; null: nothing */
export const wholeNumberError = (typed: string, bounds: Bounds): string | null =>
  wholeOf(typed, bounds) === null ? texts.common.wholeNumber(whole(bounds.min), whole(bounds.max)) : null

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
