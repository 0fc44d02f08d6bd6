import type { ApiKey } from '../../db/accounts.ts'
import type { EpochMs } from '../clock.ts'
import { hasDigest, sha256 } from '../crypto.ts'

/** Who a partner request acts for. */
export interface Caller {
  readonly workspaceId: string
  readonly keyId: string
  /** Idempotency keys are told apart by it. */
  readonly scope: string
}

type StoredKey = ApiKey & { readonly secretHash: string }

/** Longer than any key of ours; keeps a long header away from hash and database. */
const credentialLengthMax = 128
/** Compared with when the id is unknown, so that an unknown id costs the same as a wrong secret. */
const noSecretHash = sha256('no key has this secret')

/** A pair as the headers give it. */
interface GivenKey {
  readonly keyId: string
  readonly secret: string
}

const none: GivenKey = { keyId: '', secret: '' }

/**
 * @returns what the headers give (docs/partner-api.md#authentication). An empty header is as if absent: some clients send
 * all four. What is missing or too long to be ours is empty.
 */
export function givenKey(headers: Headers): GivenKey {
  const keyId = headers.get('apikey') || headers.get('x-api-key') || ''
  const secret = headers.get('apisecret') || headers.get('x-api-secret') || ''
  return keyId.length > credentialLengthMax || secret.length > credentialLengthMax ? none : { keyId, secret }
}

/** Where and when a key is used. */
export interface KeyUsage {
  readonly at: EpochMs
  /** Asked only for a key that is limited to networks. */
  readonly isAllowed: (networks: readonly string[]) => boolean
}

/**
 * @param key as it is stored at this moment: one revoked or limited by the command line stops at the next request
 * @returns the key's owner; null when it is unknown, revoked, expired, used from another network or the secret wrong,
 *   which a caller cannot tell apart
 */
export function ownerOf(key: StoredKey | null, secret: string, { at, isAllowed }: KeyUsage): Caller | null {
  const isRight = hasDigest(secret, key?.secretHash ?? noSecretHash)
  if (!key || !isRight || key.revokedAt !== null) return null
  if (key.expiresAt !== null && key.expiresAt <= at) return null
  if (key.allowedNetworks !== null && !isAllowed(key.allowedNetworks)) return null
  return { workspaceId: key.workspaceId, keyId: key.id, scope: key.scope }
}
