import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { useWorkspace } from '../../app/session.tsx'

export function useMembers() {
  const { id: workspaceId } = useWorkspace()
  return useQuery({
    queryKey: ['workspace', workspaceId, 'members'],
    queryFn: () => answerOf(api.workspaces({ workspaceId }).members.get()),
  })
}

/** Only for admins and owners. */
export function useInvitations() {
  const { id: workspaceId, can } = useWorkspace()
  return useQuery({
    queryKey: ['workspace', workspaceId, 'invitations'],
    queryFn: () => answerOf(api.workspaces({ workspaceId }).invitations.get()),
    enabled: can('admin'),
  })
}

export type Member = NonNullable<ReturnType<typeof useMembers>['data']>['members'][number]
export type Invitation = NonNullable<ReturnType<typeof useInvitations>['data']>['invitations'][number]
