import { Button, Text } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useLocation } from 'wouter'
import { useWorkspace } from '../../app/session.tsx'
import { Choice } from '../../components/Choice.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { choicesOf } from '../../components/fields.ts'
import { Initials } from '../../components/Initials.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Pages } from '../../components/Pages.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { Time, useNow } from '../../components/Time.tsx'
import { Toggle } from '../../components/Toggle.tsx'
import { useFilters, useNewDialog } from '../../components/useFilters.ts'
import { texts } from '../../texts/texts.ts'
import { UnreadBadge } from '../conversations/Unread.tsx'
import { LeftToReply } from '../conversations/Window.tsx'
import { AddContact } from './AddContact.tsx'
import { addressOf, isBlocked, type ListedContact, useContacts } from './queries.ts'

const words = texts.contacts

const onlyThose = ['unread', 'open', 'noMarketing'] as const

/** The contacts of a workspace: all, newest first, or those who have written, by their last message. */
export function ContactsPage() {
  const { id: workspaceId, can } = useWorkspace()
  const [, navigate] = useLocation()
  const [isNew, setAdding] = useNewDialog()
  const isAdding = isNew && can('member')
  const [filters, change, isFiltered] = useFilters({
    q: '',
    noMarketing: '',
    unread: '',
    open: '',
    order: '',
    cursor: '',
  })
  const list = useContacts(Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '')))
  const { next = null } = list.data ?? {}
  const add = can('member') && (
    <Button leftSection={<IconUserPlus size={16} />} onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  )
  return (
    <>
      <PageHeader title={words.title} actions={add} />
      <div className="filter-row contact-filters">
        <SearchField
          type="search"
          aria-label={words.searchLabel}
          placeholder={words.search}
          value={filters.q}
          onChange={q => change({ q, cursor: '' })}
        />
        <div className="contact-toggles">
          {onlyThose.map(one => (
            <Toggle
              key={one}
              label={words.only[one]}
              isOn={filters[one] !== ''}
              onChange={value => change({ [one]: value, cursor: '' })}
            />
          ))}
          <Choice
            aria-label={words.order}
            value={filters.order}
            onChange={order => change({ order, cursor: '' })}
            data={choicesOf(words.orders)}
          />
        </div>
      </div>
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
            <EmptyList title={words.emptyTitle} hint={words.emptyHint} action={add} />
          )
        }
      />
      <Pages
        back={[[texts.common.newest, filters.cursor === '' ? null : { cursor: '' }]]}
        next={[texts.common.older, next === null ? null : { cursor: next }]}
        onChange={change}
      />
      <FormDialog opened={isAdding} onClose={() => setAdding(false)} title={words.add}>
        <AddContact
          submit={words.addConfirm}
          onAdded={contactId => navigate(`/w/${workspaceId}/contacts/${contactId}`)}
          onCancel={() => setAdding(false)}
        />
      </FormDialog>
    </>
  )
}

const columns: Column<ListedContact>[] = [
  {
    header: words.columns.name,
    place: 'who',
    render: contact => (
      <span className="with-icon">
        <Initials id={contact.id} name={contact.name} />
        {/* Its number stands beside it. */}
        <bdi>{contact.name ?? (addressOf(contact) ? words.unnamed : words.forgottenName)}</bdi>
        <UnreadBadge unread={contact.unread} />
        {isBlocked(contact) && <StatusBadge tone="bad">{words.blocked}</StatusBadge>}
        {contact.noMarketing && <StatusBadge tone="warning">{words.noMarketing}</StatusBadge>}
      </span>
    ),
  },
  { header: words.columns.phone, place: 'how', render: contact => addressOf(contact) ?? '–' },
  {
    header: words.columns.window,
    place: 'what',
    render: contact => (isBlocked(contact) ? '–' : <Window endsAt={contact.windowEndsAt} />),
  },
  {
    header: words.columns.heard,
    place: 'when',
    render: ({ heardAt }) =>
      heardAt === null ? <span className="untold">–</span> : <Time at={heardAt} precision="relative" />,
  },
  { header: words.columns.created, render: ({ createdAt }) => <Time at={createdAt} precision="day" /> },
]

function Window({ endsAt }: { endsAt: string | null }) {
  const now = useNow()
  if (endsAt === null || Date.parse(endsAt) <= now)
    return (
      <Text span inherit c="dimmed" className="window-dot">
        {words.onlyTemplates}
      </Text>
    )
  return (
    <span className="window-dot" data-open>
      <LeftToReply endsAt={endsAt} now={now} />
    </span>
  )
}
