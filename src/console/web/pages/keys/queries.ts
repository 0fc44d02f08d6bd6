import { useWorkspaceQuery } from '../../app/workspaceData.ts'

/** The keys of the workspace, including revoked and expired ones. */
export const useKeys = () => useWorkspaceQuery(['keys'], routes => routes['api-keys'].get())

export type ListedKey = NonNullable<ReturnType<typeof useKeys>['data']>['apiKeys'][number]

/** The name of a key, also without a label. */
export const keyName = ({ label, apiKey }: ListedKey) => label ?? apiKey

export type KeyState = 'works' | 'ends' | 'expired' | 'revoked'

export function keyStateOf({ revokedAt, expiresAt }: ListedKey, now: number): KeyState {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt === null) return 'works'
  return Date.parse(expiresAt) > now ? 'ends' : 'expired'
}
