import { GatewayError, invalid } from '../../base/errors.ts'

/**
 * The server accepts any `Host` header, also one that makes no valid address. Then only path and query are used.
 * @returns the address of a request; it never throws
 */
export const addressOf = ({ url }: Pick<Request, 'url'>): URL =>
  URL.parse(url) ?? new URL(url.replace(/^https?:\/\/[^/]*/i, ''), 'http://localhost')

/** What clients say to this gateway in a query, whatever they ask. */
export const ownParameters: readonly string[] = ['access_token', 'appsecret_proof']

/**
 * Of a change that this gateway makes itself, which reads its body alone.
 * @throws GatewayError VALIDATION_ERROR when its query says something: it would not be done
 */
export function refuseQuery(request: Pick<Request, 'url'>): void {
  const names = [...new Set(addressOf(request).searchParams.keys())].filter(name => !ownParameters.includes(name))
  const issues = names.map(name => ({ path: `/${name}`, message: 'is not read from the query: write it in the body' }))
  if (issues.length > 0) throw new GatewayError(invalid(issues))
}
