import type { Clock } from '../../base/clock.ts'
import type { Vault } from '../../base/crypto.ts'
import { minuteMs } from '../../base/durations.ts'
import { pairOfGraphToken } from '../../base/graphToken.ts'
import { type GivenKey, noKey } from '../../http/keys.ts'
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
  seal(token: string, path: string): string
  /** @returns the caller's token; null: it is of another path, too old, or not ours */
  open(given: string, path: string): string | null
}

export function createLinkTokens(vault: Vault, clock: Clock): LinkTokens {
  const purpose = (path: string) => `dropInLink ${path}`
  return {
    seal: (token, path) =>
      Buffer.from(vault.seal(`${clock.now() + linkMsMax} ${token}`, purpose(path))).toString('base64url'),
    open(given, path) {
      try {
        const [until, token = ''] = vault.open(Buffer.from(given, 'base64url').toString(), purpose(path)).split(' ')
        return Number(until) > clock.now() ? token : null
      } catch {
        return null
      }
    },
  }
}

/** @returns the token of a request, as clients of the upstream platform give it: a bearer token, or `access_token` */
export function givenToken(request: Request): string {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  const token = bearer ?? addressOf(request).searchParams.get('access_token') ?? ''
  return token.length > tokenCharsMax ? '' : token
}

/** @returns the caller's own token of a request, also where it came by a link of ours */
export function callersToken(links: LinkTokens, request: Request): string {
  const token = givenToken(request)
  if (pairOfGraphToken(token)) return token
  // An address that we handed out is to be read: who sees it deletes nothing by it.
  return request.method === 'GET' ? (links.open(token, addressOf(request).pathname) ?? '') : ''
}

/** @returns the key of a request */
export const keyOfToken = (links: LinkTokens, request: Request): GivenKey =>
  pairOfGraphToken(callersToken(links, request)) ?? noKey

/**
 * @param publicUrl the address that callers use; null: that of the request
 * @param query what it has beside the token
 * @returns an address of ours that the caller may follow without its own token
 */
export function linkTo(
  links: LinkTokens,
  request: Request,
  publicUrl: string | null,
  path: string,
  query: URLSearchParams = new URLSearchParams(),
): string {
  const whole = new URLSearchParams(query)
  whole.set('access_token', links.seal(callersToken(links, request), path))
  return `${publicUrl ?? addressOf(request).origin}${path}?${whole}`
}
