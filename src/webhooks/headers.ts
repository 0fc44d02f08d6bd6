/** A few: a token, a tenant. */
export const ownHeadersMax = 10
const nameCharsMax = 100
const valueCharsMax = 1_000

/** RFC 9110 5.6.2. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const printableAscii = /^[\x20-\x7e]*$/

/** What a request of ours has, or what is between two ends of a connection (RFC 9110 7.6.1). */
const ours = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
])

/** @returns why these cannot be the headers that a caller adds to its webhook; null when they can */
export function ownHeadersProblem(headers: Readonly<Record<string, string>>): string | null {
  const entries = Object.entries(headers)
  if (entries.length > ownHeadersMax)
    return `there are ${entries.length} headers; at most ${ownHeadersMax} can be added`
  const names = entries.map(([name]) => name.toLowerCase())
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) return `the header ${twice} is there twice`
  for (const [name, value] of entries) {
    if (!token.test(name)) return `${JSON.stringify(name)} is no name of a header`
    if (name.length > nameCharsMax) return `the name of a header has more than ${nameCharsMax} characters`
    const lower = name.toLowerCase()
    if (ours.has(lower) || lower.startsWith('webhook-') || lower.startsWith('x-hub-') || lower.startsWith('content-'))
      return `the header ${name} is set by Waypost, and cannot be added`
    if (value.length > valueCharsMax) return `the value of the header ${name} has more than ${valueCharsMax} characters`
    if (!printableAscii.test(value)) return `the value of the header ${name} has characters other than printable ASCII`
  }
  return null
}
