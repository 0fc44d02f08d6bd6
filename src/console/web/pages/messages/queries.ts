import { keepPreviousData, type Query as Reading, useQuery, useQueryClient } from '@tanstack/react-query'
import { byFieldFilter } from '../../../../../db/messageFields.ts'
import { answerOf, api } from '../../api/client.ts'
import { useLiveReading } from '../../api/live.tsx'
import type { MessageIds } from '../../api/paced.ts'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceQuery, workspaceKey } from '../../app/workspaceData.ts'
import { dayStart } from '../../components/times.ts'
import { texts } from '../../texts/texts.ts'
import { withChanged } from './changedRows.ts'

/** How often a page continues a search by itself before it shows how far it came: some three seconds. */
const roundsMax = 20

const list = (workspaceId: string, query: Query) => api.workspaces({ workspaceId }).messages.get({ query })
type Query = NonNullable<NonNullable<Parameters<ReturnType<typeof api.workspaces>['messages']['get']>[0]>['query']>
export type ListAnswer = Exclude<Awaited<ReturnType<typeof list>>['data'], Response | null>
export type ListedMessage = ListAnswer['messages'][number]

/** The filters of the list: all parameters of the route except paging and format. */
export type FilterName = Exclude<keyof Query, 'older' | 'newer' | 'limit' | 'format'>
export type Filters = Readonly<Record<FilterName | 'older' | 'newer', string>>

/** A filter that is not by the value of a field, and has no line here, is a type error. */
export const noFilters: Readonly<Record<FilterName, string>> = {
  ...byFieldFilter(() => ''),
  q: '',
  status: '',
  line: '',
  key: '',
  cause: '',
  since: '',
  until: '',
}

/** @returns the address of the messages that fit */
export const messagesPath = (workspaceId: string, filters: { readonly [Name in FilterName]?: string }) =>
  `/w/${workspaceId}/messages?${new URLSearchParams(filters)}`

/** @returns the messages of a day, or a month, of UTC. @param first its first day */
export function within(first: string, length: 'day' | 'month') {
  const until = new Date(first)
  if (length === 'day') until.setUTCDate(until.getUTCDate() + 1)
  else until.setUTCMonth(until.getUTCMonth() + 1)
  return { since: new Date(first).toISOString(), until: until.toISOString() }
}

/** The query for the gateway, without the filters that are not set. */
export function queryOf({ since, until, ...filters }: Filters): Query {
  const given = Object.entries(filters).filter(([, value]) => value !== '')
  const from = dayStart(since)?.toISOString()
  const to = dayStart(until, 1)?.toISOString()
  // The gateway checks what the address says.
  return { ...Object.fromEntries(given), ...(from && { since: from }), ...(to && { until: to }) } as Query
}

/** One page of the list. The search for a rare combination continues automatically for a while. */
export async function readMessages(workspaceId: string, filters: Filters): Promise<ListAnswer> {
  let query = queryOf(filters)
  const messages: ListedMessage[] = []
  let newer: string | null = null
  for (let round = 0; ; round += 1) {
    const answer = (await answerOf(list(workspaceId, query))) as ListAnswer
    messages.push(...answer.messages)
    if (round === 0) newer = answer.newer
    const isBack = filters.newer !== ''
    const isDone = answer.searchedTo === null || answer.messages.length > 0 || round + 1 === roundsMax
    if (isDone) return { ...answer, messages, newer: isBack ? answer.newer : newer }
    query = isBack ? { ...query, newer: answer.newer ?? '' } : { ...query, older: answer.older ?? '' }
  }
}

/**
 * One page of the list. It reads which rows have changed; the page, and how many messages fit, only where these do not
 * say it.
 */
export function useMessages(filters: Filters) {
  const { id: workspaceId } = useWorkspace()
  const queries = useQueryClient()
  const queryKey = workspaceKey(workspaceId, 'messages', filters)
  const count = {
    queryKey: workspaceKey(workspaceId, ...countParts),
    // Where not all are counted, nothing changes it.
    predicate: (query: Reading) => (query.state.data as Count | undefined)?.isMore === false,
  }

  async function readChanged(ids: MessageIds) {
    const rows = ids && (await readRows(workspaceId, filters, ids).catch(() => null))
    const page = queries.getQueryData<ListAnswer>(queryKey)
    // A reading that is under way may have begun before the change, and would end after it.
    const isSettled = queries.isFetching({ queryKey }) === 0
    const isBack = filters.newer !== ''
    const changed = ids && rows && page && isSettled ? withChanged(page, { ids, rows, isBack }) : null
    if (changed) queries.setQueryData(queryKey, changed.page)
    await Promise.all([
      changed === null && queries.invalidateQueries({ queryKey }),
      changed?.isAll !== true && queries.invalidateQueries(count),
    ])
  }

  // A text is searched for in many messages: not again for each change.
  useLiveReading(filters.q === '' ? ['messages'] : [], queryKey, readChanged)
  return useQuery({
    queryKey,
    queryFn: () => readMessages(workspaceId, filters),
    placeholderData: keepPreviousData,
  })
}

/** @returns which of these messages are in the list behind the cursor of the page */
async function readRows(workspaceId: string, filters: Filters, ids: readonly string[]) {
  const { q: _q, limit: _limit, ...query } = queryOf(filters)
  const rows = api.workspaces({ workspaceId })['message-rows']
  return (await answerOf(rows.get({ query: { ...query, ids: ids.join(',') } }))).messages
}

const countParts = ['messages', 'count']

/** How many messages fit; the place in the list does not matter. `useMessages` counts again. */
export function useCount(filters: Filters) {
  const { q: _q, limit: _limit, ...counted } = queryOf({ ...filters, older: '', newer: '' })
  return useWorkspaceQuery([...countParts, counted], routes => routes['message-count'].get({ query: counted }), {
    enabled: filters.q === '',
    placeholderData: keepPreviousData,
  })
}
type Count = NonNullable<ReturnType<typeof useCount>['data']>

/** The lines, keys, templates and errors to filter messages by. */
export const useChoices = () => useWorkspaceQuery(['message-filters'], routes => routes['message-filters'].get())
export type Choices = NonNullable<ReturnType<typeof useChoices>['data']>

/** A recipient as people know it. */
export const recipientText = (recipient: string): string =>
  recipient === 'forgotten' ? texts.messages.forgotten : recipient

/** How often the page of a waiting message reloads. */
const waitingLookMs = 5_000

export function useMessage(messageId: string) {
  const queries = useQueryClient()
  const parts = ['messages', messageId]
  const queryKey = workspaceKey(useWorkspace().id, ...parts)
  useLiveReading(['messages'], queryKey, async ids => {
    if (ids === null || ids.includes(messageId)) await queries.invalidateQueries({ queryKey })
  })
  return useWorkspaceQuery(parts, routes => routes.messages({ messageId }).get(), {
    // There is no event when a pause of the queue changes.
    refetchInterval: ({ state }) => (state.data?.waiting ? waitingLookMs : false),
  })
}
export type MessageDetails = NonNullable<ReturnType<typeof useMessage>['data']>
