import { Button, Code, Group, TextInput } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useWorkspaceQuery } from '../../app/workspaceData.ts'
import { CopyId } from '../../components/CopyId.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Pages } from '../../components/Pages.tsx'
import { Time } from '../../components/Time.tsx'
import { useFilters } from '../../components/useFilters.ts'
import { texts } from '../../texts/texts.ts'

const words = texts.audit
const noFilters = { by: '', action: '', subject: '' }

const useAudit = (query: Readonly<Record<string, string>>) =>
  useWorkspaceQuery(['audit', query], routes => routes.audit.get({ query }), { placeholderData: keepPreviousData })
type Entry = NonNullable<ReturnType<typeof useAudit>['data']>['entries'][number]

/** Who changed what in the workspace, the newest first. */
export function AuditPage() {
  const [filters, setFilters] = useFilters({ ...noFilters, after: '' })
  const { after, ...chosen } = filters
  const isFiltered = Object.values(chosen).some(value => value !== '')
  const query = Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]])),
  )
  const list = useAudit(query)
  const change = (next: Partial<typeof filters>) => setFilters({ after: '', ...next })
  const { next = null } = list.data ?? {}
  const field = (name: keyof typeof noFilters, label: string, placeholder?: string) => (
    <TextInput
      label={label}
      {...(placeholder && { placeholder })}
      value={filters[name]}
      onChange={event => change({ [name]: event.currentTarget.value })}
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
          <Button variant="default" onClick={() => change(noFilters)}>
            {texts.common.clearFilters}
          </Button>
        )}
      </Group>
      <DataTable
        label={words.title}
        columns={columns}
        rows={list.data?.entries}
        keyOf={({ id }) => String(id)}
        query={list}
        empty={<EmptyList title={isFiltered ? words.noneFiltered : words.none} />}
      />
      <Pages
        back={[[texts.common.newest, after === '' ? null : { after: '' }]]}
        next={[texts.common.older, next === null ? null : { after: String(next) }]}
        onChange={setFilters}
      />
    </>
  )
}

const columns: readonly Column<Entry>[] = [
  { header: words.at, render: ({ at }) => <Time at={at} /> },
  { header: words.by, render: ({ by }) => <span className="breakable">{by}</span> },
  { header: words.action, render: ({ action }) => <Code>{action}</Code> },
  { header: words.subject, render: ({ subject }) => <CopyId id={subject} what={words.subject} /> },
]
