import type { KeyScope } from './keyScopes.ts'

/** Tells a token from a key, and from the tokens of the upstream platform. */
const tokenPattern = /^wp_([0-9A-Za-z]{1,100})_([0-9A-Za-z]{1,100})$/

const tokensIn = /wp_[0-9A-Za-z]{1,100}_[0-9A-Za-z]{1,100}/g

/** @returns a text of a caller without such tokens: clients write one where an id should be */
export const withoutTokens = (text: string): string => text.replaceAll(tokensIn, 'wp_…')

/** What stands before the random part of a key id, `pk_`, and of its secret, `sk_`. */
const prefixChars = 3

/**
 * The one string that clients of the upstream platform send in place of a key and its secret (docs/drop-in.md). It
 * consists of the two, so that it is stored nowhere, and ends and is rotated with them.
 * @param apiKey `pk_…`
 * @param apiSecret `sk_…`
 */
export const graphTokenOf = (apiKey: string, apiSecret: string): string =>
  `wp_${apiKey.slice(prefixChars)}_${apiSecret.slice(prefixChars)}`

/** @returns the key and its secret; null: this is no such token */
export function pairOfGraphToken(token: string): { readonly keyId: string; readonly secret: string } | null {
  const [, id, secret] = tokenPattern.exec(token) ?? []
  return id === undefined ? null : { keyId: `pk_${id}`, secret: `sk_${secret}` }
}

/** Whether a key with these scopes has a token. */
export const hasGraphToken = (scopes: readonly KeyScope[] | null): boolean => scopes?.includes('graph') ?? false
