import { Alert, Button, Switch, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { CopyId } from '../../components/CopyId.tsx'
import { actionColumn, type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { StatusBadge, type Tone } from '../../components/StatusBadge.tsx'
import { Time } from '../../components/Time.tsx'
import { daysSince } from '../../components/times.ts'
import { useFilters } from '../../components/useFilters.ts'
import { useNewDialog } from '../../components/useNewDialog.ts'
import { texts } from '../../texts/texts.ts'
import { CreateKey, RotateForm } from './KeyForms.tsx'
import { KeyMenu } from './KeyMenu.tsx'
import { type ApiKey, type KeyState, nameOf, stateOf, useKeys } from './queries.ts'

const words = texts.apiKeys
/** A new key every 90 days is what the API reference recommends. */
const oldDays = 90
const tones: Readonly<Record<KeyState, Tone>> = { works: 'good', ends: 'warning', expired: 'quiet', revoked: 'quiet' }

const isOld = (key: ApiKey, now: number) => stateOf(key, now) === 'works' && daysSince(key.createdAt, now) >= oldDays

/** The keys of the workspace: made, rotated, limited and revoked here. */
export function KeysPage() {
  const keys = useKeys()
  const [isCreating, setCreating] = useNewDialog()
  const [rotated, setRotated] = useState<ApiKey | null>(null)
  const [{ ended }, setFilters] = useFilters({ ended: '' })
  const now = Date.now()
  const all = keys.data?.apiKeys
  const works = (key: ApiKey) => ['works', 'ends'].includes(stateOf(key, now))
  const shown = ended === 'shown' ? all : all?.filter(works)
  const old = all?.filter(key => isOld(key, now)).length ?? 0
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {words.create}
    </Button>
  )
  return (
    <>
      <PageHeader title={words.title} description={words.description} actions={create} />
      {old > 0 && (
        <Alert color="yellow" mb="md">
          {words.oldKeys(old)}
        </Alert>
      )}
      <DataTable
        label={words.title}
        columns={columnsAt(now, setRotated)}
        rows={shown}
        keyOf={({ apiKey }) => apiKey}
        query={keys}
        empty={<EmptyList title={words.none} hint={words.noneHint} action={create} />}
      />
      {all?.some(key => !works(key)) && (
        <Switch
          mt="md"
          label={words.showEnded}
          checked={ended === 'shown'}
          onChange={event => setFilters({ ended: event.currentTarget.checked ? 'shown' : '' })}
        />
      )}
      <FormDialog opened={isCreating} onClose={() => setCreating(false)} title={words.create}>
        <CreateKey onDone={() => setCreating(false)} />
      </FormDialog>
      <FormDialog
        opened={rotated !== null}
        onClose={() => setRotated(null)}
        title={rotated === null ? '' : words.rotateTitle(nameOf(rotated))}
      >
        {rotated !== null && <RotateForm keyId={rotated.apiKey} onDone={() => setRotated(null)} />}
      </FormDialog>
    </>
  )
}

const columnsAt = (now: number, onRotate: (key: ApiKey) => void): readonly Column<ApiKey>[] => [
  {
    header: words.label,
    place: 'who',
    render: ({ label }) => (
      <Text span inherit fw={500} className="breakable">
        {label ?? words.unlabelled}
      </Text>
    ),
  },
  { header: words.key, place: 'what', render: ({ apiKey }) => <CopyId id={apiKey} what={words.key} /> },
  {
    header: words.state,
    place: 'how',
    render: key => {
      const state = stateOf(key, now)
      return (
        <div>
          <StatusBadge tone={tones[state]}>{words.states[state]}</StatusBadge>{' '}
          {state === 'ends' && (
            <Text size="xs" c="dimmed" component="span">
              <Time at={key.expiresAt} precision="relative" />
            </Text>
          )}
        </div>
      )
    },
  },
  {
    header: words.age,
    render: key => (
      <div>
        {words.days(daysSince(key.createdAt, now))}
        {isOld(key, now) && (
          <Text size="xs" c="var(--mantine-color-error)">
            {words.old}
          </Text>
        )}
      </div>
    ),
  },
  {
    header: words.lastUsed,
    place: 'when',
    render: ({ lastUsedAt }) => <Time at={lastUsedAt} precision="relative" />,
  },
  {
    header: words.networks,
    render: ({ allowedNetworks }) => (
      <span className="breakable">{allowedNetworks?.join(', ') ?? words.anyNetwork}</span>
    ),
  },
  actionColumn(key =>
    ['works', 'ends'].includes(stateOf(key, now)) ? <KeyMenu apiKey={key} onRotate={onRotate} /> : null,
  ),
]
