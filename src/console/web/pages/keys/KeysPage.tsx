import { Alert, Anchor, Button, Switch, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { answerOf } from '../../api/client.ts'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { type Action, ActionMenu } from '../../components/ActionMenu.tsx'
import { CopyId } from '../../components/CopyButton.tsx'
import { actionColumn, type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { GraceForm } from '../../components/GraceForm.tsx'
import { Hint } from '../../components/Hint.tsx'
import { whole } from '../../components/numbers.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { StatusBadge, type Tone } from '../../components/StatusBadge.tsx'
import { Time } from '../../components/Time.tsx'
import { daysSince } from '../../components/times.ts'
import { useFilters, useNewDialog } from '../../components/useFilters.ts'
import { texts } from '../../texts/texts.ts'
import { messagesPath, within } from '../messages/queries.ts'
import { useUsageParts } from '../usage/queries.ts'
import { KeyForm } from './KeyForm.tsx'
import { KeySecret } from './KeySecret.tsx'
import { type KeyState, keyName, keyStateOf, type ListedKey, useKeys } from './queries.ts'

const words = texts.apiKeys
/** A new key every 90 days is what the API reference recommends. */
const oldDays = 90
const tones: Readonly<Record<KeyState, Tone>> = { works: 'good', ends: 'warning', expired: 'quiet', revoked: 'quiet' }

/** The keys of the workspace: made, rotated, limited and revoked here. */
export function KeysPage() {
  const { workspaceId, routes, change } = useWorkspaceRoutes()
  const keys = useKeys()
  const month = new Date().toISOString().slice(0, 7)
  const sent = useUsageParts(month).data
  const [isCreating, setCreating] = useNewDialog()
  // Its dialog shows the successor's secret, and the row may go with the old key.
  const [rotated, setRotated] = useState<ListedKey | null>(null)
  const [{ ended }, setFilters] = useFilters({ ended: '' })
  const now = Date.now()
  const all = keys.data?.apiKeys
  const works = (key: ListedKey) => ['works', 'ends'].includes(keyStateOf(key, now))
  const isOld = (key: ListedKey) => keyStateOf(key, now) === 'works' && daysSince(key.createdAt, now) >= oldDays
  const shown = ended === 'shown' ? all : all?.filter(works)
  const old = all?.filter(isOld).length ?? 0
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {words.create}
    </Button>
  )
  const actionsOf = (key: ListedKey): readonly Action[] => [
    { label: words.rotate, onChoose: () => setRotated(key) },
    {
      label: words.limits,
      title: `${words.limits}: ${keyName(key)}`,
      dialog: close => <KeyForm apiKey={key} onDone={close} />,
    },
    {
      label: words.revoke,
      title: words.revokeTitle(keyName(key)),
      isGrave: true,
      dialog: {
        text: words.revokeQuestion,
        confirmLabel: words.revoke,
        onConfirm: () => change(routes['api-keys']({ keyId: key.apiKey }).revoke.post()),
      },
    },
  ]
  const columns: readonly Column<ListedKey>[] = [
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
        const state = keyStateOf(key, now)
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
          {isOld(key) && (
            <Text size="xs" c="var(--mantine-color-error)">
              {words.old}
            </Text>
          )}
        </div>
      ),
    },
    {
      header: words.thisMonth,
      place: 'more',
      render: ({ apiKey: keyId }) => (
        <Anchor component={Link} href={messagesPath(workspaceId, { key: keyId, ...within(month, 'month') })} inherit>
          {/* A key that is not counted sent nothing; without the counts, nothing is known. */}
          {sent ? whole(sent.key.find(({ id }) => id === keyId)?.count ?? 0) : '–'}{' '}
          <span className="on-telephone">{words.messages}</span>
        </Anchor>
      ),
    },
    {
      header: words.lastUsed,
      place: 'when',
      render: ({ apiKey, lastUsedAt }) =>
        lastUsedAt === null ? (
          texts.common.never
        ) : (
          <Anchor component={Link} href={`/w/${workspaceId}/requests?keyId=${apiKey}`} inherit>
            <Time at={lastUsedAt} precision="relative" />
          </Anchor>
        ),
    },
    {
      header: words.networks,
      render: ({ allowedNetworks }) => (
        <span className="breakable">{allowedNetworks?.join(', ') ?? words.anyNetwork}</span>
      ),
    },
    actionColumn(key => works(key) && <ActionMenu of={keyName(key)} actions={actionsOf(key)} />),
  ]
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
        columns={columns}
        rows={shown}
        keyOf={({ apiKey }) => apiKey}
        query={keys}
        empty={<EmptyList title={words.none} hint={words.noneHint} action={create} />}
      />
      {sent && (
        <Hint>
          {texts.usage.parts.hint} {texts.usage.parts.next} <Time at={sent.nextCountAt} precision="clock" />.
        </Hint>
      )}
      {all?.some(key => !works(key)) && (
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
      <FormDialog
        opened={rotated !== null}
        onClose={() => setRotated(null)}
        title={rotated === null ? '' : words.rotateTitle(keyName(rotated))}
      >
        {rotated !== null && (
          <GraceForm
            words={words}
            rotate={body => answerOf(routes['api-keys']({ keyId: rotated.apiKey }).rotate.post(body))}
            shown={({ key }) => <KeySecret {...key} onDone={() => setRotated(null)} />}
            onDone={() => setRotated(null)}
          />
        )}
      </FormDialog>
    </>
  )
}
