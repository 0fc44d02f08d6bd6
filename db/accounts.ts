import type { Row } from './schema/tables.ts'

/*
 * Workspaces and their API keys. users.ts has the users of the console.
 */

export type Workspace = Row<'workspaces'>

/** As authentication needs it. */
export type StoredKey = Omit<Row<'apiKeys'>, 'seq'>

/** Without the hash of its secret. */
export type ApiKey = Omit<StoredKey, 'secretHash'>

/** What is chosen when a key is made; all the rest follows. `expiresAt`: never, unless set. `allowedNetworks`: any. */
export type NewKey = Pick<StoredKey, 'id' | 'workspaceId' | 'label' | 'createdAt' | 'secretHash'> &
  Partial<Pick<StoredKey, 'expiresAt' | 'allowedNetworks'>>

export type KeyRotation =
  | { readonly outcome: 'rotated'; readonly key: ApiKey; readonly former: ApiKey }
  | { readonly outcome: 'unknownKey' | 'revoked' | 'expired' }
