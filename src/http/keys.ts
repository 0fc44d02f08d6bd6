import type { StoredKey } from '../../db/contract/accounts.ts'
import type { SendSettings } from '../../db/contract/store.ts'
import type { EpochMs } from '../base/clock.ts'
import { hasDigest, sha256 } from '../base/crypto.ts'
import type { KeyScope } from '../base/keyScopes.ts'
import type { OnOptOut } from '../message/optOut.ts'
import { credentialLengthMax } from './limits.ts'

/** The workspace and key of a partner request. */
export interface KeyCaller {
  readonly workspaceId: string
  readonly keyId: string
  /** The scope of its idempotency keys. */
  readonly scope: string
  /** What it may do; null: the usual (`usualScopes`). */
  readonly scopes: readonly KeyScope[] | null
  /** The lines that it sends from and sees (`lineIsAllowed`); null: all of the workspace. */
  readonly lineIds: readonly string[] | null
  /** Marketing to who wants none; null: as the workspace has it. */
  readonly onOptOut: OnOptOut | null
  /** The settings that decide on its sends; null when they were not read with the key. */
  readonly settings: SendSettings | null
}

/** A key as it was read for a request. */
export type FoundKey = StoredKey & { readonly settings?: SendSettings | null }

/** @returns whether it only holds once an acceptance has shown it, or it is read anew */
export const isKept = (found: Pick<FoundKey, 'settings'> | null): boolean => found?.settings?.generation !== undefined

/** The hash for unknown ids, so that an unknown id takes the same time as a wrong secret. */
const noSecretHash = sha256('no key has this secret')

/** A key id and secret as a request has them. */
export interface GivenKey {
  readonly keyId: string
  readonly secret: string
}

export const noKey: GivenKey = { keyId: '', secret: '' }

/**
 * @returns the key id and secret of the headers (docs/partner-api.md#authentication). An empty header counts as absent,
 * because some clients send all four. A value that is missing or too long is empty.
 */
export function givenKey(headers: Headers): GivenKey {
  const keyId = headers.get('apikey') || headers.get('x-api-key') || ''
  const secret = headers.get('apisecret') || headers.get('x-api-secret') || ''
  return keyId.length > credentialLengthMax || secret.length > credentialLengthMax ? noKey : { keyId, secret }
}

/** Where and when a key is used. */
export interface KeyUsage {
  readonly at: EpochMs
  /** Called only for a key that is limited to networks. */
  readonly isAllowed: (networks: readonly string[]) => boolean
}

/**
 * @param key as it is stored now: a key that a command revoked or limited stops at the next request
 * @returns the key's owner; null when the key is unknown, revoked, expired, used from another network, or its secret is
 *   wrong. A caller cannot see which
 */
export function ownerOf(key: FoundKey | null, secret: string, { at, isAllowed }: KeyUsage): KeyCaller | null {
  const isRight = hasDigest(secret, key?.secretHash ?? noSecretHash)
  if (!key || !isRight || key.revokedAt !== null) return null
  if (key.expiresAt !== null && key.expiresAt <= at) return null
  if (key.allowedNetworks !== null && !isAllowed(key.allowedNetworks)) return null
  const { id: keyId, workspaceId, scope, scopes, lineIds, onOptOut, settings = null } = key
  return { workspaceId, keyId, scope, scopes, lineIds, onOptOut, settings }
}
