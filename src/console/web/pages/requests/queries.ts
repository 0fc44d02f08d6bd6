import { keepPreviousData } from '@tanstack/react-query'
import type { api } from '../../api/client.ts'
import { useLiveQuery, useWorkspaceQuery } from '../../app/workspaceData.ts'

type Get = ReturnType<typeof api.workspaces>['requests']['get']
type Query = NonNullable<NonNullable<Parameters<Get>[0]>['query']>
type FilterName = Exclude<keyof Query, 'older' | 'limit'>
export type Filters = Readonly<Record<FilterName | 'older', string>>

/** A filter without its line here is a type error. */
export const noFilters: Readonly<Record<FilterName, string>> = {
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
function queryOf(filters: Filters): Query {
  const given = Object.entries(filters).filter(([, value]) => value !== '')
  const moments = given.map(([name, value]) => {
    const at = name === 'since' || name === 'until' ? new Date(value) : null
    return [name, at === null || Number.isNaN(at.getTime()) ? value : at.toISOString()]
  })
  // The gateway checks what the address says.
  return Object.fromEntries(moments) as Query
}

/** One page of the last calls. */
export function useRequests(filters: Filters) {
  const query = queryOf(filters)
  return useLiveQuery(['requests'], ['requests', query], routes => routes.requests.get({ query }), {
    placeholderData: keepPreviousData,
  })
}
export type Request = NonNullable<ReturnType<typeof useRequests>['data']>['requests'][number]

export const useChoices = () => useWorkspaceQuery(['request-filters'], routes => routes['request-filters'].get())
export type Choices = NonNullable<ReturnType<typeof useChoices>['data']>

export const useRequest = (id: string) =>
  useWorkspaceQuery(['requests', 'one', id], routes => routes.requests({ id }).get())
export type RequestDetails = NonNullable<ReturnType<typeof useRequest>['data']>

/** The call that made a message, where it is still kept: replays come later, and newer ones come first. */
export function useRequestOf(messageId: string, wasCalled: boolean): Request | null {
  const query = { messageId, call: 'POST /messages/send' } as const
  const found = useLiveQuery(['requests'], ['requests', 'of', messageId], routes => routes.requests.get({ query }), {
    enabled: wasCalled,
  })
  return found.data?.requests.at(-1) ?? null
}
