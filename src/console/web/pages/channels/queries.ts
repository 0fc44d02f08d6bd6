import { useWorkspaceQuery } from '../../app/workspaceData.ts'

export const useChannels = () => useWorkspaceQuery(['channels'], routes => routes.channels.get())
export const useLines = () => useWorkspaceQuery(['lines'], routes => routes.lines.get())

export type Channel = NonNullable<ReturnType<typeof useChannels>['data']>['channels'][number]
export type Line = NonNullable<ReturnType<typeof useLines>['data']>['lines'][number]
