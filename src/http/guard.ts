import type { StoreReads } from '../../db/store.ts'
import type { Clock } from '../clock.ts'
import type { Refusal } from '../errors.ts'
import type { Metrics } from '../metrics.ts'
import { rateWindowMs } from '../rateLimits.ts'
import type { AnswerHeaders } from './json.ts'
import { KeyNetworks } from './keyNetworks.ts'
import { type Caller, givenKey, ownerOf } from './keys.ts'
import type { KeyUse } from './keyUse.ts'
import type { Admission, RateLimiter } from './limiter.ts'
import type { PeerLookup, Peers } from './peer.ts'

export interface GuardParts {
  readonly read: StoreReads
  readonly limiter: RateLimiter
  readonly ipRateLimit: number
  readonly keyRateLimit: number
  readonly peers: Peers
  readonly keyUse: KeyUse
  readonly clock: Clock
  readonly metrics: Metrics
}

export type Passage =
  | { readonly ok: true; readonly caller: Caller }
  /** `isFirst`: the first of its kind for this caller in this window. */
  | { readonly ok: false; readonly refusal: Refusal; readonly isFirst: boolean }

/** Writes the state of the tighter of the two limits to `headers`. */
export type Guard = (request: Request, server: PeerLookup | null, headers: AnswerHeaders) => Promise<Passage>

const unauthorized: Passage = {
  ok: false,
  isFirst: true,
  refusal: { reason: 'UNAUTHORIZED', message: 'Send a valid pair of apiKey and apiSecret headers.' },
}

/**
 * The first checks of every partner request: limit per address, key, limit per key
 * (docs/partner-api.md#order-of-checks).
 */
export function createGuard(parts: GuardParts): Guard {
  const { read, limiter, ipRateLimit, keyRateLimit, peers, keyUse, clock, metrics } = parts
  const keyNetworks = new KeyNetworks()
  const exceed = (limit: 'address' | 'key', admission: Admission) => {
    metrics.rateLimitRefusals.add(limit)
    return exceeded(admission)
  }
  return async (request, server, headers) => {
    const networks = ipRateLimit === 0 ? null : peers.networksOf(request, server)
    let byAddress = networks && (await limiter.admitAddress(networks, ipRateLimit))
    if (byAddress) tell(byAddress, headers)
    if (byAddress?.admitted === false) return exceed('address', byAddress)
    const { keyId, secret } = givenKey(request.headers)
    const caller = ownerOf(await read.key(keyId), secret, {
      at: clock.now(),
      isAllowed: allowed => keyNetworks.admit(allowed, peers.addressOf(request, server)),
    })
    if (networks && !byAddress) {
      byAddress = await limiter.admitBeyond(networks, ipRateLimit, caller !== null)
      tell(byAddress, headers)
      if (!byAddress.admitted) return exceed('address', byAddress)
    }
    if (!caller) return unauthorized
    keyUse.used(keyId)
    const byKey = keyRateLimit === 0 ? null : await limiter.admitKey(keyId, keyRateLimit)
    if (byKey && isTighter(byKey, byAddress)) tell(byKey, headers)
    if (byKey?.admitted === false) return exceed('key', byKey)
    return { ok: true, caller }
  }
}

const isTighter = (one: Admission, other: Admission | null) =>
  other === null || !one.admitted || one.remaining < other.remaining

function tell({ limit, remaining, resetsInMs }: Admission, headers: AnswerHeaders): void {
  headers['ratelimit-limit'] = String(limit)
  headers['ratelimit-remaining'] = String(remaining)
  headers['ratelimit-reset'] = String(Math.ceil(resetsInMs / 1000))
  headers['ratelimit-policy'] = `${limit};w=${rateWindowMs / 1000}`
}

const exceeded = ({ limit, resetsInMs, isFirstRefusal }: Admission): Passage => ({
  ok: false,
  isFirst: isFirstRefusal,
  refusal: {
    reason: 'RATE_LIMIT_EXCEEDED',
    message: `The limit of ${limit} requests per 15 minutes is reached. Try again after Retry-After seconds.`,
    retryAfterMs: resetsInMs,
  },
})
