import { Alert, Anchor, Button, Switch, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { useWorkspace } from '../../app/session.tsx'
import { CopyId } from '../../components/CopyButton.tsx'
import { actionColumn, type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { Hint } from '../../components/Hint.tsx'
import { whole } from '../../components/numbers.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { StatusBadge, type Tone } from '../../components/StatusBadge.tsx'
import { Time } from '../../components/Time.tsx'
import { daysSince } from '../../components/times.ts'
import { useFilters, useNewDialog } from '../../components/useFilters.ts'
import { texts } from '../../texts/texts.ts'
import { useLines } from '../channels/queries.ts'
import { messagesPath, within } from '../messages/queries.ts'
import { useUsageParts } from '../usage/queries.ts'
import { KeyForm } from './KeyForm.tsx'
import { KeyMenu, RotateDialog } from './KeyMenu.tsx'
import { isOld, isUsable, type KeyState, keyStateOf, type ListedKey, useKeys } from './queries.ts'

const words = texts.apiKeys

/** The keys of the workspace: made, rotated, limited and revoked here. */
export function KeysPage() {
  const keys = useKeys()
  const month = new Date().toISOString().slice(0, 7)
  const sent = useUsageParts(month).data
  const [isCreating, setCreating] = useNewDialog()
  const [rotated, setRotated] = useState<ListedKey | null>(null)
  const [{ ended }, setFilters] = useFilters({ ended: '' })
  const all = keys.data?.apiKeys ?? []
  const old = all.filter(isOld).length
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
        columns={columnsOf(month, sent?.key, setRotated)}
        rows={keys.data && all.filter(key => ended === 'shown' || isUsable(key))}
        keyOf={({ apiKey }) => apiKey}
        query={keys}
        empty={<EmptyList title={words.none} hint={words.noneHint} action={create} />}
      />
      {sent && (
        <Hint>
          {texts.usage.parts.hint} {texts.usage.parts.next} <Time at={sent.nextCountAt} precision="clock" />.
        </Hint>
      )}
      {!all.every(isUsable) && (
        <Switch
          mt="md"
          label={words.showEnded}
          checked={ended === 'shown'}
          onChange={event => setFilters({ ended: event.currentTarget.checked ? 'shown' : '' })}
        />
      )}
      <FormDialog opened={isCreating} onClose={() => setCreating(false)} title={words.create}>
        <KeyForm apiKey={null} onDone={() => setCreating(false)} />
      </FormDialog>
      <RotateDialog apiKey={rotated} onDone={() => setRotated(null)} />
    </>
  )
}

/** How many messages each key has sent; undefined while that is not known. A key that is not among them sent none. */
type Counts = readonly { readonly id: string; readonly count: number }[] | undefined

const columnsOf = (month: string, counts: Counts, onRotate: (key: ListedKey) => void): readonly Column<ListedKey>[] => [
  {
    header: words.label,
    place: 'who',
    render: ({ name }) => (
      <Text span inherit fw={500} className="breakable">
        {name ?? words.unlabelled}
      </Text>
    ),
  },
  { header: words.key, place: 'what', render: ({ apiKey }) => <CopyId id={apiKey} what={words.key} /> },
  { header: words.state, place: 'how', render: key => <State apiKey={key} /> },
  { header: words.age, render: key => <Age apiKey={key} /> },
  {
    header: words.thisMonth,
    place: 'more',
    render: ({ apiKey }) => <Sent keyId={apiKey} month={month} counts={counts} />,
  },
  { header: words.lastUsed, place: 'when', render: key => <LastUsed apiKey={key} /> },
  {
    header: words.scopes,
    render: key => <MayDo apiKey={key} />,
  },
  {
    header: words.networks,
    render: ({ allowedNetworks }) => (
      <span className="breakable">{allowedNetworks?.join(', ') ?? words.anyNetwork}</span>
    ),
  },
  actionColumn(key => isUsable(key) && <KeyMenu apiKey={key} onRotate={() => onRotate(key)} />),
]

const tones: Readonly<Record<KeyState, Tone>> = { works: 'good', ends: 'warning', expired: 'quiet', revoked: 'quiet' }

function State({ apiKey: key }: { apiKey: ListedKey }) {
  const state = keyStateOf(key)
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
}

function MayDo({ apiKey: { scopes, lineIds } }: { apiKey: ListedKey }) {
  const lines = useLines().data?.lines ?? []
  const numberOf = (lineId: string) => lines.find(({ id }) => id === lineId)?.number ?? lineId
  return (
    <div className="breakable">
      {scopes?.join(', ') ?? words.everything}
      {lineIds && (
        <Text size="xs" c="dimmed">
          {words.onlyLines(lineIds.map(numberOf).join(', '))}
        </Text>
      )}
    </div>
  )
}

const Age = ({ apiKey: key }: { apiKey: ListedKey }) => (
  <div>
    {words.days(daysSince(key.createdAt))}
    {isOld(key) && (
      <Text size="xs" c="var(--mantine-color-error)">
        {words.old}
      </Text>
    )}
  </div>
)

/** What a key sent in a month, with the way to it. */
function Sent({ keyId, month, counts }: { keyId: string; month: string; counts: Counts }) {
  const { id: workspaceId } = useWorkspace()
  return (
    <Anchor component={Link} href={messagesPath(workspaceId, { key: keyId, ...within(month, 'month') })} inherit>
      {counts ? whole(counts.find(({ id }) => id === keyId)?.count ?? 0) : '–'}{' '}
      <span className="on-telephone">{words.messages}</span>
    </Anchor>
  )
}

function LastUsed({ apiKey: { apiKey, lastUsedAt } }: { apiKey: ListedKey }) {
  const { id: workspaceId } = useWorkspace()
  if (lastUsedAt === null) return texts.common.never
  return (
    <Anchor component={Link} href={`/w/${workspaceId}/requests?keyId=${apiKey}`} inherit>
      <Time at={lastUsedAt} precision="relative" />
    </Anchor>
  )
}
