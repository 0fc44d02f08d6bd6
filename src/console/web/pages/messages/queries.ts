import { answerOf, api } from '../../api/client.ts'
import { useLiveQuery, useWorkspaceQuery } from '../../app/workspaceData.ts'

/** How often a page continues a search automatically before it shows what it has: some 200,000 messages. */
const roundsMax = 10

const list = (workspaceId: string, query: Query) => api.workspaces({ workspaceId }).messages.get({ query })
type Query = NonNullable<NonNullable<Parameters<ReturnType<typeof api.workspaces>['messages']['get']>[0]>['query']>
type Answer = Exclude<Awaited<ReturnType<typeof list>>['data'], Response | null>
export type ListedMessage = Answer['messages'][number]

/** The filters of the list: all parameters of the route except paging and format. */
export type FilterName = Exclude<keyof Query, 'older' | 'newer' | 'limit' | 'format'>
export type Filters = Readonly<Record<FilterName | 'older' | 'newer', string>>

/** A filter without its line here is a type error. */
export const noFilters: Readonly<Record<FilterName, string>> = {
  q: '',
  status: '',
  lineId: '',
  keyId: '',
  type: '',
  template: '',
  since: '',
  until: '',
}

/** A local day of the address, as a moment; `until` includes its day. */
function dayStart(day: string, plusDays: number): string | undefined {
  const start = new Date(`${day}T00:00`)
  if (Number.isNaN(start.getTime())) return undefined
  start.setDate(start.getDate() + plusDays)
  return start.toISOString()
}

/** The query for the gateway, without the filters that are not set. */
export function queryOf({ since, until, ...filters }: Filters): Query {
  const given = Object.entries(filters).filter(([, value]) => value !== '')
  const from = since === '' ? undefined : dayStart(since, 0)
  const to = until === '' ? undefined : dayStart(until, 1)
  // The gateway checks what the address says.
  return { ...Object.fromEntries(given), ...(from && { since: from }), ...(to && { until: to }) } as Query
}

/** One page of the list. The search for a rare combination continues automatically for a while. */
export async function readMessages(workspaceId: string, filters: Filters): Promise<Answer> {
  let query = queryOf(filters)
  const messages: ListedMessage[] = []
  let newer: string | null = null
  for (let round = 0; ; round += 1) {
    const answer = (await answerOf(list(workspaceId, query))) as Answer
    messages.push(...answer.messages)
    if (round === 0) newer = answer.newer
    const isBack = filters.newer !== ''
    const isDone = answer.searchedTo === null || answer.messages.length > 0 || round + 1 === roundsMax
    if (isDone) return { ...answer, messages, newer: isBack ? answer.newer : newer }
    query = isBack ? { ...query, newer: answer.newer ?? '' } : { ...query, older: answer.older ?? '' }
  }
}

/** The lines, keys and templates to filter messages by. */
export const useChoices = () => useWorkspaceQuery(['message-filters'], routes => routes['message-filters'].get())
export type Choices = NonNullable<ReturnType<typeof useChoices>['data']>

/** How often the page of a waiting message reloads. */
const waitingLookMs = 5_000

export const useMessage = (messageId: string) =>
  useLiveQuery(['messages'], ['messages', messageId], routes => routes.messages({ messageId }).get(), {
    // There is no event when a pause of the queue changes.
    refetchInterval: ({ state }) => (state.data?.waiting ? waitingLookMs : false),
  })
export type MessageDetails = NonNullable<ReturnType<typeof useMessage>['data']>
