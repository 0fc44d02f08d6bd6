import { Elysia } from 'elysia'
import { rateWindowMs } from '../base/rateLimits.ts'
import type { AnswerHeaders } from './answers.ts'
import type { Admission } from './limiter.ts'
import { requestIdLengthMax } from './limits.ts'
import type { PeerLookup, Peers } from './peer.ts'
import type { RequestHead } from './requestHead.ts'

/** Safe in a log line and in a header, for any sender. */
const acceptable = new RegExp(`^[A-Za-z0-9._-]{1,${requestIdLengthMax}}$`)

/** @returns the caller's `X-Request-Id`; null when there is none, or when it is not harmless. */
export function givenRequestId(request: RequestHead): string | null {
  const given = request.headers.get('x-request-id')
  return given !== null && acceptable.test(given) ? given : null
}

/** @returns the caller's `X-Request-Id`, else a new one (docs/partner-api.md#headers). */
export const requestIdOf = (request: Request): string => givenRequestId(request) ?? crypto.randomUUID()

/** A year, as usual. Not for subdomains, which may belong to other services. */
const strictTransport = 'max-age=31536000'

/** @returns the headers of every answer: the request's id, and rules for browsers. */
export function answerHeaders(
  peers: Pick<Peers, 'cameByTls'>,
  request: Request,
  server: PeerLookup | null,
): AnswerHeaders & { 'x-request-id': string } {
  const headers = {
    'x-request-id': requestIdOf(request),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  }
  // RFC 6797 7.2: only with TLS; browsers ignore it elsewhere.
  if (!peers.cameByTls(request, server)) return headers
  return { ...headers, 'strict-transport-security': strictTransport }
}

/** Adds them to the answers of the routes after it. Partner endpoints add their own. */
export const answerHeadersHook = (peers: Pick<Peers, 'cameByTls'>) =>
  new Elysia({ name: 'answer-headers' }).onBeforeHandle({ as: 'global' }, ({ request, set, server }) => {
    Object.assign(set.headers, answerHeaders(peers, request, server))
  })

/** Adds the state of a limit of requests (docs/partner-api.md#rate-limits). */
export function tellLimit({ limit, remaining, resetsInMs }: Admission, headers: AnswerHeaders): void {
  headers['ratelimit-limit'] = String(limit)
  headers['ratelimit-remaining'] = String(remaining)
  headers['ratelimit-reset'] = String(Math.ceil(resetsInMs / 1000))
  headers['ratelimit-policy'] = `${limit};w=${rateWindowMs / 1000}`
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const beyondAscii = /[\x80-\xff]/

/**
 * Reads the text of a header that may hold more than ASCII. HTTP does not define the encoding of its bytes (RFC
 * 9110 5.5), and the server reads them as latin1. Most clients write UTF-8, some latin1: bytes that are not UTF-8 are
 * read as latin1.
 * @param value as the server gives it, one character for each byte
 */
export function headerText(value: string): string {
  if (!beyondAscii.test(value)) return value
  try {
    return utf8.decode(Buffer.from(value, 'latin1'))
  } catch {
    return value
  }
}
