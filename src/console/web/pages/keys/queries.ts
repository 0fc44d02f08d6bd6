import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { useWorkspace } from '../../app/session.tsx'

/** The keys of the workspace, those that do not work any more included. */
export function useKeys() {
  const { id: workspaceId } = useWorkspace()
  return useQuery({
    queryKey: ['workspace', workspaceId, 'keys'],
    queryFn: () => answerOf(api.workspaces({ workspaceId })['api-keys'].get()),
  })
}

export type ApiKey = NonNullable<ReturnType<typeof useKeys>['data']>['apiKeys'][number]

export type KeyState = 'works' | 'ends' | 'expired' | 'revoked'

export function stateOf({ revokedAt, expiresAt }: ApiKey, now: number): KeyState {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt === null) return 'works'
  return Date.parse(expiresAt) > now ? 'ends' : 'expired'
}
