import { Anchor } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useWorkspaceQuery } from '../../app/workspaceData.ts'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { dayControls, FilterBar } from '../../components/FilterBar.tsx'
import { choicesOf } from '../../components/fields.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Pages } from '../../components/Pages.tsx'
import { Time } from '../../components/Time.tsx'
import { dayStart } from '../../components/times.ts'
import { useFilters } from '../../components/useFilters.ts'
import { audit as words } from '../../texts/en/audit.ts'
import { texts } from '../../texts/texts.ts'
import { useMembers } from '../members/queries.ts'
import { type AuditEntry, AuditSubject, Sentence } from './Sentence.tsx'

const noFilters = { by: '', action: '', subject: '', since: '', until: '' }

const kinds = choicesOf(words.kinds)

/** Who changed what in the workspace, the newest first. */
export function AuditPage() {
  const [filters, setFilters] = useFilters({ ...noFilters, after: '' })
  const { after, since: first, until: last, ...chosen } = filters
  const isFiltered = [...Object.values(chosen), first, last].some(value => value !== '')
  const [since, until] = [dayStart(first)?.getTime(), dayStart(last, 1)?.getTime()]
  const query = {
    ...Object.fromEntries(Object.entries({ ...chosen, after }).filter(([, value]) => value !== '')),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  }
  const list = useWorkspaceQuery(['audit', query], routes => routes.audit.get({ query }), {
    placeholderData: keepPreviousData,
  })
  const known = useMembers()
  const members = known.data?.members ?? []
  const change = (next: Partial<typeof filters>) => setFilters({ after: '', ...next })
  const { next = null } = list.data ?? {}
  const people = [
    ...members.map(({ name, email }) => ({ value: `console:${email}`, label: name ?? email })),
    { value: 'cli', label: words.commands },
  ]
  /** An address of the console is a member's name, and a user of the machine is said to be one. */
  const nameOf = (by: string) => {
    const [, kind, name = by] = /^(\w+):(.*)$/.exec(by) ?? []
    if (kind === 'cli') return words.byCommand(name)
    return people.find(({ value }) => value === by)?.label ?? name
  }
  const columns: readonly Column<AuditEntry>[] = [
    {
      header: words.by,
      place: 'who',
      render: ({ by }) => (
        <Anchor
          component="button"
          type="button"
          inherit
          ta="start"
          c="inherit"
          className="sign-link breakable"
          onClick={() => change({ by })}
        >
          <bdi>{nameOf(by)}</bdi>
        </Anchor>
      ),
    },
    { header: words.what, place: 'more', render: entry => <Sentence entry={entry} /> },
    { header: words.at, place: 'when', render: ({ at }) => <Time at={at} /> },
    {
      header: words.id,
      place: 'act',
      isUnnamed: true,
      render: entry => <AuditSubject entry={entry} onChoose={() => change({ subject: entry.subject })} />,
    },
  ]
  return (
    <>
      <PageHeader title={words.title} description={words.description} />
      <FilterBar
        controls={{
          by: { label: words.by, of: people },
          action: { label: words.kind, of: kinds },
          ...dayControls(words),
        }}
        filters={filters}
        onChange={change}
        onClear={isFiltered ? () => change(noFilters) : null}
      />
      <DataTable
        label={words.title}
        columns={columns}
        // Not by their addresses first, and then by their names.
        rows={known.isPending ? undefined : list.data?.entries}
        keyOf={({ id }) => String(id)}
        query={list}
        isStale={list.isPlaceholderData}
        empty={
          isFiltered ? (
            <EmptyList title={words.noneFiltered} hint={words.noneFilteredHint} />
          ) : (
            <EmptyList title={words.none} hint={words.noneHint} />
          )
        }
      />
      <Pages
        back={[[texts.common.newest, after === '' ? null : { after: '' }]]}
        next={[texts.common.older, next === null ? null : { after: String(next) }]}
        onChange={setFilters}
      />
    </>
  )
}
