import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWorkspace } from '../../app/session.tsx'
import { actionColumn, type Column, DataTable } from '../../components/DataTable.tsx'
import { Time } from '../../components/Time.tsx'
import { webhooks as words } from '../../texts/en/webhooks.ts'
import { Lately } from './DeliveryState.tsx'
import { useWebhooks, type Webhook } from './queries.ts'
import { WebhookMenu } from './WebhookMenu.tsx'
import { WebhookBadge } from './WebhookState.tsx'

/** Endpoints of the workspace, with the actions on each. @param props.isShown which of them; all without it */
export function WebhookTable(props: { isShown?: (webhook: Webhook) => boolean; empty: ReactNode }) {
  const { isShown = () => true, empty } = props
  const { id: workspaceId, can } = useWorkspace()
  const webhooks = useWebhooks()
  return (
    <DataTable
      label={words.title}
      columns={can('admin') ? columnsOfAdmin : columns}
      rows={webhooks.data?.webhooks.filter(isShown)}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `/w/${workspaceId}/webhooks/${id}`}
      query={webhooks}
      empty={empty}
    />
  )
}

const columns: readonly Column<Webhook>[] = [
  {
    header: words.endpoint,
    place: 'who',
    render: webhook => (
      <>
        <bdi className="breakable">{webhook.description ?? new URL(webhook.url).host}</bdi>
        <div className="on-tablet for-more">
          <Lately webhook={webhook} />
        </div>
      </>
    ),
  },
  {
    header: words.url,
    place: 'what',
    render: webhook => (
      <>
        <Text inherit c="dimmed" className="one-line address" title={webhook.url}>
          {webhook.url}
        </Text>
        <div className="for-more">
          <Lately webhook={webhook} />
        </div>
      </>
    ),
  },
  { header: words.state, place: 'how', render: webhook => <WebhookBadge webhook={webhook} /> },
  { header: words.lately, place: 'more', render: webhook => <Lately webhook={webhook} /> },
  {
    header: words.events,
    render: ({ events, format }) =>
      events ? (events.length === 1 ? events[0] : words.types(events.length)) : words.allOf[format],
  },
  {
    header: words.lastDelivered,
    place: 'when',
    render: ({ deliveredAt }) => <Time at={deliveredAt} precision="relative" />,
  },
]
const columnsOfAdmin = [...columns, actionColumn<Webhook>(webhook => <WebhookMenu webhook={webhook} />)]
