import type { EpochMs } from '../src/clock.ts'

/*
 * Whom the store knows: workspaces, their API keys, and the users of the console.
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

/** Owners and admins manage keys in the console. */
export type UserRole = 'owner' | 'admin' | 'member'

/** Somebody who signs in to the console. The hash of the password is no part of it. */
export interface User {
  readonly id: string
  readonly workspaceId: string
  /** Lower-case, and unique within the deployment. */
  readonly email: string
  readonly name: string | null
  readonly role: UserRole
  readonly createdAt: EpochMs
  readonly updatedAt: EpochMs
}
