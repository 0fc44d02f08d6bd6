import { keepPreviousData } from '@tanstack/react-query'
import { byFieldFilter } from '../../../../../db/messageFields.ts'
import { answerOf, api } from '../../api/client.ts'
import { useLiveQueries } from '../../api/live.tsx'
import { useWorkspace } from '../../app/session.tsx'
import { useLiveQuery, useWorkspaceQuery, workspaceKey } from '../../app/workspaceData.ts'
import { dayStart } from '../../components/times.ts'
import { texts } from '../../texts/texts.ts'

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

/** How many messages fit; the place in the list does not matter. Where not all are counted, nothing changes it. */
export function useCount(filters: Filters) {
  const { q: _q, limit: _limit, ...counted } = queryOf({ ...filters, older: '', newer: '' })
  const parts = ['messages', 'count', counted]
  const count = useWorkspaceQuery(parts, routes => routes['message-count'].get({ query: counted }), {
    enabled: filters.q === '',
    placeholderData: keepPreviousData,
  })
  useLiveQueries(count.data?.isMore === false ? ['messages'] : [], workspaceKey(useWorkspace().id, ...parts))
  return count
}

/** The lines, keys, templates and errors to filter messages by. */
export const useChoices = () => useWorkspaceQuery(['message-filters'], routes => routes['message-filters'].get())
export type Choices = NonNullable<ReturnType<typeof useChoices>['data']>

/** A recipient as people know it. */
export const recipientText = (recipient: string): string =>
  recipient === 'forgotten' ? texts.messages.forgotten : recipient

/** How often the page of a waiting message reloads. */
const waitingLookMs = 5_000

export const useMessage = (messageId: string) =>
  useLiveQuery(['messages'], ['messages', messageId], routes => routes.messages({ messageId }).get(), {
    // There is no event when a pause of the queue changes.
    refetchInterval: ({ state }) => (state.data?.waiting ? waitingLookMs : false),
  })
export type MessageDetails = NonNullable<ReturnType<typeof useMessage>['data']>
