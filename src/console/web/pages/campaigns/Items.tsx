import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useLocation } from 'wouter'
import type { ItemStatus } from '../../../../../db/contract/batches.ts'
import { save } from '../../api/files.ts'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { type Action, ActionMenu } from '../../components/ActionMenu.tsx'
import { actionColumn, type Column, DataTable } from '../../components/DataTable.tsx'
import { Hint } from '../../components/Hint.tsx'
import { whole } from '../../components/numbers.ts'
import { Pages } from '../../components/Pages.tsx'
import { Section } from '../../components/Section.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { useFilters } from '../../components/useFilters.ts'
import { campaigns as words } from '../../texts/en/campaigns.ts'
import { texts } from '../../texts/texts.ts'
import { MessageStatusBadge } from '../messages/MessageStatus.tsx'
import { itemWord } from './itemWords.ts'
import { type Campaign, type Item, useItems } from './queries.ts'

/** The people of a campaign, each with what became of it. */
export function Items({ campaign }: { campaign: Campaign }) {
  const { id, counts, startedAt } = campaign
  const isBegun = startedAt !== null
  const { id: workspaceId, can } = useWorkspace()
  const [{ status, cursor }, change] = useFilters({ status: '', cursor: '' })
  const isStatus = (word: string): word is ItemStatus => Object.hasOwn(counts, word)
  const chosen = isStatus(status) ? status : ''
  const list = useItems(id, chosen, cursor)
  const { next = null, items = [] } = list.data ?? {}
  const place = (item: Item | undefined) => whole((item?.number ?? 0) + 1)
  const there = Object.keys(counts).filter(known => known === status || (counts[known] ?? 0) > 0)
  const mayLeave = can('member') && campaign.endedAt === null
  return (
    <Section
      title={words.items}
      actions={
        <Group gap="xs" className="people-acts">
          <NativeSelect
            aria-label={words.columns.state}
            value={status}
            data={[
              { value: '', label: words.all },
              ...there.map(value => ({ value, label: `${itemWord(value, isBegun)} · ${whole(counts[value] ?? 0)}` })),
            ]}
            onChange={event => change({ status: event.currentTarget.value, cursor: '' })}
          />
          <Button
            variant="default"
            leftSection={<IconDownload size={16} />}
            onClick={() => void save(`/api/v1/workspaces/${workspaceId}/campaigns/${id}/items.csv`, `${id}.csv`)}
          >
            {texts.messages.export}
          </Button>
        </Group>
      }
    >
      <DataTable
        label={words.items}
        columns={[
          ...columnsOf(isBegun),
          actionColumn<Item>(item => <Acts {...{ item, batchId: id }} mayLeave={mayLeave} />),
        ]}
        rows={list.data?.items}
        keyOf={({ number }) => String(number)}
        hrefOf={({ contact, messageId }) => {
          if (contact) return `/w/${workspaceId}/contacts/${contact.id}`
          return messageId === null ? undefined : `/w/${workspaceId}/messages/${messageId}`
        }}
        query={list}
        empty={<Hint>{next === null ? words.none : words.searchOn}</Hint>}
      />
      <Pages
        back={[[words.start, cursor === '' ? null : { cursor: '' }]]}
        next={[words.further, next === null ? null : { cursor: next }]}
        onChange={change}
      >
        {chosen === '' && items.length > 0 && (
          <Hint>{words.gone(`${place(items[0])}–${place(items.at(-1))}`, whole(campaign.total))}</Hint>
        )}
      </Pages>
    </Section>
  )
}

const nameOf = ({ contact, recipient }: Item) => contact?.name ?? recipient ?? words.erased

/** The number of a person who has a name. */
const numberOf = (item: Item) =>
  item.recipient === nameOf(item) || item.recipient?.startsWith('contact_') ? null : item.recipient

const columnsOf = (isBegun: boolean): Column<Item>[] => [
  {
    ...{ header: words.person, place: 'who' },
    render(item) {
      const number = numberOf(item)
      return (
        <span className="named whole-name">
          <bdi>{nameOf(item)}</bdi>
          {number !== null && (
            <Text span size="xs" c="dimmed">
              {number}
            </Text>
          )}
        </span>
      )
    },
  },
  {
    ...{ header: words.columns.state, place: 'when' },
    render: ({ status, reason }) => (
      <ItemStatusBadge {...{ status, isBegun }} willBeOut={reason?.code === 'OPTED_OUT'} />
    ),
  },
  {
    ...{ header: words.why, place: 'what' },
    render: ({ reason }) => reason && (words.words[reason.code] ?? reason.message),
  },
]

/** What became of one of them. @param props.willBeOut if it still waits */
export function ItemStatusBadge(props: { status: ItemStatus; isBegun: boolean; willBeOut?: boolean }) {
  const { status, isBegun, willBeOut = false } = props
  if (status === 'WAITING' && willBeOut) return <StatusBadge tone="warning">{words.willBeOut}</StatusBadge>
  if (status !== 'WAITING' && status !== 'SKIPPED' && status !== 'DELETED')
    return <MessageStatusBadge status={status} />
  return <StatusBadge tone={status === 'SKIPPED' ? 'warning' : 'quiet'}>{itemWord(status, isBegun)}</StatusBadge>
}

/** What can be done with one of them. */
function Acts({ item, batchId, mayLeave }: { item: Item; batchId: string; mayLeave: boolean }) {
  const { routes, change, workspaceId } = useWorkspaceRoutes()
  const [, navigate] = useLocation()
  const { number, status, messageId } = item
  const leave: Action = {
    label: words.leaveOut,
    title: words.leaveOutTitle(nameOf(item)),
    dialog: {
      ...{ confirmLabel: words.leaveOut, text: words.leaveOutHint },
      onConfirm: () => change(routes.campaigns({ batchId }).items({ number })['leave-out'].post({}), 'campaigns'),
    },
  }
  const show: Action = {
    label: words.toMessage,
    onChoose: () => navigate(`/w/${workspaceId}/messages/${messageId}`),
  }
  const actions = [...(messageId === null ? [] : [show]), ...(mayLeave && status === 'WAITING' ? [leave] : [])]
  return actions.length > 0 && <ActionMenu of={nameOf(item)} actions={actions} />
}
