import { keepPreviousData } from '@tanstack/react-query'
import { useLiveQuery } from '../../app/workspaceData.ts'

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
export const useWebhooks = () => useLiveQuery(subjects, ['webhooks'], routes => routes.webhooks.get(), live)
export type Webhook = NonNullable<ReturnType<typeof useWebhooks>['data']>['webhooks'][number]

/** The name of an endpoint, also without a description. */
export const webhookName = ({ description, url }: Webhook) => description ?? url

export const useWebhook = (webhookId: string) =>
  useLiveQuery(subjects, ['webhooks', webhookId], routes => routes.webhooks({ webhookId }).get(), live)

export function useDeliveries(webhookId: string, filters: Readonly<Record<string, string>>) {
  const query = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''))
  return useLiveQuery(
    subjects,
    ['webhooks', webhookId, 'deliveries', query],
    routes => routes.webhooks({ webhookId }).deliveries.get({ query }),
    { refetchInterval: ({ state }) => intervalOf(state.data?.deliveries), placeholderData: keepPreviousData },
  )
}
export type ListedDelivery = NonNullable<ReturnType<typeof useDeliveries>['data']>['deliveries'][number]

export const useDelivery = (webhookId: string, eventId: string) =>
  useLiveQuery(
    subjects,
    ['webhooks', webhookId, 'deliveries', eventId],
    routes => routes.webhooks({ webhookId }).deliveries({ eventId }).get(),
    { refetchInterval: ({ state }) => intervalOf(state.data ? [state.data] : []) },
  )
export type DeliveryDetails = NonNullable<ReturnType<typeof useDelivery>['data']>
