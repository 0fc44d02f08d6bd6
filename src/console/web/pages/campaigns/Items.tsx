import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ItemStatus } from '../../../../../db/contract/batches.ts'
import { save } from '../../api/files.ts'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ConfirmButton } from '../../components/ConfirmDialog.tsx'
import { actionColumn, type Column, DataTable } from '../../components/DataTable.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Pages } from '../../components/Pages.tsx'
import { Section } from '../../components/Section.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { useFilters } from '../../components/useFilters.ts'
import { campaigns as words } from '../../texts/en/campaigns.ts'
import { MessageStatusBadge } from '../messages/MessageStatus.tsx'
import { itemWord } from './itemWords.ts'
import { type Campaign, type Item, useItems } from './queries.ts'

/** The people of a campaign, each with what became of it. */
export function Items({ campaign }: { campaign: Campaign }) {
  const { id, counts } = campaign
  const { id: workspaceId, can } = useWorkspace()
  const [{ status, cursor }, change] = useFilters({ status: '', cursor: '' })
  const isStatus = (word: string): word is ItemStatus => Object.hasOwn(counts, word)
  const chosen = isStatus(status) ? status : ''
  const list = useItems(id, chosen, cursor)
  const { next = null } = list.data ?? {}
  const there = Object.keys(counts).filter(known => known === status || (counts[known] ?? 0) > 0)
  const isOver = campaign.endedAt !== null
  return (
    <Section
      title={words.items}
      actions={
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconDownload size={16} />}
          onClick={() => void save(`/api/v1/workspaces/${workspaceId}/campaigns/${id}/items.csv`, `${id}.csv`)}
        >
          {words.export}
        </Button>
      }
    >
      <Group mb="sm">
        <NativeSelect
          label={words.columns.state}
          value={status}
          data={[{ value: '', label: words.all }, ...there.map(value => ({ value, label: itemWord(value) }))]}
          onChange={event => change({ status: event.currentTarget.value, cursor: '' })}
        />
      </Group>
      <DataTable
        label={words.items}
        columns={[...columns, ...(can('member') && !isOver ? [actionColumn<Item>(leaving(id))] : [])]}
        rows={list.data?.items}
        keyOf={({ number }) => String(number)}
        hrefOf={({ messageId }) => (messageId === null ? undefined : `/w/${workspaceId}/messages/${messageId}`)}
        query={list}
        empty={<Hint>{next === null ? words.none : words.searchOn}</Hint>}
      />
      <Pages
        back={[[words.start, cursor === '' ? null : { cursor: '' }]]}
        next={[words.further, next === null ? null : { cursor: next }]}
        onChange={change}
      />
    </Section>
  )
}

const columns: Column<Item>[] = [
  { header: words.person, place: 'who', render: ({ recipient }) => <bdi>{recipient ?? words.erased}</bdi> },
  { header: words.columns.state, place: 'when', render: ({ status }) => <ItemStatusBadge status={status} /> },
  {
    ...{ header: words.why, place: 'what' },
    render: ({ reason }) => reason && (words.words[reason.code] ?? reason.message),
  },
]

function ItemStatusBadge({ status }: { status: ItemStatus }) {
  if (status !== 'WAITING' && status !== 'SKIPPED' && status !== 'DELETED')
    return <MessageStatusBadge status={status} />
  return <StatusBadge tone={status === 'SKIPPED' ? 'warning' : 'quiet'}>{words.statuses[status]}</StatusBadge>
}

const leaving = (batchId: string) => (item: Item) =>
  item.status === 'WAITING' && <LeaveOut batchId={batchId} number={item.number} person={item.recipient ?? ''} />

function LeaveOut({ batchId, number, person }: { batchId: string; number: number; person: string }) {
  const { routes, change } = useWorkspaceRoutes()
  const leave = () => change(routes.campaigns({ batchId }).items({ number })['leave-out'].post({}), 'campaigns')
  return (
    <ConfirmButton
      label={words.leaveOut}
      button={{ variant: 'default', size: 'compact-sm', 'aria-label': `${words.leaveOut}: ${person}` }}
      title={words.leaveOutTitle(person)}
      confirmLabel={words.leaveOut}
      onConfirm={leave}
    >
      <Text size="sm">{words.leaveOutHint}</Text>
    </ConfirmButton>
  )
}
