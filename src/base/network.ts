import { BlockList, isIP } from 'node:net'

/** A network by its prefix; a single address is a network of its full length. */
export interface Cidr {
  readonly address: string
  readonly prefix: number
  readonly family: 'ipv4' | 'ipv6'
}

/** @returns null when the text is neither an address nor `address/prefix`. */
export function parseCidr(text: string): Cidr | null {
  const [address = '', prefixText, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return null
  const bits = version === 4 ? 32 : 128
  const prefix = prefixText === undefined ? bits : /^\d{1,3}$/.test(prefixText) ? Number(prefixText) : Number.NaN
  if (!(prefix <= bits)) return null
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' }
}

/** @returns whether an address lies in one of the networks; IPv4 written inside IPv6 counts as IPv4. */
export function networkMatcher(networks: readonly Cidr[]): (address: string) => boolean {
  const list = new BlockList()
  for (const { address, prefix, family } of networks) list.addSubnet(address, prefix, family)
  return address => {
    const version = isIP(address)
    return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4')
  }
}

export const isLoopback = networkMatcher([
  { address: '127.0.0.0', prefix: 8, family: 'ipv4' },
  { address: '::1', prefix: 128, family: 'ipv6' },
])

/** This machine, and the networks that the internet does not route (RFC 1918, 3927, 4193, 4291, 6598). */
export const isPrivate = networkMatcher(
  [
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '::1',
    'fc00::/7',
    'fe80::/10',
  ].flatMap(text => parseCidr(text) ?? []),
)

/** @param host a name or an address, without the brackets of a URL. @returns whether it is surely this machine */
export const isOwnMachine = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || isLoopback(host)

/**
 * Finds the caller's address. `X-Forwarded-For` is read from its right end, past the trusted proxies. The
 * entries further left come from the caller and prove nothing.
 * @param peer the address at the other end of the socket
 */
export function callerAddress(
  peer: string,
  forwardedFor: string | null,
  isTrusted: (address: string) => boolean,
): string {
  if (forwardedFor === null || !isTrusted(peer)) return peer
  const hops = forwardedFor.split(',').map(hop => withoutPort(hop.trim()))
  let caller = peer
  while (isTrusted(caller)) {
    const hop = hops.pop()
    if (hop === undefined || isIP(hop) === 0) break
    caller = hop
  }
  return caller
}

/**
 * Some proxies, Azure Application Gateway among them, write the caller's port: `203.0.113.9:51234`,
 * `[2001:db8::9]:51234`.
 */
function withoutPort(hop: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? []
  return ipv6 ?? ipv4 ?? hop
}

/** IPv4 written inside IPv6, as its two last groups. */
const dotted = (high: number, low: number) => [high >> 8, high & 255, low >> 8, low & 255].join('.')

/**
 * The networks that an address is counted in, the narrowest first. IPv4 counts by the address. IPv6 counts by its /64,
 * the smallest network that providers assign, and by its /56 and /48, which one customer may own. A single /48 has
 * 65,536 networks of /64.
 */
export function countedNetworks(address: string): readonly string[] {
  if (isIP(address) !== 6) return [address]
  // WHATWG URL parsing gives an IPv6 address its one canonical spelling.
  const canonical = new URL(`http://[${address.split('%')[0]}]/`).hostname.slice(1, -1)
  const inner = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical)
  if (inner) return [dotted(Number.parseInt(inner[1] ?? '', 16), Number.parseInt(inner[2] ?? '', 16))]
  const [head = '', tail] = canonical.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const [first, second, third, fourth = '0'] = [...left, ...Array<string>(zeros).fill('0'), ...right]
  const site = `${first}:${second}:${third}`
  const half = (Number.parseInt(fourth, 16) & 0xff00).toString(16)
  return [`${site}:${fourth}::/64`, `${site}:${half}::/56`, `${site}::/48`]
}

/**
 * The network that an address is in: enough to tell the own office from another country, and not which connection of a
 * street it was. An IPv4 address is shown as its /24, an IPv6 one as its /48, the largest that one customer is given.
 * @param counted its networks by {@link countedNetworks}. @returns null for what is no address
 */
export function shownNetwork(counted: readonly string[]): string | null {
  const widest = counted.at(-1) ?? ''
  if (isIP(widest) === 4) return widest.replace(/\d+$/, '0/24')
  return widest.includes('/') ? widest : null
}
