import { answerOf, api } from '../../api/client.ts'

export const filterDefaults = {
  q: '',
  status: '',
  lineId: '',
  keyId: '',
  type: '',
  template: '',
  since: '',
  until: '',
  older: '',
  newer: '',
}
export type Filters = Record<keyof typeof filterDefaults, string>

/** A page asks this often by itself before it shows what it has: some 200,000 messages are looked at. */
const roundsMax = 10

const list = (workspaceId: string, query: Query) => api.workspaces({ workspaceId }).messages.get({ query })
type Query = NonNullable<NonNullable<Parameters<ReturnType<typeof api.workspaces>['messages']['get']>[0]>['query']>
type Answer = Exclude<Awaited<ReturnType<typeof list>>['data'], Response | null>
export type ListedMessage = Answer['messages'][number]

/** A local day of the address, as a moment; `until` includes its day. */
function dayStart(day: string, plusDays: number): string | undefined {
  const start = new Date(`${day}T00:00`)
  if (Number.isNaN(start.getTime())) return undefined
  start.setDate(start.getDate() + plusDays)
  return start.toISOString()
}

/** What the gateway is asked for; filters that are not set are left out. */
export function queryOf({ since, until, ...filters }: Filters): Query {
  const given = Object.entries(filters).filter(([, value]) => value !== '')
  const from = since === '' ? undefined : dayStart(since, 0)
  const to = until === '' ? undefined : dayStart(until, 1)
  // The gateway checks what the address says.
  return { ...Object.fromEntries(given), ...(from && { since: from }), ...(to && { until: to }) } as Query
}

/** One page of the list. A rare combination is searched further by itself, for a while. */
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

export const readChoices = (workspaceId: string) => answerOf(api.workspaces({ workspaceId })['message-filters'].get())

export const readMessage = (workspaceId: string, messageId: string) =>
  answerOf(api.workspaces({ workspaceId }).messages({ messageId }).get())
export type MessageDetails = Awaited<ReturnType<typeof readMessage>>
