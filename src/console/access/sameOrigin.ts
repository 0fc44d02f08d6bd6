/**
 * Whether a request came from a page of this gateway, or from no page at all. Browsers add `Sec-Fetch-Site` (to secure
 * addresses) and `Origin` (to every POST), and no page can change them. Programs other than browsers send neither, and
 * have no user's cookies either.
 * @param publicUrl behind a proxy that changes `Host`, the address that browsers see
 */
export function isOwnPage(request: Request, publicUrl: string | null): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin' || site === 'none'
  const origin = request.headers.get('origin')
  if (origin === null) return true
  const host = URL.parse(origin)?.host
  return host !== undefined && (host === request.headers.get('host') || host === hostOf(publicUrl))
}

const hostOf = (publicUrl: string | null) => (publicUrl === null ? null : URL.parse(publicUrl)?.host)
