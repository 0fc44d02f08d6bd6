import { Button, Group, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLiveQueries } from '../../api/liveQueries.ts'
import { searchField } from '../../app/keyboard.ts'
import { useWorkspace } from '../../app/session.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Time } from '../../components/Time.tsx'
import { useFilters } from '../../components/useFilters.ts'
import { texts } from '../../texts/texts.ts'
import { type ListedContact, readContacts } from './queries.ts'

const words = texts.contacts
/** A pause in typing. */
const typingMs = 400

/** The contacts of a workspace, newest first. */
export function ContactsPage() {
  const { id: workspaceId } = useWorkspace()
  const [filters, change] = useFilters({ q: '', cursor: '' })
  const queryKey = ['workspace', workspaceId, 'contacts', filters]
  const list = useQuery({
    queryKey,
    queryFn: () => readContacts(workspaceId, filters),
    placeholderData: keepPreviousData,
  })
  useLiveQueries(['contacts'], queryKey)
  const { next = null } = list.data ?? {}
  const isFiltered = filters.q !== ''
  return (
    <>
      <PageHeader title={words.title} description={words.description} />
      <Search value={filters.q} onChange={q => change({ q, cursor: '' })} />
      <DataTable
        label={words.title}
        columns={columns}
        rows={list.data?.contacts}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/w/${workspaceId}/contacts/${id}`}
        error={list.error}
        onRetry={() => void list.refetch()}
        empty={
          isFiltered ? (
            <EmptyList title={words.noneTitle} hint={words.noneHint} />
          ) : (
            <EmptyList title={words.emptyTitle} hint={words.emptyHint} />
          )
        }
      />
      {(next !== null || filters.cursor !== '') && (
        <Group justify="space-between" mt="md">
          <Button variant="default" disabled={filters.cursor === ''} onClick={() => change({ cursor: '' })}>
            {words.first}
          </Button>
          <Button variant="default" disabled={next === null} onClick={() => change({ cursor: next ?? '' })}>
            {words.next}
          </Button>
        </Group>
      )}
    </>
  )
}

const columns: Column<ListedContact>[] = [
  { key: 'name', header: words.columns.name, render: contact => nameOf(contact) },
  { key: 'phone', header: words.columns.phone, render: ({ phone, userId }) => phone ?? userId ?? '–' },
  { key: 'created', header: words.columns.created, render: ({ createdAt }) => <Time at={createdAt} precision="day" /> },
]

/** What a contact is called, also when it has no name or was forgotten. */
export function nameOf({ name, phone, userId }: Pick<ListedContact, 'name' | 'phone' | 'userId'>): string {
  if (name !== null) return name
  return phone === null && userId === null ? words.forgottenName : words.unnamed
}

function Search({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [written, setWritten] = useState(value)
  useEffect(() => setWritten(value), [value])
  useEffect(() => {
    if (written === value) return
    const timer = setTimeout(() => onChange(written), typingMs)
    return () => clearTimeout(timer)
  }, [written, value, onChange])
  return (
    <TextInput
      {...searchField}
      type="search"
      mb="md"
      maw={480}
      aria-label={words.searchLabel}
      placeholder={words.search}
      leftSection={<IconSearch size={16} />}
      value={written}
      onChange={event => setWritten(event.currentTarget.value)}
    />
  )
}
