import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { minuteMs } from '../../../../base/durations.ts'
import { answerOf, api } from '../../api/client.ts'
import { figuresPauseMs, useLiveQueries, useLiveReading } from '../../api/live.tsx'
import type { MessageIds } from '../../api/paced.ts'
import { againAfter } from '../../api/queries.ts'
import { useWorkspace } from '../../app/session.tsx'
import { type Routes, useLiveQuery, workspaceKey } from '../../app/workspaceData.ts'

/** In the address of a conversation: somebody came to write, from this line; `usual`: from the one that it says. */
export const writeParameter = 'write'

/** People whom a search finds by their names, at once: below them stands what was written. */
const peopleAbove = 5

/** The lists, the first one at first. */
export const shows = ['open', 'mine', 'free', 'done'] as const

const listPage = (workspaceId: string, asked: Parameters<Routes['conversations']['get']>[0]) =>
  answerOf(api.workspaces({ workspaceId }).conversations.get(asked))
type ConversationList = Awaited<ReturnType<typeof listPage>>
export type ListedConversation = ConversationList['conversations'][number]

/** The first page of a list, and those that were asked for. @param filters as they stand in the address */
export function useConversations(filters: Readonly<Record<'q' | 'show' | 'line' | 'unread', string>>) {
  const { id: workspaceId } = useWorkspace()
  const { q, show, line, unread } = filters
  const query = {
    // A search looks in all lists.
    ...(q === '' ? { show: shows.find(one => one === show) ?? shows[0] } : { q, limit: peopleAbove }),
    ...(line !== '' && { line }),
    ...(unread !== '' && { unread: 'true' as const }),
  }
  const queryKey = workspaceKey(workspaceId, 'conversations', 'list', query)
  useLiveQueries(['contacts', 'messages'], queryKey)
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) =>
      listPage(workspaceId, { query: { ...query, ...(pageParam > 0 && { cursor: pageParam }) } }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
}

/** @returns the person as a list that was read has them */
export function useListedContact(contactId: string) {
  const queryKey = workspaceKey(useWorkspace().id, 'conversations', 'list')
  return useQueryClient()
    .getQueriesData<InfiniteData<ConversationList>>({ queryKey })
    .flatMap(([, list]) => list?.pages.flatMap(page => page.conversations) ?? [])
    .find(({ contact }) => contact.id === contactId)?.contact
}

export const countParts = ['conversations', 'count']

/** Every page shows them. A message changes them only where it answers somebody. */
export function useCounts() {
  useLiveQueries(['messages'], workspaceKey(useWorkspace().id, ...countParts), figuresPauseMs)
  return useLiveQuery(['contacts'], countParts, routes => routes['conversation-count'].get())
}

/** @returns how many conversations nobody has read, in words; null when all are */
export function useUnreadCount(): string | null {
  const { unread = 0, isMore = false } = useCounts().data ?? {}
  return unread === 0 ? null : `${unread}${isMore ? '+' : ''}`
}

const page = (workspaceId: string, contactId: string, before: string) =>
  answerOf(
    api
      .workspaces({ workspaceId })
      .contacts({ contactId })
      .conversation.get({ query: before === '' ? {} : { before } }),
  )
export type ConversationPage = Awaited<ReturnType<typeof page>>
export type ConversationEntry = ConversationPage['entries'][number]

/** @returns the line that is written from: the chosen one, else the one that the page says; null: none is active */
export const writingLine = (
  { lines, phoneNumberId }: Pick<ConversationPage, 'lines' | 'phoneNumberId'>,
  chosen: string | null,
) => lines.find(({ id, active }) => active && id === chosen) ?? lines.find(({ id }) => id === phoneNumberId) ?? null
export type Said = NonNullable<ConversationEntry['said']>

/** Nobody tells that a file is there. One that does not come for long is not asked for any more. */
const pendingMs = 3_000
const pendingMsMax = 10 * minuteMs

const isFetchingFiles = ({ entries }: ConversationPage) =>
  entries.some(
    ({ said, at }) =>
      said?.files.some(({ state }) => state === 'pending') && Date.now() - Date.parse(at) < pendingMsMax,
  )

/** The newest page, and the older ones that were asked for. Messages to others do not make it read them again. */
export function useConversation(contactId: string) {
  const { id: workspaceId } = useWorkspace()
  const queries = useQueryClient()
  const queryKey = workspaceKey(workspaceId, 'conversations', contactId)

  async function concerns(ids: MessageIds): Promise<boolean> {
    const pages = queries.getQueryData<InfiniteData<ConversationPage>>(queryKey)?.pages ?? []
    const [shown] = pages
    if (ids === null || !shown) return true
    const entries = new Set(pages.flatMap(page => page.entries.map(({ id }) => id)))
    if (ids.some(id => entries.has(id))) return true
    const asked = api.workspaces({ workspaceId })['message-rows'].get({ query: { ids: ids.join(',') } })
    const { messages } = await answerOf(asked)
    // Any user id may be one that the person had before.
    return messages.some(({ recipient, contact }) => contact?.id === contactId || !recipient.startsWith('+'))
  }

  useLiveQueries(['contacts'], queryKey)
  useLiveReading(['messages'], queryKey, async ids => {
    if (await concerns(ids).catch(() => true)) await queries.invalidateQueries({ queryKey })
  })
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => page(workspaceId, contactId, pageParam),
    initialPageParam: '',
    getNextPageParam: ({ older }) => older,
    // What it shows is taken as read: somebody may have marked it as unread since it was shown last.
    refetchOnMount: 'always',
    refetchInterval: query => (query.state.data?.pages.some(isFetchingFiles) ? pendingMs : againAfter(query)),
  })
}
