import { sha256 } from '../base/crypto.ts'

/**
 * Writes a JSON value in its one canonical form: object keys sorted by code unit, no white space. Two bodies that
 * differ only in the order of their keys are the same send.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.keys(value)
    .sort()
    .map(key => `${JSON.stringify(key)}:${canonicalJson((value as Record<string, unknown>)[key])}`)
  return `{${fields.join(',')}}`
}

/** @returns the SHA-256 of a send body without its idempotency key (docs/partner-api.md#idempotency). */
export function fingerprint(body: object): string {
  const { idempotencyKey: _key, ...rest } = body as Record<string, unknown>
  return sha256(canonicalJson(rest))
}
