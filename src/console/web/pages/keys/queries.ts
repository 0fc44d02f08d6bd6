import { useWorkspaceQuery } from '../../app/workspaceData.ts'
import { daysSince } from '../../components/times.ts'

/** The keys of the workspace, including revoked and expired ones. */
export const useKeys = () => useWorkspaceQuery(['keys'], routes => routes['api-keys'].get())

export type ListedKey = NonNullable<ReturnType<typeof useKeys>['data']>['apiKeys'][number]

/** The name of a key, also without a label; that of a rotated one is not its successor's. */
export const keyName = ({ name, apiKey }: ListedKey) => name ?? apiKey

export type KeyState = 'works' | 'ends' | 'expired' | 'revoked'

export function keyStateOf({ revokedAt, expiresAt }: ListedKey): KeyState {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt === null) return 'works'
  return Date.parse(expiresAt) > Date.now() ? 'ends' : 'expired'
}

/** Whether a program can call with it. */
export const isUsable = (key: ListedKey): boolean => ['works', 'ends'].includes(keyStateOf(key))

/** A new key every 90 days is what the API reference recommends. */
const oldDays = 90

/** Whether it should be rotated. One that ends was given an end. */
export const isOld = (key: ListedKey): boolean => keyStateOf(key) === 'works' && daysSince(key.createdAt) >= oldDays
