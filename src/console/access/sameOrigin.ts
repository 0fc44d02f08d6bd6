/**
 * Whether a request was made by a page of this gateway, or by no page at all. Browsers add `Sec-Fetch-Site` (to secure
 * addresses) and `Origin` (to every POST), and no page can change them. A program that is no browser sends neither, and
 * has no cookies of a user either.
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
