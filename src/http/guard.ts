import type { Clock } from '../base/clock.ts'
import type { Refusal } from '../base/errors.ts'
import { isPrivate, networkMatcher, parseCidr } from '../base/network.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { AnswerHeaders } from './answers.ts'
import { tellLimit } from './headers.ts'
import { type FoundKey, type GivenKey, givenKey, isKept, type KeyCaller, ownerOf } from './keys.ts'
import type { KeyUse } from './keyUse.ts'
import type { Admission, RateLimiter } from './limiter.ts'
import type { PeerLookup, Peers } from './peer.ts'

export interface KeyGuardParts {
  /**
   * Called at each request, so that a revoked key stops at once. What it finds may be kept (`SendSettings.generation`),
   * but for `isAnew`.
   */
  readonly findKey: (keyId: string, isAnew: boolean) => Promise<FoundKey | null>
  /** Where a request has its key. */
  readonly keyGiven?: (request: Request) => GivenKey
  readonly limiter: RateLimiter
  readonly ipRateLimit: number
  readonly keyRateLimit: number
  readonly peers: Peers
  readonly keyUse: KeyUse
  readonly clock: Clock
  readonly metrics: Metrics
  readonly log: Logger
}

export type Passage =
  /** `renew`: the caller by what is stored now, null without a valid key. It counts nothing. */
  | { readonly ok: true; readonly caller: KeyCaller; readonly renew: () => Promise<KeyCaller | null> }
  /**
   * `isFirst`: the first of its kind for this caller in this window. `caller`: null without a valid key, or when the
   * key was not looked at any more.
   */
  | { readonly ok: false; readonly refusal: Refusal; readonly isFirst: boolean; readonly caller: KeyCaller | null }

/** Writes the state of the tighter of the two limits to `headers`. */
export type Guard = (request: Request, server: PeerLookup | null, headers: AnswerHeaders) => Promise<Passage>

export const noValidKey: Refusal = {
  reason: 'UNAUTHORIZED',
  message: 'Send a valid pair of apiKey and apiSecret headers.',
}
const refusedWith = (refusal: Refusal): Passage => ({ ok: false, isFirst: true, caller: null, refusal })
const unauthorized = refusedWith(noValidKey)
/** Of who signs in as at other APIs: nothing but the headers is looked at. */
const unauthorizedByToken = refusedWith({
  reason: 'UNAUTHORIZED',
  message: `${noValidKey.message} This API has no Authorization header and no token.`,
})

/**
 * The first checks of every partner request: limit per address, key, limit per key
 * (docs/partner-api.md#order-of-checks).
 */
export function createGuard(parts: KeyGuardParts): Guard {
  const {
    findKey,
    keyGiven = ({ headers }) => givenKey(headers),
    limiter,
    ipRateLimit,
    keyRateLimit,
    peers,
    keyUse,
    clock,
    metrics,
    log,
  } = parts
  const keyNetworks = new KeyNetworks()
  /** @returns null without a valid key */
  async function callerOf(request: Request, server: PeerLookup | null, isAnew = false): Promise<KeyCaller | null> {
    const { keyId, secret } = keyGiven(request)
    const found = await findKey(keyId, isAnew)
    const caller = ownerOf(found, secret, {
      at: clock.now(),
      isAllowed: allowed => keyNetworks.admit(allowed, peers.addressOf(request, server)),
    })
    // A limit of it may have been lifted.
    return caller === null && isKept(found) ? callerOf(request, server, true) : caller
  }
  function exceed(
    limit: keyof typeof settingOf,
    admission: Admission,
    address: string,
    caller: KeyCaller | null,
  ): Passage {
    metrics.rateLimitRefusals.add(limit)
    return { ...exceeded(admission, isPrivate(address) ? settingOf[limit] : null), caller }
  }
  /** @param findCaller called only at the first refusal of a window: further ones must stay cheap */
  async function exceedAddress(admission: Admission, address: string, findCaller: () => Promise<KeyCaller | null>) {
    const caller = admission.isFirstRefusal ? await findCaller() : null
    if (caller) log.warn({ key: caller.keyId, address, limit: admission.limit, setting: settingOf.address }, keptOut)
    return exceed('address', admission, address, caller)
  }
  return async (request, server, headers) => {
    const networks = ipRateLimit === 0 ? null : peers.networksOf(request, server)
    let byAddress = networks && (await limiter.admitAddress(networks, ipRateLimit))
    if (byAddress) tellLimit(byAddress, headers)
    if (byAddress?.admitted === false) {
      return exceedAddress(byAddress, peers.addressOf(request, server), () => callerOf(request, server))
    }
    const caller = await callerOf(request, server)
    if (networks && !byAddress) {
      byAddress = await limiter.admitBeyond(networks, ipRateLimit, caller !== null)
      tellLimit(byAddress, headers)
      if (!byAddress.admitted) return exceedAddress(byAddress, peers.addressOf(request, server), async () => caller)
    }
    if (!caller) {
      const hasToken = !parts.keyGiven && request.headers.has('authorization')
      return hasToken ? unauthorizedByToken : unauthorized
    }
    keyUse.used(caller.keyId)
    const byKey = keyRateLimit === 0 ? null : await limiter.admitKey(caller.keyId, keyRateLimit)
    if (byKey && isTighter(byKey, byAddress)) tellLimit(byKey, headers)
    const renew = () => callerOf(request, server, true)
    if (byKey?.admitted === false) {
      if (isKept(caller) && !(await renew())) return unauthorized
      return exceed('key', byKey, peers.addressOf(request, server), caller)
    }
    return { ok: true, caller, renew }
  }
}

const settingOf = { address: 'PUBLIC_IP_RATE_LIMIT', key: 'PUBLIC_API_KEY_RATE_LIMIT' } as const

const keptOut =
  'a caller with a valid key was refused by the limit of its address: raise the setting if it is your own backend'

const isTighter = (one: Admission, other: Admission | null) =>
  other === null || !one.admitted || one.remaining < other.remaining

/** @param setting what the operator can change, for callers on a private network; null: not named to strangers */
const exceeded = ({ limit, resetsInMs, isFirstRefusal }: Admission, setting: string | null) => ({
  ok: false as const,
  isFirst: isFirstRefusal,
  refusal: {
    reason: 'RATE_LIMIT_EXCEEDED' as const,
    message: `The limit of ${limit} requests per 15 minutes is reached. Try again after Retry-After seconds.${
      setting === null ? '' : ` The operator sets it with ${setting}.`
    }`,
    retryAfterMs: resetsInMs,
  },
})

/** Far more than a deployment has. Keys with the same networks share an entry. */
const matchersMax = 1_000

/** Checks whether an address is in a key's networks. A list is parsed once, not at every request. */
class KeyNetworks {
  readonly #matchers = new Map<string, (address: string) => boolean>()

  /** @param networks CIDRs as stored. One that cannot be parsed matches no address */
  admit(networks: readonly string[], address: string): boolean {
    const known = networks.join(' ')
    let matches = this.#matchers.get(known)
    if (!matches) {
      matches = networkMatcher(networks.map(parseCidr).filter(network => network !== null))
      if (this.#matchers.size >= matchersMax) this.#matchers.clear()
      this.#matchers.set(known, matches)
    }
    return matches(address)
  }
}
