import type { Store } from '../../db/contract/store.ts'
import type { Clock } from '../base/clock.ts'
import { sha256 } from '../base/crypto.ts'
import { dayMs, minuteMs } from '../base/durations.ts'
import { randomBase62 } from '../base/ids.ts'
import { publicPath } from '../http/answers.ts'

/** 43 base62 characters hold 256 bits. */
const tokenLength = 43

/** The secret of a link, and the hash that is stored of it. */
export function newLinkToken(): { readonly token: string; readonly tokenHash: string } {
  const token = randomBase62(tokenLength)
  return { token, tokenHash: sha256(token) }
}

/** A week: people are on holiday, and a link forgotten in a mailbox should expire. */
export const invitationMsMax = 7 * dayMs

/** After the `#`, which browsers never send: no proxy and no log gets the token. */
export const setupUrl = (base: string, token: string): string => `${base}/console/set-up#${token}`
export const invitationUrl = (base: string, token: string): string => `${base}/console/invitation#${token}`

/** Long enough to open it and choose a password; a new one is printed at every start. */
const setupMsMax = 30 * minuteMs

/**
 * Makes the one-time link to create the first user. An older link becomes invalid.
 * @param base where a browser reaches the gateway, without a slash at the end
 * @returns null when there is a user already
 */
export async function offerSetupLink(
  store: Pick<Store, 'write'>,
  { base, clock }: { base: string; clock: Clock },
): Promise<string | null> {
  const { token, tokenHash } = newLinkToken()
  const isOffered = await store.write.offerSetup({ tokenHash, expiresAt: clock.now() + setupMsMax })
  return isOffered ? setupUrl(base, token) : null
}

/** Host names that a gateway can listen on, but a browser cannot open. */
const anyAddress = /^http:\/\/(0\.0\.0\.0|\[::\])(?=:)/

/** @returns the address for a browser: PUBLIC_URL, else where the gateway listens, as seen from this machine */
export const browserAddress = (publicUrl: string | null, url: string): string =>
  publicUrl ?? url.replace(anyAddress, 'http://localhost')

/** Like browserAddress, but not a PUBLIC_URL with a path: the console cannot be reached through one. */
export const setupAddress = (publicUrl: string | null, url: string): string =>
  browserAddress(publicPath(publicUrl) === '' ? publicUrl : null, url)

/** @returns what to say beside a set-up link; null when it leads through PUBLIC_URL, or when that is not set */
export const setupNote = (publicUrl: string | null): string | null =>
  publicPath(publicUrl) === ''
    ? null
    : 'The console needs the root of an address, and PUBLIC_URL has a path, so the link has the address on which the ' +
      'gateway listens.'
