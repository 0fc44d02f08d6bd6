import type { Refusal } from '../base/errors.ts'
import { type KeyScope, usualScopes } from '../base/keyScopes.ts'

/** @param allowed the scopes of a key; null: it was made without */
export const hasScope = (allowed: readonly KeyScope[] | null, scope: KeyScope): boolean =>
  (allowed ?? usualScopes).includes(scope)

/** What a key is told that lacks a scope. */
export const lacking = (scope: KeyScope): Refusal => ({
  reason: 'FORBIDDEN',
  message: `The API key may not do this: it lacks the scope ${scope}.`,
  details: { scope },
})

/**
 * @param allowed the scopes of a key; null: it was made without
 * @param needed all that a call needs
 * @returns why it may not make the call; null: it may
 */
export function beyondScopes(allowed: readonly KeyScope[] | null, needed: readonly KeyScope[]): Refusal | null {
  const missing = needed.find(scope => !hasScope(allowed, scope))
  return missing === undefined ? null : lacking(missing)
}
