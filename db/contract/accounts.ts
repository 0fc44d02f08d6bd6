import { dayMs } from '../../src/base/durations.ts'
import type { Row } from '../schema/tables.ts'

/*
 * Workspaces and their API keys. users.ts has the users of the console.
 */

export type Workspace = Row<'workspaces'>

export type LimitChange =
  | { readonly outcome: 'changed'; readonly workspace: Workspace }
  | { readonly outcome: 'aboveCeiling'; readonly ceiling: number }
  | { readonly outcome: 'missing' }

/** What needs attention, and somebody has put away for a while. */
export type PutAwayFinding = Row<'putAwayFindings'>

/** Then it is shown again: what nobody does anything about for longer is forgotten. */
export const putAwayMsMax = 30 * dayMs

/** What is known of an API key beyond authentication. A column is none of it until it is named here. */
export const keyFields = [
  'id',
  'workspaceId',
  'scope',
  'label',
  'createdAt',
  'expiresAt',
  'revokedAt',
  'allowedNetworks',
  'scopes',
  'lineIds',
  'lastUsedAt',
] as const

/** Without the hash of its secret. */
export type ApiKey = Pick<Row<'apiKeys'>, (typeof keyFields)[number]>

/** As authentication needs it. */
export type StoredKey = ApiKey & Pick<Row<'apiKeys'>, 'secretHash'>

/**
 * What is chosen when a key is made; all the rest follows. `expiresAt`: never, unless set. `allowedNetworks`: any.
 * `scopes`: the usual. `lineIds`: all.
 */
export type NewKey = Pick<StoredKey, 'id' | 'workspaceId' | 'label' | 'createdAt' | 'secretHash'> &
  Partial<Pick<StoredKey, 'expiresAt' | 'allowedNetworks' | 'scopes' | 'lineIds'>>

export type KeyRotation =
  | { readonly outcome: 'rotated'; readonly key: ApiKey; readonly former: ApiKey }
  | { readonly outcome: 'unknownKey' | 'revoked' | 'expired' }
