import { type UseQueryOptions, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Subject } from '../../../reading/announcements.ts'
import { answerOf, api, type RouteAnswer } from '../api/client.ts'
import { useLiveQueries } from '../api/live.tsx'
import { useWorkspace } from './session.tsx'

export type Routes = ReturnType<typeof api.workspaces>
type Options<Data> = Pick<
  UseQueryOptions<Data>,
  'enabled' | 'placeholderData' | 'refetchInterval' | 'retry' | 'staleTime'
>

/** The query key of a workspace's data: queries that are reloaded together have the same prefix. */
export const workspaceKey = (workspaceId: string, ...parts: readonly unknown[]) => ['workspace', workspaceId, ...parts]

/** Reads something of the workspace of the page. @param parts its query key within the workspace */
export function useWorkspaceQuery<Data>(
  parts: readonly unknown[],
  ask: (routes: Routes) => Promise<RouteAnswer<Data>>,
  options?: Options<Exclude<Data, null>>,
): UseQueryResult<Exclude<Data, null>> {
  const { id: workspaceId } = useWorkspace()
  const queryKey = workspaceKey(workspaceId, ...parts)
  return useQuery({ queryKey, queryFn: () => answerOf(ask(api.workspaces({ workspaceId }))), ...options })
}

/** Also reloads it when something of these subjects has changed, as often as `useLiveReading` does. */
export function useLiveQuery<Data>(
  subjects: readonly Subject[],
  parts: readonly unknown[],
  ask: (routes: Routes) => Promise<RouteAnswer<Data>>,
  { pauseMs, ...options }: Options<Exclude<Data, null>> & { readonly pauseMs?: number } = {},
): UseQueryResult<Exclude<Data, null>> {
  useLiveQueries(subjects, workspaceKey(useWorkspace().id, ...parts), pauseMs)
  return useWorkspaceQuery(parts, ask, options)
}

/** The routes of the page's workspace, and how a page uses their answers. */
export function useWorkspaceRoutes() {
  const { id: workspaceId } = useWorkspace()
  const queries = useQueryClient()
  /** Reloads the workspace's data, or a part of it. */
  const refresh = (...parts: readonly string[]) =>
    queries.invalidateQueries({ queryKey: workspaceKey(workspaceId, ...parts) })
  return {
    workspaceId,
    routes: api.workspaces({ workspaceId }),
    refresh,
    /**
     * Waits for a change, and reloads what it may have changed. It returns only after that, so an answer that is shown
     * only once must not go through it.
     * @throws ApiFailure
     */
    async change<Data>(asked: Promise<RouteAnswer<Data>>, ...parts: readonly string[]): Promise<Exclude<Data, null>> {
      const answer = await answerOf(asked)
      await refresh(...parts)
      return answer
    },
  }
}
