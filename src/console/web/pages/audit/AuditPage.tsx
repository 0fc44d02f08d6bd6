import { Button, Code, Group, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { useWorkspace } from '../../app/session.tsx'
import { CopyId } from '../../components/CopyId.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Time } from '../../components/Time.tsx'
import { useFilters } from '../../components/useFilters.ts'
import { texts } from '../../texts/texts.ts'

const words = texts.audit

/** Who changed what in the workspace, the newest first. */
export function AuditPage() {
  const { id: workspaceId } = useWorkspace()
  const [filters, setFilters, isFiltered] = useFilters({ by: '', action: '', subject: '' })
  const given = Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]])),
  )
  const entries = useInfiniteQuery({
    queryKey: ['workspace', workspaceId, 'audit', given],
    queryFn: ({ pageParam }) =>
      answerOf(
        api
          .workspaces({ workspaceId })
          .audit.get({ query: { ...given, ...(pageParam !== null && { after: pageParam }) } }),
      ),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: shown => shown,
  })
  const field = (name: keyof typeof filters, label: string, placeholder?: string) => (
    <TextInput
      label={label}
      {...(placeholder && { placeholder })}
      value={filters[name]}
      onChange={event => setFilters({ [name]: event.currentTarget.value })}
      type="search"
      flex="1 1 12rem"
    />
  )
  return (
    <>
      <PageHeader title={words.title} description={words.description} />
      <Group mb="md" align="flex-end">
        {field('by', words.by, words.byHint)}
        {field('action', words.action, words.actionHint)}
        {field('subject', words.subject)}
        {isFiltered && (
          <Button variant="default" onClick={() => setFilters({ by: '', action: '', subject: '' })}>
            {texts.common.clearFilters}
          </Button>
        )}
      </Group>
      <DataTable
        label={words.title}
        columns={columns}
        rows={entries.data?.pages.flatMap(page => page.entries)}
        keyOf={({ id }) => String(id)}
        query={entries}
        empty={<EmptyList title={isFiltered ? words.noneFiltered : words.none} />}
      />
      {entries.hasNextPage && (
        <Button
          variant="default"
          mt="md"
          loading={entries.isFetchingNextPage}
          onClick={() => void entries.fetchNextPage()}
        >
          {texts.common.more}
        </Button>
      )}
    </>
  )
}

interface Entry {
  readonly id: number
  readonly at: string
  readonly by: string
  readonly action: string
  readonly subject: string
}

const columns: readonly Column<Entry>[] = [
  { header: words.at, render: ({ at }) => <Time at={at} /> },
  { header: words.by, render: ({ by }) => <span className="breakable">{by}</span> },
  { header: words.action, render: ({ action }) => <Code>{action}</Code> },
  { header: words.subject, render: ({ subject }) => <CopyId id={subject} what={words.subject} /> },
]
