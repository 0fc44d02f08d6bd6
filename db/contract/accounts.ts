import { dayMs } from '../../src/base/durations.ts'
import type { Row } from '../schema/tables.ts'

/*
 * Workspaces and their API keys. users.ts has the users of the console.
 */

export type Workspace = Omit<Row<'workspaces'>, 'settingsGeneration'>

/** What a workspace decides about people who want no marketing. */
export type OptOutSettings = Pick<Workspace, 'onOptOut' | 'stopWords' | 'startWords' | 'optOutAnswer'>

/** Its monthly limit, what is counted against it in a month, and what becomes of marketing, and when. */
export interface Plan extends Pick<Workspace, 'onOptOut' | 'quietHours'> {
  readonly limit: number | null
  readonly used: number
}

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
  'onOptOut',
  'lastUsedAt',
] as const

/** Without the hash of its secret. */
export type ApiKey = Pick<Row<'apiKeys'>, (typeof keyFields)[number]>

/** As authentication needs it. */
export type StoredKey = ApiKey & Pick<Row<'apiKeys'>, 'secretHash'>

/**
 * What is chosen when a key is made; all the rest follows. `expiresAt`: never, unless set. `allowedNetworks`: any.
 * `scopes`: the usual. `lineIds`: all. `onOptOut`: as the workspace has it.
 */
export type NewKey = Pick<StoredKey, 'id' | 'workspaceId' | 'label' | 'createdAt' | 'secretHash'> &
  Partial<Pick<StoredKey, 'expiresAt' | 'allowedNetworks' | 'scopes' | 'lineIds' | 'onOptOut'>>

export type KeyRotation =
  | { readonly outcome: 'rotated'; readonly key: ApiKey; readonly former: ApiKey }
  | { readonly outcome: 'unknownKey' | 'revoked' | 'expired' }
