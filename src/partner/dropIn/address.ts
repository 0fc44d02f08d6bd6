/**
 * The server accepts any `Host` header, also one that makes no valid address. Then only path and query are used.
 * @returns the address of a request; it never throws
 */
export const addressOf = ({ url }: Request): URL =>
  URL.parse(url) ?? new URL(url.replace(/^https?:\/\/[^/]*/i, ''), 'http://localhost')
