import { Button, Progress } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useWorkspace } from '../../app/session.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { whole } from '../../components/numbers.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Pages } from '../../components/Pages.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { Time } from '../../components/Time.tsx'
import { useFilters } from '../../components/useFilters.ts'
import { campaigns as words } from '../../texts/en/campaigns.ts'
import { texts } from '../../texts/texts.ts'
import { useSenderName } from '../messages/sender.ts'
import { type ListedCampaign, stateOf, useCampaigns } from './queries.ts'

/** The campaigns of a workspace, newest first. */
export function CampaignsPage() {
  const { id: workspaceId, can } = useWorkspace()
  const [{ cursor }, change] = useFilters({ cursor: '' })
  const list = useCampaigns(cursor)
  const nameOf = useSenderName()
  const { next = null } = list.data ?? {}
  const base = `/w/${workspaceId}/campaigns`
  const by: Column<ListedCampaign> = { header: words.by, render: ({ by }) => nameOf(by) }
  const add = can('member') && (
    <Button component={Link} href={`${base}/new`} leftSection={<IconPlus size={16} />}>
      {words.new}
    </Button>
  )
  return (
    <>
      <PageHeader title={texts.shell.titles.campaigns} actions={add} />
      <DataTable
        label={texts.shell.titles.campaigns}
        columns={[...columns, by]}
        rows={list.data?.campaigns}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `${base}/${id}`}
        query={list}
        empty={<EmptyList title={words.emptyTitle} hint={words.emptyHint} />}
      />
      <Pages
        back={[[texts.common.newest, cursor === '' ? null : { cursor: '' }]]}
        next={[texts.common.older, next === null ? null : { cursor: next }]}
        onChange={change}
      />
    </>
  )
}

const columns: Column<ListedCampaign>[] = [
  { header: words.columns.name, place: 'who', render: ({ name }) => name ?? words.unnamed },
  {
    header: words.columns.state,
    place: 'what',
    render: campaign => <StatusBadge {...stateOf(campaign)} />,
  },
  {
    ...{ header: words.total, place: 'how' },
    render: ({ waiting, total, startedAt, messages }) => {
      if (waiting === null) return words.gone(whole(messages), whole(total))
      if (startedAt === null || total === 0)
        return <span style={{ whiteSpace: 'nowrap' }}>{words.found(total, whole(total))}</span>
      const gone = total - waiting
      return (
        <>
          <Progress value={(100 * gone) / total} w={120} my={4} aria-hidden />
          {words.gone(whole(gone), whole(total))}
        </>
      )
    },
  },
  {
    ...{ header: words.columns.when, place: 'when' },
    render(campaign) {
      const [what, at] = happened(campaign)
      return (
        <>
          {what}: <Time at={at} precision="planned" />
        </>
      )
    },
  },
]

/** What is told with its time: a plan only as long as it holds. */
function happened({ state, startedAt, sendAt, createdAt, endedAt }: ListedCampaign): readonly [string, string | null] {
  if (state === 'cancelled') return [words.states.cancelled, endedAt]
  if (startedAt !== null) return [words.begun, startedAt]
  return state === 'draft' || sendAt === null ? [words.made, createdAt] : [words.planned, sendAt]
}
