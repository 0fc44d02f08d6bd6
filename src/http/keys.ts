import type { StoreReads } from '../../db/store.ts'
import { hasDigest, sha256 } from '../crypto.ts'

/** Who a partner request acts for. */
export interface Caller {
  readonly workspaceId: string
  readonly keyId: string
}

export type KeyCheck = { readonly status: 'valid'; readonly caller: Caller } | { readonly status: 'refused' }

/** Longer than any key of ours; keeps a long header away from hash and database. */
const credentialLengthMax = 128
/** Compared with when the id is unknown, so that an unknown id costs the same as a wrong secret. */
const noSecretHash = sha256('no key has this secret')

/**
 * Checks an API key (contract, "Authentication"). Missing, unknown, wrong and revoked look and cost the same. The key is
 * read anew each time: one revoked by the command line stops at the next request.
 */
export async function checkKey(read: StoreReads, headers: Headers): Promise<KeyCheck> {
  const keyId = headers.get('apikey') ?? headers.get('x-api-key') ?? ''
  const secret = headers.get('apisecret') ?? headers.get('x-api-secret') ?? ''
  if (keyId.length > credentialLengthMax || secret.length > credentialLengthMax) return { status: 'refused' }
  const key = await read.key(keyId)
  const isRight = hasDigest(secret, key?.secretHash ?? noSecretHash)
  if (!key || !isRight || key.revokedAt !== null) return { status: 'refused' }
  return { status: 'valid', caller: { workspaceId: key.workspaceId, keyId: key.id } }
}
