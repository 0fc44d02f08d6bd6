import { toFailure } from '../api/failure.ts'

/** @returns the problems of a refused form by field: `/expiresAt` belongs to `expiresAt`. */
export function fieldErrors(thrown: unknown): Record<string, string> {
  return Object.fromEntries(
    toFailure(thrown).issues.map(({ path, message }) => [path.split('/')[1] ?? '', capital(message)]),
  )
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
