import type { Clock, EpochMs } from '../../base/clock.ts'
import { openFromAddress, sealInAddress, type Vault } from '../../base/crypto.ts'
import { minuteMs } from '../../base/durations.ts'
import { pairOfGraphToken } from '../../base/graphToken.ts'
import { type GivenKey, noKey } from '../../http/keys.ts'
import type { RequestHead } from '../../http/requestHead.ts'
import { addressOf } from './address.ts'

/** As the upstream's own links: a client follows one at once. */
const linkMsMax = 5 * minuteMs
/** Of a token in a request: ours have less than 100 characters, and a link's some 200. */
const tokenCharsMax = 500

/**
 * The tokens in addresses that we hand out, which a client follows without its own: the sealed token of the caller,
 * for one path and five minutes. A key that is revoked ends them too.
 */
export interface LinkTokens {
  seal(link: LinkToken, path: string): string
  /** @returns null: it is of another path, too old, or not ours */
  open(given: string, path: string): LinkToken | null
  /** For an address that is made now. */
  until(): EpochMs
}

/** The token of a caller in an address, which ends then. */
interface LinkToken {
  readonly token: string
  readonly until: EpochMs
}

export function createLinkTokens(vault: Vault, clock: Clock): LinkTokens {
  const purpose = (path: string) => `dropInLink ${path}`
  return {
    seal: ({ token, until }, path) => sealInAddress(vault, `${until} ${token}`, purpose(path)),
    open(given, path) {
      const [end, token = ''] = openFromAddress(vault, given, purpose(path))?.split(' ') ?? []
      const until = Number(end)
      const leftMs = until - clock.now()
      // The clock may have been set back since: a little, or by so much that it would live on.
      return leftMs > 0 && leftMs <= 2 * linkMsMax ? { token, until } : null
    },
    until: () => clock.now() + linkMsMax,
  }
}

/** @returns the token of a request, as clients of the upstream platform give it: `Bearer`, `OAuth` or `access_token` */
function givenToken(request: RequestHead): string {
  const [, inHeader] = /^(?:Bearer|OAuth) +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  const token = inHeader ?? addressOf(request).searchParams.get('access_token') ?? ''
  return token.length > tokenCharsMax ? '' : token
}

/** @returns the caller's own token of a request, also where it came by a link of ours; null: there is none */
function callersLink(links: LinkTokens, request: RequestHead): LinkToken | null {
  const token = givenToken(request)
  if (pairOfGraphToken(token)) return { token, until: links.until() }
  // An address that we handed out is to be read: who sees it deletes nothing by it.
  return request.method === 'GET' ? links.open(token, addressOf(request).pathname) : null
}

/** @returns the caller's own token of a request; empty: there is none */
export const callersToken = (links: LinkTokens, request: RequestHead): string =>
  callersLink(links, request)?.token ?? ''

/** @returns the key of a request */
export const keyOfToken = (links: LinkTokens, request: RequestHead): GivenKey =>
  pairOfGraphToken(callersToken(links, request)) ?? noKey

/**
 * @param publicUrl the address that callers use; null: that of the request
 * @param query what it has beside the token
 * @returns an address of ours that the caller may follow without its own token
 */
export function linkTo(
  links: LinkTokens,
  request: RequestHead,
  publicUrl: string | null,
  path: string,
  query: URLSearchParams = new URLSearchParams(),
): string {
  const whole = new URLSearchParams(query)
  // Where this request came by such an address, the next ends with it: who has seen one reads no further.
  const link = callersLink(links, request)
  if (link) whole.set('access_token', links.seal(link, path))
  return `${publicUrl ?? addressOf(request).origin}${path}?${whole}`
}
