import type { EpochMs } from '../src/time/clock.ts'
import type { Row } from './schema/tables.ts'

/*
 * Workspaces and their API keys. users.ts has the users of the console.
 */

export type Workspace = Row<'workspaces'>

/** As authentication needs it. */
export type StoredKey = Omit<Row<'apiKeys'>, 'seq'>

/** Without the hash of its secret. */
export type ApiKey = Omit<StoredKey, 'secretHash'>

/** The inputs for a new key; the rest is derived. */
export interface NewKey extends Pick<ApiKey, 'id' | 'workspaceId' | 'label' | 'createdAt'> {
  /** SHA-256 of the secret, hex. */
  readonly secretHash: string
  /** Never, unless set. */
  readonly expiresAt?: EpochMs | null
  /** Any, unless set. */
  readonly allowedNetworks?: readonly string[] | null
}

export type KeyRotation =
  | { readonly outcome: 'rotated'; readonly key: ApiKey; readonly former: ApiKey }
  | { readonly outcome: 'unknownKey' | 'revoked' | 'expired' }
