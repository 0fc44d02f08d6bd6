import { keepPreviousData } from '@tanstack/react-query'
import { dayMs, minuteMs } from '../../../../base/durations.ts'
import type { api } from '../../api/client.ts'
import { useLiveQueries } from '../../api/live.tsx'
import { useWorkspace } from '../../app/session.tsx'
import { useLiveQuery, useWorkspaceQuery, workspaceKey } from '../../app/workspaceData.ts'
import type { ListedMessage } from '../messages/queries.ts'

type Get = ReturnType<typeof api.workspaces>['requests']['get']
type Query = NonNullable<NonNullable<Parameters<Get>[0]>['query']>
type FilterName = Exclude<keyof Query, 'older' | 'limit'>
export type RequestFilters = Readonly<Record<FilterName | 'older', string>>

/** A filter without its line here is a type error. */
export const noRequestFilters: Readonly<Record<FilterName, string>> = {
  outcome: '',
  keyId: '',
  call: '',
  reason: '',
  requestId: '',
  messageId: '',
  since: '',
  until: '',
}

/** The query for the gateway, without the filters that are not set. A local time becomes a moment. */
function queryOf(filters: RequestFilters): Query {
  const given = Object.entries(filters).filter(([, value]) => value !== '')
  const moments = given.map(([name, value]) => {
    const at = name === 'since' || name === 'until' ? new Date(value) : null
    return [name, at === null || Number.isNaN(at.getTime()) ? value : at.toISOString()]
  })
  // The gateway checks what the address says.
  return Object.fromEntries(moments) as Query
}

/** One page of the last calls. */
export function useRequests(filters: RequestFilters) {
  const query = queryOf(filters)
  return useLiveQuery(['requests'], ['requests', query], routes => routes.requests.get({ query }), {
    placeholderData: keepPreviousData,
  })
}
export type Request = NonNullable<ReturnType<typeof useRequests>['data']>['requests'][number]

export const useRequestChoices = () => useWorkspaceQuery(['request-filters'], routes => routes['request-filters'].get())
export type RequestChoices = NonNullable<ReturnType<typeof useRequestChoices>['data']>

export const useRequest = (id: string) =>
  useWorkspaceQuery(['requests', 'one', id], routes => routes.requests({ id }).get())
export type RequestDetails = NonNullable<ReturnType<typeof useRequest>['data']>

/** As long as a call is kept. */
const keptMs = dayMs

/**
 * The call that made a message, where it is still kept: replays come later, and newer ones come first. It is a search
 * through all later calls, so it is not repeated for a message whose call would have come by now.
 */
export function useRequestOf({
  id,
  keyId,
  createdAt,
}: Pick<ListedMessage, 'id' | 'keyId' | 'createdAt'>): Request | null {
  const sentAt = Date.parse(createdAt)
  const ageMs = Date.now() - sentAt
  const since = new Date(sentAt - minuteMs).toISOString()
  const query = { messageId: id, call: 'POST /messages/send', since } as const
  const parts = ['requests', 'of', id]
  const found = useWorkspaceQuery(parts, routes => routes.requests.get({ query }), {
    enabled: keyId !== null && ageMs < keptMs,
  })
  const isToCome = found.data?.requests.length === 0 && ageMs < minuteMs
  useLiveQueries(isToCome ? ['requests'] : [], workspaceKey(useWorkspace().id, ...parts))
  return found.data?.requests.at(-1) ?? null
}
