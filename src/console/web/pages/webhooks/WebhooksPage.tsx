import { Box, Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { flushSync } from 'react-dom'
import { useLocation } from 'wouter'
import { useWorkspace } from '../../app/session.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { useNewDialog } from '../../components/useFilters.ts'
import { webhooks as words } from '../../texts/en/webhooks.ts'
import { ClientsLink } from '../clients/ClientsLink.tsx'
import { WebhookForm } from './WebhookForm.tsx'
import { WebhookTable } from './WebhookTable.tsx'

/** Where the events of the workspace are delivered. */
export function WebhooksPage() {
  const { id: workspaceId, can } = useWorkspace()
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
      <PageHeader
        title={words.title}
        description={
          <>
            {words.description} <Box component="br" visibleFrom="sm" />
            <ClientsLink />
          </>
        }
        actions={add}
      />
      <WebhookTable
        empty={<EmptyList title={words.none} hint={can('admin') ? words.noneHint : words.noneViewer} action={add} />}
      />
      <FormDialog opened={isAdding} onClose={() => setAdding(false)} title={words.add}>
        <WebhookForm webhook={null} onDone={leaveForm} />
      </FormDialog>
    </>
  )
}
