import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { againAfter } from '../../api/queries.ts'
import { useWorkspace } from '../../app/session.tsx'
import { workspaceKey } from '../../app/workspaceData.ts'
import type { ConversationPage } from './queries.ts'

/** In the address of a conversation: what is searched for in it, and when the message was that is gone to. */
export const noHit = { find: '', at: '', hit: '' }

/** @returns the parameters of an address with the message that is gone to, or with none */
export function searchWith(search: string, hit: typeof noHit = noHit): string {
  const parameters = new URLSearchParams(search)
  for (const [name, value] of Object.entries(hit)) {
    parameters.delete(name)
    if (value !== '') parameters.set(name, value)
  }
  return parameters.size === 0 ? '' : `?${parameters}`
}

const ask = (workspaceId: string, query: { q: string; contactId?: string; cursor?: string }, signal: AbortSignal) =>
  answerOf(api.workspaces({ workspaceId })['conversation-hits'].get({ query, fetch: { signal } }))
type HitPage = Awaited<ReturnType<typeof ask>>
export type Hit = HitPage['hits'][number]

/**
 * What was written, newest first. It is searched in parts, one after the other, until there is enough.
 * @param contactId null: in all conversations
 */
export function useHits(
  written: string,
  contactId: string | null,
  isEnough: (hits: readonly Hit[], parts: number) => boolean,
) {
  const { id: workspaceId } = useWorkspace()
  const q = written.trim()
  const { data, hasNextPage, isFetching, isError, error, fetchNextPage } = useInfiniteQuery({
    queryKey: workspaceKey(workspaceId, 'hits', contactId, q),
    queryFn: ({ pageParam, signal }) =>
      ask(
        workspaceId,
        { q, ...(contactId !== null && { contactId }), ...(pageParam !== '' && { cursor: pageParam }) },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }: HitPage) => next,
    enabled: q !== '',
    // What is written meanwhile would shift what somebody steps through. The next search finds that too.
    staleTime: 'static',
    gcTime: 0,
  })
  const pages = data?.pages ?? []
  // One whose edits were found in several parts is one.
  const found = new Map(pages.flatMap(page => page.hits.map(hit => [hit.id, hit] as const)))
  const hits = [...found.values()].sort((one, other) => Date.parse(other.at) - Date.parse(one.at))
  const goesOn = hasNextPage && !isError && !isEnough(hits, pages.length)
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage()
  }, [goesOn, isFetching, fetchNextPage])
  return {
    ...{ hits, hasMore: hasNextPage, isSearching: goesOn || isFetching, error, parts: pages.length },
    searchedTo: pages.at(-1)?.searchedTo ?? null,
  }
}

type PagePlace = { readonly around: string } | { readonly before: string } | { readonly after: string }

/** A conversation as it was around a moment, from where it can be read on both ways. @param around empty: not */
export function useConversationAround(contactId: string, around: string) {
  const { id: workspaceId } = useWorkspace()
  return useInfiniteQuery<ConversationPage, Error, InfiniteData<ConversationPage>, readonly unknown[], PagePlace>({
    queryKey: workspaceKey(workspaceId, 'conversation-around', contactId, around),
    queryFn: ({ pageParam: query }) =>
      answerOf(api.workspaces({ workspaceId }).contacts({ contactId }).conversation.get({ query })),
    initialPageParam: { around },
    getNextPageParam: ({ older }) => (older === null ? null : { before: older }),
    getPreviousPageParam: ({ newer }) => (newer === null ? null : { after: newer }),
    enabled: around !== '',
    // It has no order to be read again in, as a page does not say what is before one that comes later: it is how it was
    // when somebody went there.
    staleTime: 'static',
    gcTime: 0,
    refetchInterval: query => query.state.data === undefined && againAfter(query),
  })
}
