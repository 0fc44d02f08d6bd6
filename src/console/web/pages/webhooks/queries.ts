import { keepPreviousData, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { figuresPauseMs } from '../../api/live.tsx'
import { useWorkspace } from '../../app/session.tsx'
import { useLiveQuery, workspaceKey } from '../../app/workspaceData.ts'

/** What gives events. */
const subjects = ['messages', 'contacts', 'templates', 'health'] as const
/** Nobody tells of an attempt: it is seen this long after it at the latest. */
const lookMs = 5_000
/** While one is due, as after a replay. */
const dueLookMs = 1_000
const live = { refetchInterval: lookMs }

const intervalOf = (deliveries: readonly { readonly nextAt: string | null }[] = []) =>
  deliveries.some(({ nextAt }) => nextAt !== null && Date.parse(nextAt) < Date.now() + dueLookMs) ? dueLookMs : lookMs

/** The endpoints of the workspace, and which types of events there are. */
export const useWebhooks = () =>
  useLiveQuery(subjects, ['webhooks'], routes => routes.webhooks.get(), { ...live, pauseMs: figuresPauseMs })
export type Webhook = NonNullable<ReturnType<typeof useWebhooks>['data']>['webhooks'][number]

/** The name of an endpoint, also without a description. */
export const webhookName = ({ description, url }: Webhook) => description ?? url

export const useWebhook = (webhookId: string) =>
  useLiveQuery(subjects, ['webhooks', webhookId], routes => routes.webhooks({ webhookId }).get(), live)
export type WebhookDetails = NonNullable<ReturnType<typeof useWebhook>['data']>

/** The page goes on below them. */
const deliveriesShown = 20

/**
 * What became of events at an endpoint. Whenever that changes, the endpoint is read again: its sign says the same.
 */
export function useDeliveries(webhookId: string, filters: Readonly<Record<string, string>>) {
  const { id: workspaceId } = useWorkspace()
  const queries = useQueryClient()
  const query = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''))
  const list = useLiveQuery(
    subjects,
    ['webhooks', webhookId, 'deliveries', query],
    routes => routes.webhooks({ webhookId }).deliveries.get({ query: { ...query, limit: deliveriesShown } }),
    { refetchInterval: ({ state }) => intervalOf(state.data?.deliveries), placeholderData: keepPreviousData },
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the data that changed
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: workspaceKey(workspaceId, 'webhooks', webhookId), exact: true })
  }, [list.data, queries, workspaceId, webhookId])
  return list
}
export type ListedDelivery = NonNullable<ReturnType<typeof useDeliveries>['data']>['deliveries'][number]
export type Attempt = ListedDelivery['attempts'][number]

export const useDelivery = (webhookId: string, eventId: string) =>
  useLiveQuery(
    subjects,
    ['webhooks', webhookId, 'deliveries', eventId],
    routes => routes.webhooks({ webhookId }).deliveries({ eventId }).get(),
    { refetchInterval: ({ state }) => intervalOf(state.data ? [state.data] : []) },
  )
export type DeliveryDetails = NonNullable<ReturnType<typeof useDelivery>['data']>

/** Of one endpoint, the newest first. */
const testsMax = 10

/** The attempts of tests that this tab has sent: the gateway keeps none. @returns them, and how to add one */
export function useTests(webhookId: string) {
  const queryKey = workspaceKey(useWorkspace().id, 'webhookTests', webhookId)
  const queries = useQueryClient()
  const { data: tests = [] } = useQuery<Attempt[]>({ queryKey, queryFn: skipToken })
  const add = (made: Attempt) =>
    queries.setQueryData<Attempt[]>(queryKey, (before = []) => [made, ...before].slice(0, testsMax))
  return [tests, add] as const
}
