import { isIP } from 'node:net'
import type { SignInPlace } from '../../../db/users.ts'
import type { PeerLookup, Peers } from '../../http/peer.ts'

/** A product by what its header contains. */
type Known = readonly [name: string, sign: RegExp]

/** The first one that fits: most browsers also name those that they are made from, and Safari. */
const browsers: readonly Known[] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|OPT|OPiOS|Opera)\//],
  ['Vivaldi', /\bVivaldi\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /(\bChrome|\bCriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/[\d.]+ .*\bSafari\//],
]

/** The first one that fits: Android is also a Linux, and an iPhone writes `like Mac OS X`. */
const systems: readonly Known[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac(intosh| OS X)\b/],
  ['Linux', /\bLinux\b/],
]

/** Longer than that of any browser. The rest of a header is not read. */
const userAgentLengthMax = 512

/**
 * The browser and its system in words: `Firefox on Linux`. It is made of known names alone, so that nothing that a
 * stranger writes into the header is kept or shown.
 * @param userAgent the header (RFC 9110, 10.1.5); anybody can write anything there
 * @returns null when it names nothing known
 */
export function deviceOf(userAgent: string | null): string | null {
  const text = (userAgent ?? '').slice(0, userAgentLengthMax)
  const names = [browsers, systems].flatMap(known => known.find(([, sign]) => sign.test(text))?.[0] ?? [])
  return names.length === 0 ? null : names.join(' on ')
}

/**
 * The network that an address is in: enough to tell the own office from another country, and not which connection of a
 * street it was. An IPv4 address is shown as its /24, an IPv6 one as its /48, the largest that one customer is given.
 * @param networks those that the address is counted in (countedNetworks in src/network.ts)
 */
export function networkOf(networks: readonly string[]): string | null {
  const widest = networks.at(-1) ?? ''
  if (isIP(widest) === 4) return widest.replace(/\d+$/, '0/24')
  return widest.includes('/') ? widest : null
}

/** From where a request comes, as it is kept with a sign-in. */
export const signInPlaceOf = (peers: Peers, request: Request, server: PeerLookup | null): SignInPlace => ({
  device: deviceOf(request.headers.get('user-agent')),
  network: networkOf(peers.networksOf(request, server)),
})
