import { Anchor, Text } from '@mantine/core'
import { useWorkspace } from '../../app/session.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { FilterBar, type FilterControl, FilterField } from '../../components/FilterBar.tsx'
import { choicesOf } from '../../components/fields.ts'
import { whole } from '../../components/numbers.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Pages } from '../../components/Pages.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { Time } from '../../components/Time.tsx'
import { useFilters } from '../../components/useFilters.ts'
import { translated } from '../../texts/said.ts'
import { texts } from '../../texts/texts.ts'
import {
  noRequestFilters,
  type Request,
  type RequestChoices,
  type RequestFilters,
  useRequestChoices,
  useRequests,
} from './queries.ts'

const words = texts.requests

/** The last calls of the workspace's API keys, newest first. */
export function RequestsPage() {
  const { id: workspaceId } = useWorkspace()
  const [filters, changeFilters, isFiltered] = useFilters({ ...noRequestFilters, older: '' })
  const list = useRequests(filters)
  const { older = null } = list.data ?? {}
  const change = (next: Partial<RequestFilters>) => changeFilters({ older: '', ...next })
  return (
    <>
      <PageHeader title={words.title} description={words.description} />
      <FilterBar
        first={
          <>
            <SearchField
              type="search"
              aria-label={words.searchLabel}
              placeholder={words.search}
              value={filters.requestId || filters.messageId}
              onChange={text => change(idOf(text.trim()))}
            />
            <FilterField
              control={{ label: words.outcome, of: outcomes }}
              value={filters.outcome}
              onChange={outcome => change({ outcome })}
              isInRow
            />
          </>
        }
        controls={controlsOf(useRequestChoices().data ?? { keys: [], calls: [], reasons: [] })}
        filters={filters}
        onChange={change}
        onClear={isFiltered ? () => change(noRequestFilters) : null}
      />
      <DataTable
        label={words.title}
        columns={columns}
        rows={list.data?.requests}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/w/${workspaceId}/requests/${id}`}
        query={list}
        empty={isFiltered ? <EmptyList title={words.noneFits} hint={words.noneFitsHint} /> : <NoneYet />}
        isStale={list.isPlaceholderData}
      />
      <Pages
        back={[[texts.common.newest, filters.older === '' ? null : { older: '' }]]}
        next={[texts.common.older, older === null ? null : { older }]}
        onChange={changeFilters}
      />
    </>
  )
}

/** Ids of messages have a prefix that ids of callers hardly have. */
const idOf = (text: string) =>
  text.startsWith('msg_') ? { messageId: text, requestId: '' } : { messageId: '', requestId: text }

const outcomes = choicesOf(words.outcomes)

const named = (value: string) => ({ value, label: value })

/** The filters below the search. Each is a parameter of the address and of the route with its name. */
const controlsOf = ({
  keys,
  calls,
  reasons,
}: RequestChoices): Readonly<
  Record<Exclude<keyof typeof noRequestFilters, 'requestId' | 'messageId' | 'outcome'>, FilterControl>
> => ({
  keyId: { label: words.key, of: keys.map(({ id, label }) => ({ value: id, label: label ?? id })) },
  call: { label: words.call, of: calls.map(named) },
  reason: { label: words.reason, of: reasons.map(value => ({ value, label: words.reasons[value] ?? value })) },
  since: { label: words.since, of: 'datetime-local' },
  until: { label: words.until, of: 'datetime-local' },
})

const columns: readonly Column<Request>[] = [
  // Beside the time there is room for it.
  { header: words.call, place: 'who', render: ({ call }) => <span style={{ whiteSpace: 'nowrap' }}>{call}</span> },
  {
    header: words.key,
    place: 'what',
    render: ({ key }) => <bdi className="breakable">{key.label ?? words.unnamedKey}</bdi>,
  },
  { header: words.status, place: 'how', render: request => <How request={request} /> },
  {
    header: words.duration,
    place: 'aside',
    isNumber: true,
    render: ({ durationMs }) => words.ms(whole(Math.round(durationMs))),
  },
  { header: words.when, place: 'when', render: ({ at }) => <Time at={at} precision="relative" /> },
]

function How({ request: { status, reason, about } }: { request: Request }) {
  const what = reason === null ? '' : (words.reasons[reason] ?? reason)
  // A code of the platform says what was refused, and by whom.
  const [field = '', more] = about?.replace(/^\//, '').split(' +') ?? []
  const why = reason === 'CHANNEL_GRAPH_ERROR' ? (about ?? what) : about ? words.about(what, field, more) : what
  return (
    <>
      <RequestStatus status={status} />
      {reason !== null && (
        <Text size="xs" className="one-line failure" maw="18rem">
          {translated(why)}
        </Text>
      )}
    </>
  )
}

/** How a call was answered: the status of HTTP. */
export function RequestStatus({ status }: { status: number }) {
  const tone = status < 400 ? 'good' : status < 500 ? 'warning' : 'bad'
  return <StatusBadge tone={tone}>{String(status)}</StatusBadge>
}

const NoneYet = () => (
  <EmptyList
    title={words.none}
    hint={words.noneHint}
    action={
      <Anchor href="/docs" target="_blank">
        {words.noneAction}
      </Anchor>
    }
  />
)
