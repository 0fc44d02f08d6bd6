import { sha256 } from '../base/crypto.ts'
import { dayMs } from '../base/durations.ts'
import { randomBase62 } from '../base/ids.ts'

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
