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
