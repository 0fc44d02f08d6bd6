import type { LookupAddress } from 'node:dns'
import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { addressJudge, hostAddresses, type Resolve } from '../base/addressGuard.ts'
import { type Cidr, isOwnMachine, isPrivate } from '../base/network.ts'

/** A longer one is cut by some proxies. */
export const addressCharsMax = 2_048

/** Control characters and spaces: the parser of URLs drops or escapes them, so that another address would be shown. */
const unwritten = /[^\x21-\x7e\x80-\uffff]/

/** Where events may be delivered to. */
export interface WebhookAddresses {
  /** @returns why events cannot be delivered to an address, in words for people; null: nothing is known against it */
  problemOf(text: string): string | null
  /**
   * The same, and looks at where the name leads now. It may lead elsewhere later: each connection checks it again. A
   * name that does not resolve yet is no problem. It also says how to try a receiver in a private network.
   */
  hintOf(text: string): Promise<string | null>
  /** @returns what a connection resolves the name of an address with: it fails when none of its addresses is allowed */
  lookupFor(url: URL): LookupFunction
}

/** The name leads to no address that events may be delivered to. The message is for people. */
export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress'
}

/**
 * @param networks that are open although they are not public (`WEBHOOK_ALLOWED_NETWORKS`)
 * @param resolve a stand-in in tests
 */
export function createWebhookAddresses(
  networks: readonly Cidr[],
  resolve: Resolve = systemLookup,
  ownAddresses: () => readonly string[] = hostAddresses,
): WebhookAddresses {
  const { isOpened, isPublic } = addressJudge(networks, ownAddresses)

  /** Without TLS nobody is protected on the way, so only in a network that the operator has opened. */
  const isAllowed = (url: URL, address: string) => isOpened(address) || (url.protocol === 'https:' && isPublic(address))

  function refusalOf(url: URL, addresses: readonly string[]): string | null {
    const [first] = addresses
    if (first === undefined) return url.protocol === 'http:' && networks.length === 0 ? httpsNeeded : null
    return addresses.some(address => isAllowed(url, address)) ? null : whyNot(url, first, isPublic)
  }

  /** @returns why not, when the text is no address of the web that can be delivered to */
  function parse(text: string): URL | string {
    if (text.length > addressCharsMax)
      return `the address has more than ${addressCharsMax.toLocaleString('en')} characters`
    const url = unwritten.test(text) ? null : URL.parse(text)
    if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
      return 'the address is not one of the web: it must begin with https://'
    if (url.username !== '' || url.password !== '')
      return 'the address must not carry a user name or a password: give it as a header'
    if (url.hash !== '') return 'the address must not have a fragment (#…): it would never be sent'
    return url
  }

  function problemOf(text: string): string | null {
    const url = parse(text)
    return typeof url === 'string' ? url : refusalOf(url, knownAddresses(url))
  }

  return {
    problemOf,

    async hintOf(text) {
      const url = parse(text)
      if (typeof url === 'string') return url
      const { promise, resolve: resolved } = Promise.withResolvers<readonly string[]>()
      const known = knownAddresses(url)
      if (known.length > 0) resolved(known)
      else resolve(hostOf(url), { all: true }, (error, addresses) => resolved(error ? [] : texts(addresses)))
      const refusal = refusalOf(url, await promise)
      return refusal === null || refusal === httpsNeeded ? refusal : `${refusal}. ${withoutEndpoint}`
    },

    lookupFor: url => (hostname, options, callback) => {
      resolve(hostname, { ...options, all: true }, (error, addresses) => {
        if (error) return callback(error, '', 0)
        const allowed = addresses.filter(({ address }) => isAllowed(url, address))
        const [first] = allowed
        if (!first) return callback(new RefusedAddress(refusalOf(url, texts(addresses)) ?? noAddress), '', 0)
        return options.all ? callback(null, allowed) : callback(null, first.address, first.family)
      })
    },
  }
}

const noAddress = 'the name has no address'
const httpsNeeded =
  'the address must begin with https://. Plain http:// is for receivers in a private network that ' +
  'WEBHOOK_ALLOWED_NETWORKS opens'
/** What a developer wants most often who gives an address of their own machine. */
const withoutEndpoint = 'To try a receiver, no endpoint is needed: waypost listen --forward-to with its address'

const texts = (addresses: readonly LookupAddress[]) => addresses.map(({ address }) => address)

const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')

/** @returns the addresses that are known without asking anybody; none for a name */
function knownAddresses(url: URL): readonly string[] {
  const host = hostOf(url)
  if (isIP(host) !== 0) return [host]
  return isOwnMachine(host) ? ['127.0.0.1', '::1'] : []
}

/** @returns why an address that is not allowed is not, and how to open it */
function whyNot(url: URL, address: string, isPublic: (address: string) => boolean): string {
  if (isPublic(address)) return httpsNeeded
  const network = `${address}/${isIP(address) === 6 ? 128 : 32}`
  const host = hostOf(url)
  const subject = host === address ? address : `${host} (${address})`
  return (
    `${subject} is ${isPrivate(address) ? 'a private address' : 'not a public address'}: ` +
    `to deliver there, set WEBHOOK_ALLOWED_NETWORKS=${network} (or its network)`
  )
}
