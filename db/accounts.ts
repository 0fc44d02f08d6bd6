import type { EpochMs } from '../src/time/clock.ts'

/*
 * Whom the store knows: workspaces and their API keys. users.ts has the users of the console.
 */

export interface Workspace {
  readonly id: string
  readonly name: string
  /** Null: unlimited. */
  readonly monthlyMessageLimit: number | null
  readonly createdAt: EpochMs
}

export interface ApiKey {
  readonly id: string
  readonly workspaceId: string
  /** Idempotency keys are told apart by it. A key and those that succeed it by rotation have the same. */
  readonly scope: string
  readonly label: string | null
  readonly createdAt: EpochMs
  /** Null: it does not end by itself. */
  readonly expiresAt: EpochMs | null
  readonly revokedAt: EpochMs | null
  /** CIDR networks. Null: requests from any address. */
  readonly allowedNetworks: readonly string[] | null
  /** A few seconds behind: it is written in batches. */
  readonly lastUsedAt: EpochMs | null
}

/** As authentication needs it. */
export type StoredKey = ApiKey & { readonly secretHash: string }

/** What is chosen when a key is made; all the rest follows. */
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
