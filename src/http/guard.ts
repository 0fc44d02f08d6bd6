import { Elysia } from 'elysia'
import type { StoreReads } from '../../db/store.ts'
import { GatewayError } from '../errors.ts'
import { addressKey, type Cidr, callerAddress, networkMatcher } from '../network.ts'
import { isJson } from './body.ts'
import { type Caller, checkKey } from './keys.ts'
import { type Admission, type Limiter, rateWindowMs } from './limiter.ts'

/** Every address of the partner API begins so (contract, "Versioning"). */
export const partnerPrefix = '/api/v1/public'

const callers = new WeakMap<Request, Caller>()

/** @throws GatewayError UNAUTHORIZED when the guard did not identify the caller: a missed guard fails closed */
export function callerOf(request: Request): Caller {
  const caller = callers.get(request)
  if (!caller) throw unauthorized()
  return caller
}

const unauthorized = () =>
  new GatewayError({
    reason: 'UNAUTHORIZED',
    message: 'Send a valid pair of apiKey and apiSecret headers.',
  })

/**
 * What every partner request passes before its body is read, in this order: limit per address, key, limit per key,
 * type of the body.
 */
export function partnerGuard(parts: {
  read: StoreReads
  limiter: Limiter
  ipRateLimit: number
  keyRateLimit: number
  trustProxy: readonly Cidr[]
}) {
  const { read, limiter, ipRateLimit, keyRateLimit } = parts
  const isTrusted = networkMatcher(parts.trustProxy)
  /** What the caller's address is counted under. */
  function addressOf(request: Request, server: Elysia['server']): string {
    const peer = server?.requestIP(request)?.address ?? 'local'
    return addressKey(callerAddress(peer, request.headers.get('x-forwarded-for'), isTrusted))
  }

  return new Elysia({ name: 'partner-guard' }).onRequest(async context => {
    // `path` is there at run time and missing in the type.
    const { request, path, set, server } = context as typeof context & { path: string }
    if (!isPartnerPath(path) && !isPartnerPath(pathAfterHost(request.url))) return
    const byIp =
      ipRateLimit === 0 ? null : limit(limiter, `ip:${addressOf(request, server)}`, ipRateLimit, set.headers, null)
    const check = await checkKey(read, request.headers)
    if (check.status === 'refused') throw unauthorized()
    limit(limiter, `key:${check.caller.keyId}`, keyRateLimit, set.headers, byIp)
    callers.set(request, check.caller)

    if (request.method !== 'POST') return
    if (!isJson(request.headers.get('content-type'))) {
      throw new GatewayError({
        reason: 'UNSUPPORTED_MEDIA_TYPE',
        message: 'Send the body as JSON, with the header Content-Type: application/json.',
      })
    }
  })
}

const isPartnerPath = (path: string) => path.startsWith(`${partnerPrefix}/`)

/**
 * Elysia cuts the path of a dynamic route at a fixed place, which a Host header of less than four characters shifts; the
 * server's own router looks at what follows the host. A request is guarded when either of them may route it here.
 */
function pathAfterHost(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  return start === -1 ? '/' : url.slice(start)
}

/** Counts the request, tells the caller where the tighter limit stands, and refuses what is over. */
function limit(
  limiter: Limiter,
  subject: string,
  requests: number,
  headers: Record<string, string | number | string[] | undefined>,
  other: Admission | null,
): Admission | null {
  if (requests === 0) return other
  const admission = limiter.admit(subject, requests)
  if (other === null || !admission.admitted || admission.remaining < other.remaining) {
    headers['ratelimit-limit'] = String(admission.limit)
    headers['ratelimit-remaining'] = String(admission.remaining)
    headers['ratelimit-reset'] = String(Math.ceil(admission.resetsInMs / 1000))
    headers['ratelimit-policy'] = `${admission.limit};w=${rateWindowMs / 1000}`
  }
  if (!admission.admitted) {
    throw new GatewayError({
      reason: 'RATE_LIMIT_EXCEEDED',
      message: `The limit of ${admission.limit} requests per 15 minutes is reached. Try again after Retry-After seconds.`,
      retryAfterMs: admission.resetsInMs,
    })
  }
  return admission
}
