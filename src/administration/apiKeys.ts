import type { ApiKey } from '../../db/accounts.ts'
import { sha256 } from '../crypto/crypto.ts'
import { newKeyId, newKeySecret } from '../ids.ts'
import { parseCidr } from '../network.ts'
import type { EpochMs } from '../time/clock.ts'
import { dayMs, hourMs } from '../time/durations.ts'

/** How long a rotated key still works: a deployment of a caller's backend takes less time. */
export const graceMsDefault = 24 * hourMs
/** docs/partner-api.md#authentication recommends a new key every 90 days. */
export const keyAgeMsMax = 90 * dayMs
/** Every request compares the caller's address with all of them. */
export const keyNetworksMax = 100

/** A new key with its secret, of which only the hash is stored. */
export function newKeyPair() {
  const apiSecret = newKeySecret()
  return { apiKey: newKeyId(), apiSecret, secretHash: sha256(apiSecret) }
}

/** Whether each entry is an address or a CIDR network, and there are not too many. */
export const areNetworks = (entries: readonly string[]): boolean =>
  entries.length <= keyNetworksMax && entries.every(entry => parseCidr(entry) !== null)

/** Whether requests with the key are accepted. */
export const keyWorks = ({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: EpochMs) =>
  revokedAt === null && (expiresAt === null || expiresAt > now)

const isoOrNull = (at: EpochMs | null) => (at === null ? null : new Date(at).toISOString())

/** A key without its secret, which can always be shown. */
export const keyView = (key: ApiKey) => ({
  apiKey: key.id,
  label: key.label,
  workspaceId: key.workspaceId,
  scope: key.scope,
  allowedNetworks: key.allowedNetworks,
  createdAt: new Date(key.createdAt).toISOString(),
  expiresAt: isoOrNull(key.expiresAt),
  lastUsedAt: isoOrNull(key.lastUsedAt),
  revokedAt: isoOrNull(key.revokedAt),
})
