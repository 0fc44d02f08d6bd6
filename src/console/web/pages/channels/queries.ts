import { queryOptions, useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { useWorkspace } from '../../app/session.tsx'

const channelsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['workspace', workspaceId, 'channels'],
    queryFn: () => answerOf(api.workspaces({ workspaceId }).channels.get()),
  })

const linesQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['workspace', workspaceId, 'lines'],
    queryFn: () => answerOf(api.workspaces({ workspaceId }).lines.get()),
  })

export const useChannels = () => useQuery(channelsQuery(useWorkspace().id))
export const useLines = () => useQuery(linesQuery(useWorkspace().id))

export type Channel = NonNullable<ReturnType<typeof useChannels>['data']>['channels'][number]
export type Line = NonNullable<ReturnType<typeof useLines>['data']>['lines'][number]
