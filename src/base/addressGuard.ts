import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import os from 'node:os'
import { type Cidr, networkMatcher, parseCidr } from './network.ts'

/**
 * Networks that a caller's link must never reach: this machine, its local network, the metadata services of hosting
 * providers, and every form of such an address inside IPv6 (IANA special-purpose registries).
 */
const forbidden = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Azure's own services, at an address that is public everywhere else.
  '168.63.129.16',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  '::1/128',
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '100:0:0:1::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
].flatMap(text => parseCidr(text) ?? [])

/** The link leads to an address that is not public. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress'
}

export type Resolve = typeof systemLookup

/** @returns the addresses of this machine. They may be public, and change with its networks. */
export const hostAddresses = (): string[] =>
  Object.values(os.networkInterfaces()).flatMap(list => (list ?? []).map(({ address }) => address))

/**
 * @param opened networks that are allowed although they are not public
 * @param ownAddresses the addresses of this machine, which may be public
 */
export function addressJudge(opened: readonly Cidr[], ownAddresses: () => readonly string[]) {
  const isForbidden = networkMatcher(forbidden)
  const isOpened = networkMatcher(opened)
  const isOwn = (address: string) => networkMatcher(ownAddresses().flatMap(own => parseCidr(own) ?? []))(address)
  return {
    isOpened,
    isPublic: (address: string) => !(isForbidden(address) || isOwn(address)),
  }
}

/**
 * Guards connections to addresses that callers name. The address is checked when it is connected: a name cannot resolve
 * to one address for the check and to another for the connection.
 * @param allowed networks that are allowed although they are not public (`MEDIA_ALLOWED_NETWORKS`)
 */
export function createAddressGuard(
  allowed: readonly Cidr[],
  resolve: Resolve = systemLookup,
  ownAddresses: () => readonly string[] = hostAddresses,
) {
  const judge = addressJudge(allowed, ownAddresses)
  const isPublic = (address: string) => judge.isOpened(address) || judge.isPublic(address)

  /** For `http.request`: resolves a name and fails when any of its addresses is not public. */
  const lookup: LookupFunction = (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error || !first) return callback(error ?? new Error('the name has no address'), '', 0)
      if (!addresses.every(({ address }) => isPublic(address))) return callback(new ForbiddenAddress(), '', 0)
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family)
    })
  }

  return {
    lookup,
    /** A host that is already an address is never looked up, so it is checked here. @throws ForbiddenAddress */
    checkHost(hostname: string): void {
      const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
      if (isIP(address) !== 0 && !isPublic(address)) throw new ForbiddenAddress()
    },
  }
}

export type AddressGuard = ReturnType<typeof createAddressGuard>
