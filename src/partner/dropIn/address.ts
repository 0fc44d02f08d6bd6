/**
 * The server hands on any `Host`, also one with which there is no address: then the path and the query count alone.
 * @returns where a request goes, whoever sends it
 */
export const addressOf = ({ url }: Request): URL =>
  URL.parse(url) ?? new URL(url.replace(/^https?:\/\/[^/]*/i, ''), 'http://localhost')
