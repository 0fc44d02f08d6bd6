import { Alert, Button, Checkbox, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { EmptyList } from '../../components/EmptyList.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Time } from '../../components/Time.tsx'
import { useFilters, useNewDialog } from '../../components/useFilters.ts'
import { texts } from '../../texts/texts.ts'
import { ClientsLink } from '../clients/ClientsLink.tsx'
import { useUsageParts } from '../usage/queries.ts'
import { KeyForm } from './KeyForm.tsx'
import { KeyTable } from './KeyTable.tsx'
import { isOld, isUsable, useKeys } from './queries.ts'

const words = texts.apiKeys

/** The keys of the workspace: made, rotated, limited and revoked here. */
export function KeysPage() {
  const all = useKeys().data?.apiKeys ?? []
  const sent = useUsageParts().data
  const [isCreating, setCreating] = useNewDialog()
  const [{ ended }, setFilters] = useFilters({ ended: '' })
  const old = all.filter(isOld).length
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {words.create}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={words.title}
        description={
          <>
            {words.description}
            <details className="folded">
              <summary>{words.more}</summary>
              <div>
                {words.furtherDescription} <ClientsLink />
              </div>
            </details>
          </>
        }
        actions={create}
      />
      {old > 0 && (
        <Alert color="yellow" mb="md">
          {words.oldKeys(old)}
        </Alert>
      )}
      <KeyTable
        isShown={key => ended === 'shown' || isUsable(key)}
        empty={<EmptyList title={words.none} hint={words.noneHint} action={create} />}
      />
      {sent && all.some(isUsable) && (
        <Text size="xs" c="dimmed" mt="md">
          {texts.usage.parts.hint} {texts.usage.parts.next} <Time at={sent.nextCountAt} precision="clock" />.
        </Text>
      )}
      {!all.every(isUsable) && (
        <Checkbox
          mt="md"
          label={words.showEnded}
          checked={ended === 'shown'}
          onChange={event => setFilters({ ended: event.currentTarget.checked ? 'shown' : '' })}
        />
      )}
      <FormDialog opened={isCreating} onClose={() => setCreating(false)} title={words.create}>
        <KeyForm apiKey={null} onDone={() => setCreating(false)} />
      </FormDialog>
    </>
  )
}
