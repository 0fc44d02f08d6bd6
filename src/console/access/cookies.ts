/** Only the routes that refresh and end sign-ins get the cookies. */
const path = '/api/v1/auth'

export const refreshCookie = 'waypost_refresh'

/** Our headers are shorter; a longer one is not searched. */
const headerLengthMax = 8_192

/** @returns the value of a cookie of the request; null when there is none. */
export function cookieOf(request: Request, name: string): string | null {
  const header = request.headers.get('cookie') ?? ''
  return header.length > headerLengthMax ? null : new Bun.CookieMap(header).get(name) || null
}

/**
 * `HttpOnly`: scripts cannot read it. `SameSite=Strict`: pages of other sites cannot make the browser send it.
 * @param given `maxAgeMs` 0 deletes the cookie
 */
export function setCookie(given: { name: string; value: string; maxAgeMs: number; byTls: boolean }): string {
  const { name, value, maxAgeMs, byTls: secure } = given
  const maxAge = Math.floor(maxAgeMs / 1000)
  return new Bun.Cookie({ name, value, path, maxAge, httpOnly: true, sameSite: 'strict', secure }).toString()
}

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
