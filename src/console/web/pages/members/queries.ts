import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceQuery } from '../../app/workspaceData.ts'

export const useMembers = () => useWorkspaceQuery(['members'], routes => routes.members.get())

/** Only for admins and owners. */
export const useInvitations = () =>
  useWorkspaceQuery(['invitations'], routes => routes.invitations.get(), { enabled: useWorkspace().can('admin') })

export type ListedMember = NonNullable<ReturnType<typeof useMembers>['data']>['members'][number]
export type ListedInvitation = NonNullable<ReturnType<typeof useInvitations>['data']>['invitations'][number]
