import { Chip, Group } from '@mantine/core'
import { useWorkspace } from '../../app/session.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { Hint } from '../../components/Hint.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Pages } from '../../components/Pages.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { Time, useNow } from '../../components/Time.tsx'
import { useFilters } from '../../components/useFilters.ts'
import { texts } from '../../texts/texts.ts'
import { UnreadBadge } from '../conversations/Unread.tsx'
import { addressOf, contactName, type ListedContact, useContacts } from './queries.ts'

const words = texts.contacts

/** The contacts of a workspace, newest first. */
export function ContactsPage() {
  const { id: workspaceId } = useWorkspace()
  const [filters, change, isFiltered] = useFilters({ q: '', noMarketing: '', cursor: '' })
  const list = useContacts(Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '')))
  const { next = null } = list.data ?? {}
  return (
    <>
      <PageHeader title={words.title} description={words.description} />
      <Group gap="xs" mb="md">
        <SearchField
          type="search"
          flex={1}
          maw={480}
          aria-label={words.searchLabel}
          placeholder={words.search}
          value={filters.q}
          onChange={q => change({ q, cursor: '' })}
        />
        <Chip
          size="sm"
          checked={filters.noMarketing !== ''}
          onChange={isOn => change({ noMarketing: isOn ? 'true' : '', cursor: '' })}
        >
          {words.noMarketing}
        </Chip>
      </Group>
      <DataTable
        label={words.title}
        columns={columns}
        rows={list.data?.contacts}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/w/${workspaceId}/contacts/${id}`}
        query={list}
        empty={
          isFiltered ? (
            <EmptyList title={words.noneTitle} hint={next === null ? words.noneHint : texts.common.searchOn} />
          ) : (
            <EmptyList title={words.emptyTitle} hint={words.emptyHint} />
          )
        }
      />
      <Pages
        back={[[texts.common.newest, filters.cursor === '' ? null : { cursor: '' }]]}
        next={[texts.common.older, next === null ? null : { cursor: next }]}
        onChange={change}
      />
    </>
  )
}

const columns: Column<ListedContact>[] = [
  {
    header: words.columns.name,
    render: contact => (
      <span className="with-icon">
        <bdi>{contactName(contact)}</bdi>
        <UnreadBadge unread={contact.unread} />
        {contact.noMarketing && <StatusBadge tone="warning">{words.noMarketing}</StatusBadge>}
      </span>
    ),
  },
  { header: words.columns.phone, render: contact => addressOf(contact) ?? '–' },
  { header: words.columns.window, render: ({ windowEndsAt }) => <Window endsAt={windowEndsAt} /> },
  { header: words.columns.created, render: ({ createdAt }) => <Time at={createdAt} precision="day" /> },
]

function Window({ endsAt }: { endsAt: string | null }) {
  const now = useNow()
  if (endsAt === null || Date.parse(endsAt) <= now) return <Hint>{words.onlyTemplates}</Hint>
  return (
    <>
      {words.everything} <Time at={endsAt} precision="left" />
    </>
  )
}
