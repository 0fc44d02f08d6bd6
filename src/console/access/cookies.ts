/** Only the routes that refresh and end sign-ins get the cookies. */
const cookiePath = '/api/v1/auth'

export const refreshCookie = 'waypost_refresh'

/** Our headers are shorter; a longer one is not searched. */
const headerLengthMax = 8_192

/** @returns the value of a cookie of the request; null when there is none. */
export function cookieOf(request: Request, name: string): string | null {
  const header = request.headers.get('cookie') ?? ''
  if (header.length > headerLengthMax) return null
  for (const pair of header.split(';')) {
    const [key, value] = pair.trim().split('=', 2)
    if (key === name && value !== undefined && value !== '') return value
  }
  return null
}

/**
 * `HttpOnly`: scripts cannot read it. `SameSite=Strict`: pages of other sites cannot make the browser send it.
 * @param maxAgeMs 0 deletes the cookie
 */
export function setCookie({
  name,
  value,
  maxAgeMs,
  byTls,
}: {
  name: string
  value: string
  maxAgeMs: number
  byTls: boolean
}): string {
  const parts = [
    `${name}=${value}`,
    `Path=${cookiePath}`,
    `Max-Age=${Math.floor(maxAgeMs / 1000)}`,
    'HttpOnly',
    'SameSite=Strict',
  ]
  if (byTls) parts.push('Secure')
  return parts.join('; ')
}
