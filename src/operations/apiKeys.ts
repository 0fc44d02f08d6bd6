import type { ApiKey } from '../../db/contract/accounts.ts'
import type { EpochMs } from '../base/clock.ts'
import { sha256 } from '../base/crypto.ts'
import { dayMs } from '../base/durations.ts'
import { graphTokenOf, hasGraphToken } from '../base/graphToken.ts'
import { newKeyId, newKeySecret } from '../base/ids.ts'
import { type KeyScope, keyScopes } from '../base/keyScopes.ts'
import { parseCidr } from '../base/network.ts'
import { Type } from '../base/schema.ts'
import type { OnOptOut } from '../message/optOut.ts'
import { type Actor, conflict, existing, ownOf, Refused, unknown, wrongField } from './act.ts'
import { lineIdsField, lineIdsProblem, nameField, nameIn, unknownLine, withoutDoubles } from './fields.ts'

/** docs/partner-api.md#authentication recommends a new key every 90 days. */
export const keyAgeMsMax = 90 * dayMs
/** How long a rotated key still works: a deployment of a caller's backend takes less time. */
const graceMsDefault = dayMs
/** A rotated key that works longer than a key should, needed no rotation. */
export const keyGraceMsMax = keyAgeMsMax
/** Every request compares the caller's address with all of them. */
const networksMax = 100
/** The longest notation of a network, and then some. */
const networkLengthMax = 64

/** What a key is made with. Its end is a moment in the future. */
export const newKeyFields = {
  label: { ...nameField, description: 'Who or what uses it.' },
  allowedNetworks: Type.Array(Type.String({ maxLength: networkLengthMax }), { minItems: 1, maxItems: networksMax }),
  scopes: Type.Array(Type.Enum([...keyScopes]), { minItems: 1, maxItems: keyScopes.length, uniqueItems: true }),
  lineIds: lineIdsField,
}

/** Addresses and CIDR networks that requests are accepted from; null: any. */
export type AllowedNetworks = readonly string[] | null

interface Limits {
  /** Null: never. */
  readonly expiresAt?: EpochMs | null
  readonly allowedNetworks?: AllowedNetworks
  /** Marketing to who wants none; null: as the workspace has it. */
  readonly onOptOut?: OnOptOut | null
}

export const networksRule = `must be an address or a network, as in 203.0.113.0/24; there can be at most ${networksMax}`

/** Whether each entry is an address or a CIDR network, and there are not too many. */
export const areNetworks = (entries: readonly string[]): boolean =>
  entries.length <= networksMax && entries.every(entry => parseCidr(entry) !== null)

/** A key with its secret, of which only the hash is stored: it cannot be shown again. */
export interface KeyWithSecret {
  readonly key: ApiKey
  readonly apiSecret: string
}

function newKeyPair() {
  const apiSecret = newKeySecret()
  return { id: newKeyId(), apiSecret, secretHash: sha256(apiSecret) }
}

function limitsProblem({ expiresAt, allowedNetworks }: Limits, now: EpochMs): Refused | null {
  if (expiresAt && expiresAt <= now) return wrongField('/expiresAt', 'must be a moment in the future')
  return allowedNetworks && !areNetworks(allowedNetworks) ? wrongField('/allowedNetworks', networksRule) : null
}

/**
 * Tells a key from those that it succeeded by rotation, which have the same label.
 * @param keys all of a workspace
 * @returns the label of each, with the time of its rotation where it has a successor; null: it has no label
 */
export function keyLabelsOf(
  keys: readonly Pick<ApiKey, 'id' | 'scope' | 'label' | 'createdAt'>[],
): ReadonlyMap<string, string | null> {
  const scopes = Map.groupBy(keys, ({ scope }) => scope)
  return new Map(
    keys.map(({ id, scope, label, createdAt }) => {
      const later = scopes.get(scope)?.filter(other => other.id !== id && other.createdAt > createdAt) ?? []
      const rotatedAt = Math.min(...later.map(other => other.createdAt))
      const isFormer = label !== null && later.length > 0
      const minute = isFormer ? new Date(rotatedAt).toISOString().slice(0, 16).replace('T', ' ') : ''
      return [id, isFormer ? `${label} (rotated ${minute} UTC)` : label]
    }),
  )
}

const keyOf = async (actor: Actor, keyId: string) => ownOf(actor, await actor.read.key(keyId), 'API key', keyId)

/** What a new key may do, for good. */
interface Allowed {
  /** Null: the usual. */
  readonly scopes?: readonly KeyScope[] | null | undefined
  /** The lines that it sends from and sees; null: all. */
  readonly lineIds?: readonly string[] | null | undefined
}

async function linesProblem(
  { read }: Pick<Actor, 'read'>,
  workspaceId: string,
  { scopes, lineIds }: Allowed,
): Promise<Refused | null> {
  if (!lineIds) return null
  const problem = lineIdsProblem(lineIds) ?? (scopes?.includes('webhooks') ? besideWebhooks : null)
  if (problem !== null) return wrongField('/lineIds', problem)
  // One that is removed meanwhile does no harm: a key of a line that is gone sends nothing.
  const known = new Set((await read.lines(workspaceId)).map(({ id }) => id))
  return lineIds.every(id => known.has(id)) ? null : unknownLine()
}

const besideWebhooks =
  'a key that is limited to lines cannot have the scope webhooks: endpoints are those of the workspace, and may get ' +
  'the events of all of its lines'

/**
 * Makes a key. Without an end it works until it is revoked; without networks it is accepted from any address; without
 * scopes it may do the usual, and without lines on all of the workspace. What it may do never changes: another key is
 * made for that.
 */
export async function createKey(
  actor: Actor,
  workspaceId: string,
  {
    label: given = null,
    expiresAt = null,
    allowedNetworks = null,
    onOptOut = null,
    scopes = null,
    lineIds = null,
  }: Limits & Allowed & { readonly label?: string | null | undefined },
): Promise<KeyWithSecret | Refused> {
  const label = nameIn(given, '/label')
  if (label instanceof Refused) return label
  const createdAt = actor.clock.now()
  const limits = { expiresAt, allowedNetworks, onOptOut }
  const problem = limitsProblem(limits, createdAt) ?? (await linesProblem(actor, workspaceId, { scopes, lineIds }))
  if (problem) return problem
  const { apiSecret, ...pair } = newKeyPair()
  const allowed = { scopes, lineIds: withoutDoubles(lineIds) }
  const key = await actor.write.createKey({ ...pair, ...limits, ...allowed, workspaceId, label, createdAt })
  return key ? { key, apiSecret } : unknown('workspace', workspaceId)
}

/** Makes a successor, which shares the idempotency keys. The former key works until the grace has passed. */
export async function rotateKey(
  actor: Actor,
  keyId: string,
  { graceMs = graceMsDefault, expiresAt = null }: Pick<Limits, 'expiresAt'> & { readonly graceMs?: number | undefined },
): Promise<(KeyWithSecret & { readonly former: ApiKey; readonly formerExpiresAt: EpochMs }) | Refused> {
  const known = await keyOf(actor, keyId)
  if (known instanceof Refused) return known
  const at = actor.clock.now()
  const { apiSecret, ...pair } = newKeyPair()
  const formerExpiresAt = at + graceMs
  const rotation = await actor.write.rotateKey({ keyId, successor: { ...pair, expiresAt }, at, formerExpiresAt })
  switch (rotation.outcome) {
    case 'rotated':
      return { ...rotation, apiSecret, formerExpiresAt: rotation.former.expiresAt ?? at }
    case 'unknownKey':
      return unknown('API key', keyId)
    case 'revoked':
      return conflict(`The API key ${keyId} is revoked and has no successor.`)
    case 'expired':
      return conflict(`The API key ${keyId} has expired and has no successor.`)
  }
}

/** Changes the given limits. They count from the next request on. */
export async function limitKey(actor: Actor, keyId: string, limits: Limits): Promise<ApiKey | Refused> {
  const known = await keyOf(actor, keyId)
  if (known instanceof Refused) return known
  const problem = limitsProblem(limits, actor.clock.now())
  return problem ?? existing(await actor.write.limitKey({ keyId, ...limits }), 'API key', keyId)
}

/** From the next request on it is refused, for good. */
export async function revokeKey(actor: Actor, keyId: string): Promise<ApiKey | Refused> {
  const known = await keyOf(actor, keyId)
  if (known instanceof Refused) return known
  return existing(await actor.write.revokeKey({ keyId, at: actor.clock.now() }), 'API key', keyId)
}

/** Whether requests with the key are accepted. */
export const keyWorks = ({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: EpochMs) =>
  revokedAt === null && (expiresAt === null || expiresAt > now)

const isoOrNull = (at: EpochMs | null) => (at === null ? null : new Date(at).toISOString())

/** A key without its secret, which can always be shown. */
export const keyView = ({ allowedNetworks, scopes, lineIds, ...key }: ApiKey) => ({
  apiKey: key.id,
  label: key.label,
  workspaceId: key.workspaceId,
  scope: key.scope,
  scopes: scopes && [...scopes],
  lineIds: lineIds && [...lineIds],
  onOptOut: key.onOptOut,
  allowedNetworks: allowedNetworks && [...allowedNetworks],
  createdAt: new Date(key.createdAt).toISOString(),
  expiresAt: isoOrNull(key.expiresAt),
  lastUsedAt: isoOrNull(key.lastUsedAt),
  revokedAt: isoOrNull(key.revokedAt),
})

/** The one answer with the secret, and with the token of a key for the drop-in API: that of the act that makes it. */
export function keyWithSecretView({ key, apiSecret }: KeyWithSecret) {
  const { apiKey, ...rest } = keyView(key)
  const graphToken = hasGraphToken(key.scopes) ? graphTokenOf(apiKey, apiSecret) : null
  return { apiKey, apiSecret, ...(graphToken !== null && { graphToken }), ...rest }
}
