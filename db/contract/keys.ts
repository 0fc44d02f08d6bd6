import type { EpochMs } from '../../src/base/clock.ts'
import type { OnOptOut } from '../../src/message/optOut.ts'
import type { ApiKey, KeyRotation, NewKey } from './accounts.ts'

/** The verbs of API keys. */
export interface KeyWrites {
  /** @returns null when there is no such workspace. */
  createKey(key: NewKey): Promise<ApiKey | null>
  /**
   * Makes a successor with the scope, label and networks of the key, and its scopes and lines. The old key expires at
   * `formerExpiresAt`, or earlier if it already had an earlier end. A revoked or expired key gets no successor.
   */
  rotateKey(rotation: {
    keyId: string
    successor: { id: string; secretHash: string; expiresAt?: EpochMs | null }
    at: EpochMs
    formerExpiresAt: EpochMs
  }): Promise<KeyRotation>
  /** Changes only the given fields; null removes the limit. @returns null when there is no such key. */
  limitKey(change: {
    keyId: string
    expiresAt?: EpochMs | null
    allowedNetworks?: readonly string[] | null
    onOptOut?: OnOptOut | null
  }): Promise<ApiKey | null>
  /** A second revocation keeps the first one's time. @returns null when there is no such key. */
  revokeKey(change: { keyId: string; at: EpochMs }): Promise<ApiKey | null>
}
