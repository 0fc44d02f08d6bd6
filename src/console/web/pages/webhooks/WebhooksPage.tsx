import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { flushSync } from 'react-dom'
import { useLocation } from 'wouter'
import { useWorkspace } from '../../app/session.tsx'
import { actionColumn, type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Time } from '../../components/Time.tsx'
import { useNewDialog } from '../../components/useFilters.ts'
import { webhooks as words } from '../../texts/en/webhooks.ts'
import { Lately } from './DeliveryState.tsx'
import { useWebhooks, type Webhook } from './queries.ts'
import { WebhookForm } from './WebhookForm.tsx'
import { WebhookMenu } from './WebhookMenu.tsx'
import { WebhookBadge } from './WebhookState.tsx'

/** Where the events of the workspace are delivered. */
export function WebhooksPage() {
  const { id: workspaceId, can } = useWorkspace()
  const webhooks = useWebhooks()
  const [isAdding, setAdding] = useNewDialog()
  const [, navigate] = useLocation()
  function leaveForm(addedId?: string) {
    // The dialog asks before its secret is left.
    flushSync(() => setAdding(false))
    if (addedId) navigate(`/w/${workspaceId}/webhooks/${addedId}`)
  }
  const add = can('admin') && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  )
  return (
    <>
      <PageHeader title={words.title} description={words.description} actions={add} />
      <DataTable
        label={words.title}
        columns={can('admin') ? columnsOfAdmin : columns}
        rows={webhooks.data?.webhooks}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/w/${workspaceId}/webhooks/${id}`}
        query={webhooks}
        empty={<EmptyList title={words.none} hint={can('admin') ? words.noneHint : words.noneViewer} action={add} />}
      />
      <FormDialog opened={isAdding} onClose={() => setAdding(false)} title={words.add}>
        <WebhookForm webhook={null} onDone={leaveForm} />
      </FormDialog>
    </>
  )
}

const columns: readonly Column<Webhook>[] = [
  {
    header: words.endpoint,
    place: 'who',
    render: ({ description, url }) => <span className="breakable">{description ?? new URL(url).host}</span>,
  },
  {
    header: words.url,
    place: 'what',
    render: ({ url }) => (
      <Text size="sm" c="dimmed" className="one-line" title={url}>
        {url}
      </Text>
    ),
  },
  { header: words.state, place: 'how', render: webhook => <WebhookBadge webhook={webhook} /> },
  { header: words.lately, place: 'more', render: webhook => <Lately webhook={webhook} /> },
  { header: words.events, render: ({ events }) => (events === null ? words.all : words.types(events.length)) },
  {
    header: words.lastDelivered,
    place: 'when',
    render: ({ deliveredAt }) => <Time at={deliveredAt} precision="relative" />,
  },
]
const columnsOfAdmin = [...columns, actionColumn<Webhook>(webhook => <WebhookMenu webhook={webhook} />)]
