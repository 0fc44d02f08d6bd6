import { Anchor, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { lineNameIn } from '../../../../base/direction.ts'
import { useWorkspace } from '../../app/session.tsx'
import { CopyId } from '../../components/CopyButton.tsx'
import { actionColumn, type Column, DataTable } from '../../components/DataTable.tsx'
import { whole } from '../../components/numbers.ts'
import { StatusBadge, type Tone } from '../../components/StatusBadge.tsx'
import { Time } from '../../components/Time.tsx'
import { daysSince } from '../../components/times.ts'
import { capital, texts } from '../../texts/texts.ts'
import { useLines } from '../channels/queries.ts'
import { messagesPath, within } from '../messages/queries.ts'
import { monthOfNow, useUsageParts } from '../usage/queries.ts'
import { KeyMenu, RotateDialog } from './KeyMenu.tsx'
import { isOld, isUsable, type KeyState, keyStateOf, type ListedKey, useKeys } from './queries.ts'

const words = texts.apiKeys

/** Keys of the workspace, with the actions on each. @param props.isShown which of them */
export function KeyTable({ isShown, empty }: { isShown: (key: ListedKey) => boolean; empty: ReactNode }) {
  const keys = useKeys()
  const sent = useUsageParts().data
  const [rotated, setRotated] = useState<ListedKey | null>(null)
  return (
    <>
      <DataTable
        label={words.title}
        columns={columnsOf(monthOfNow(), sent, setRotated)}
        rows={keys.data?.apiKeys.filter(isShown)}
        keyOf={({ apiKey }) => apiKey}
        query={keys}
        empty={empty}
      />
      <RotateDialog apiKey={rotated} onDone={() => setRotated(null)} />
    </>
  )
}

/** How many messages each key has sent; undefined while that is not known. A key that is not among them sent none. */
type Counts = ReturnType<typeof useUsageParts>['data']

const columnsOf = (month: string, counts: Counts, onRotate: (key: ListedKey) => void): readonly Column<ListedKey>[] => [
  {
    header: words.label,
    place: 'who',
    render: key => (
      <>
        <bdi className="breakable">{key.name ?? words.unlabelled}</bdi>
        <div className="on-tablet">
          <MayDo apiKey={key} />
          {isOld(key) && <Old />}
        </div>
        <div className="on-tablet for-more">
          <Sent apiKey={key} month={month} counts={counts} />
        </div>
      </>
    ),
  },
  { header: words.key, place: 'what', render: ({ apiKey }) => <CopyId id={apiKey} what={words.key} /> },
  { header: words.state, place: 'how', render: key => <State apiKey={key} /> },
  { header: words.age, render: key => <Age apiKey={key} /> },
  {
    header: words.thisMonth,
    place: 'more',
    render: key => (
      <>
        <Sent apiKey={key} month={month} counts={counts} />
        <div className="on-telephone-below">
          <MayDo apiKey={key} />
          {isOld(key) && <Old />}
        </div>
      </>
    ),
  },
  { header: words.lastUsed, place: 'when', render: key => <LastUsed apiKey={key} /> },
  {
    header: words.scopes,
    render: key => <MayDo apiKey={key} />,
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

/** What it may do, with which lines alone, and from where alone. */
function MayDo({ apiKey: { scopes, lineIds, allowedNetworks } }: { apiKey: ListedKey }) {
  const lines = useLines().data?.lines ?? []
  return (
    <div className="breakable">
      {scopes ? capital(scopes.map(scope => words.scopeNames[scope]).join(', ')) : words.everything}
      {lineIds && (
        <Text size="xs" c="dimmed">
          {words.onlyLines(lineIds.map(id => lineNameIn(lines, id)).join(', '))}
        </Text>
      )}
      {allowedNetworks && (
        <Text size="xs" c="dimmed">
          {words.networks}: {allowedNetworks.join(', ')}
        </Text>
      )}
    </div>
  )
}

const Age = ({ apiKey: key }: { apiKey: ListedKey }) => (
  <div>
    <span style={{ whiteSpace: 'nowrap' }}>{words.days(daysSince(key.createdAt))}</span>
    {isOld(key) && <Old />}
  </div>
)

const Old = () => (
  <Text size="xs" c="var(--mantine-color-error)">
    {words.old}
  </Text>
)

/** What a key sent in a month, with the way to it. */
function Sent({ apiKey: { apiKey, lastUsedAt }, month, counts }: { apiKey: ListedKey; month: string; counts: Counts }) {
  const { id: workspaceId } = useWorkspace()
  const count = counts && (counts.key.find(({ id }) => id === apiKey)?.count ?? 0)
  // Who has called since the last count may have sent.
  const isCounted = lastUsedAt === null || (counts?.countedUntil ?? '') >= lastUsedAt
  return (
    <Anchor
      component={Link}
      href={messagesPath(workspaceId, { key: apiKey, ...within(month, 'month') })}
      inherit
      c="inherit"
      style={{ whiteSpace: 'nowrap' }}
    >
      <span className="on-telephone">{words.thisMonth}: </span>
      {count === undefined ? '–' : count === 0 && !isCounted ? words.notCounted : whole(count)}
    </Anchor>
  )
}

function LastUsed({ apiKey: { apiKey, lastUsedAt } }: { apiKey: ListedKey }) {
  const { id: workspaceId } = useWorkspace()
  if (lastUsedAt === null) return words.neverUsed
  return (
    <Anchor component={Link} href={`/w/${workspaceId}/requests?keyId=${apiKey}`} inherit c="inherit">
      <span className="on-telephone">{words.used}</span> <Time at={lastUsedAt} precision="relative" />
    </Anchor>
  )
}
