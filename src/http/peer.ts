import { type Cidr, callerAddress, countedNetworks, isLoopback, networkMatcher } from '../base/network.ts'
import type { Logger } from '../telemetry/log.ts'

/** The part of a server that gives the address at the other end of a request's connection. */
export interface PeerLookup {
  requestIP(request: Request): { readonly address: string } | null
}

/** The caller of a request, past the proxies that TRUST_PROXY names. */
export interface Peers {
  /** The caller's address. */
  addressOf(request: Request, server: PeerLookup | null): string
  /** The networks that the caller's address is counted in, the narrowest first. */
  networksOf(request: Request, server: PeerLookup | null): readonly string[]
  /** Whether the caller used TLS, which ends at a proxy in front. */
  cameByTls(request: Request, server: PeerLookup | null): boolean
  /** Whether the request comes from this machine, and not through a proxy on it. */
  isLocal(request: Request, server: PeerLookup | null): boolean
}

/** Logged once: it is the same for every caller, and any caller may send the header. */
const untrustedProxy =
  'X-Forwarded-For is not read, because TRUST_PROXY is not set: all callers behind this peer share one limit. ' +
  'If the peer is your proxy, set TRUST_PROXY to its address'

/** @param publicUrl the address that callers use; with https, TLS is in front, whatever headers a proxy sends */
export function createPeers({
  trustProxy,
  publicUrl,
  log,
}: {
  trustProxy: readonly Cidr[]
  publicUrl: string | null
  log: Logger
}): Peers {
  const isTrusted = networkMatcher(trustProxy)
  let isWarningDue = trustProxy.length === 0
  const isPublicByTls = publicUrl?.startsWith('https://') === true
  const peerOf = (request: Request, server: PeerLookup | null) => server?.requestIP(request)?.address ?? 'local'
  function addressOf(request: Request, server: PeerLookup | null): string {
    const peer = peerOf(request, server)
    const forwardedFor = request.headers.get('x-forwarded-for')
    if (isWarningDue && forwardedFor !== null) {
      isWarningDue = false
      log.warn({ peer }, untrustedProxy)
    }
    return callerAddress(peer, forwardedFor, isTrusted)
  }
  return {
    addressOf,
    networksOf: (request, server) => countedNetworks(addressOf(request, server)),
    cameByTls: (request, server) =>
      isPublicByTls ||
      (trustProxy.length > 0 &&
        request.headers.get('x-forwarded-proto') === 'https' &&
        isTrusted(peerOf(request, server))),
    isLocal: (request, server) =>
      request.headers.get('x-forwarded-for') === null &&
      request.headers.get('forwarded') === null &&
      isLoopback(peerOf(request, server)),
  }
}
