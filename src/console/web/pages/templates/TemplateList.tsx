import { ActionIcon, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconPlus, IconRefresh } from '@tabler/icons-react'
import { Link, useLocation, useParams } from 'wouter'
import { lineName } from '../../../../base/direction.ts'
import { listedMax } from '../../../../templates/authoring/lifecycle.ts'
import { useWorkspace } from '../../app/session.tsx'
import { Breaking } from '../../components/Breaking.tsx'
import { Choice } from '../../components/Choice.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { choicesOf } from '../../components/fields.ts'
import { Hint } from '../../components/Hint.tsx'
import { Loaded, Placeholder } from '../../components/Loaded.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Pages } from '../../components/Pages.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { tile } from '../../components/tile.ts'
import { useFilters } from '../../components/useFilters.ts'
import { templates as words } from '../../texts/en/templates.ts'
import { texts } from '../../texts/texts.ts'
import { languageName } from './languageNames.ts'
import { PhonePreview } from './PhonePreview.tsx'
import {
  type ListedTemplates,
  listPath,
  newPath,
  type ShownTemplate,
  templatePath,
  useLiveTemplates,
  useTemplateChange,
  useTemplateLines,
  useTemplates,
} from './queries.ts'
import { TemplateNumbers } from './TemplateNumbers.tsx'
import { isRefused, TemplateStatus } from './TemplateStatus.tsx'

/** While the user types, the list is requested once. */
const typingMs = 250
const at = (offset: number) => ({ offset: String(offset) })
const noFilters = { search: '', status: '', order: '', offset: '0' }

/** The templates of a line, each as a phone shows it. */
export function TemplateList() {
  const { id: workspaceId, can } = useWorkspace()
  const { phoneNumberId = '' } = useParams()
  const [filters, change, isFiltered] = useFilters(noFilters)
  const offset = Number(filters.offset) || 0
  const lines = useTemplateLines().data?.phoneNumbers ?? []
  const [line] = lines
  useLiveTemplates()
  const list = useTemplates(phoneNumberId, { ...filters, offset })
  const sync = useTemplateChange((routes, _: null) => routes.templates.sync.post({ phoneNumberId }))
  const mayChange = can('member')
  const create = mayChange && (
    <Button component={Link} href={newPath(workspaceId, phoneNumberId)} leftSection={<IconPlus size={16} />}>
      {words.create}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={words.title}
        description={
          lines.length > 1 && <LineChoice workspaceId={workspaceId} phoneNumberId={phoneNumberId} lines={lines} />
        }
        actions={create}
      />
      <Stack>
        {sync.error && <ErrorView error={sync.error} />}
        <Filters filters={filters} statuses={list.data?.statuses ?? []} onChange={change} />
        <Loaded query={list} waiting={<Placeholder h={260} />}>
          {data => (
            <>
              <Group gap={4}>
                <Text size="sm" c="dimmed" role="status">
                  {sync.data ? words.synced(sync.data.synced) : words.count(data.total)}
                  {line && lines.length === 1 && (
                    <>
                      {` · ${words.line}: `}
                      <bdi>{lineName(line)}</bdi>
                    </>
                  )}
                </Text>
                {mayChange && (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={words.sync}
                    title={words.sync}
                    loading={sync.isPending}
                    onClick={() => sync.mutate(null)}
                  >
                    <IconRefresh size={16} />
                  </ActionIcon>
                )}
              </Group>
              {data.templates.length === 0 &&
                (isFiltered ? (
                  <NoneFits onClear={() => change(noFilters)} />
                ) : (
                  <EmptyList title={words.none} hint={`${words.description} ${words.noneHint}`} action={create} />
                ))}
              <div className="tiles" style={tile('max(15.5rem, 30%)')}>
                {data.templates.map(template => (
                  <Entry
                    key={template.id}
                    workspaceId={workspaceId}
                    template={template}
                    href={templatePath(workspaceId, phoneNumberId, template.id)}
                  />
                ))}
              </div>
              <Pages
                back={[[words.previousPage, offset > 0 ? at(Math.max(0, offset - listedMax)) : null]]}
                next={[words.nextPage, data.next === null ? null : at(data.next)]}
                onChange={change}
              />
            </>
          )}
        </Loaded>
      </Stack>
    </>
  )
}

/** The search and the statuses of the list. */
function Filters(props: {
  filters: Readonly<Record<'search' | 'status' | 'order', string>>
  statuses: ListedTemplates['statuses']
  onChange: (next: Partial<typeof noFilters>) => void
}) {
  const { filters, statuses, onChange } = props
  return (
    <div className="filter-row">
      <SearchField
        type="search"
        aria-label={texts.common.search}
        placeholder={words.search}
        value={filters.search}
        onChange={search => onChange({ search, offset: '0' })}
        typingMs={typingMs}
      />
      <Choice
        aria-label={words.statusFilter}
        value={filters.status}
        onChange={status => onChange({ status, offset: '0' })}
        data={[
          { value: '', label: words.allStatuses },
          ...statuses.map(({ status, count }) => ({
            value: status,
            label: `${words.statuses[status] ?? status} (${count})`,
          })),
        ]}
      />
      <Choice
        aria-label={words.order}
        value={filters.order}
        onChange={order => onChange({ order, offset: '0' })}
        data={choicesOf(words.orders)}
      />
    </div>
  )
}

const NoneFits = ({ onClear }: { onClear: () => void }) => (
  <EmptyList
    title={words.nothingFound}
    action={
      <Button variant="default" onClick={onClear}>
        {texts.common.clearFilters}
      </Button>
    }
  />
)

function Entry(props: { workspaceId: string; template: ShownTemplate; href: string }) {
  const { workspaceId, template, href } = props
  const { name, language, category, status, reason, draft } = template
  const stated = reason?.reason ? (words.reasons[reason.reason] ?? reason.reason) : reason?.words
  const why = stated ?? words.statusHints[status]
  return (
    <Paper withBorder component="article" className="template-entry">
      <Stack gap={4} p="sm">
        <Group justify="space-between" gap="xs">
          <Link href={href} className="row-link breakable" data-row-link>
            <Breaking text={name} />
          </Link>
          <TemplateStatus status={status} />
        </Group>
        <Hint>
          {languageName(language)} · {words.categories[category as keyof typeof words.categories] ?? category}
        </Hint>
        {why && (
          <Text size="sm" {...(isRefused(status) && { c: 'var(--mantine-color-error)' })}>
            {why}
          </Text>
        )}
        <TemplateNumbers workspaceId={workspaceId} template={template} isListed />
      </Stack>
      <PhonePreview draft={draft} />
    </Paper>
  )
}

/** Whose templates are shown. */
function LineChoice(props: {
  workspaceId: string
  phoneNumberId: string
  lines: NonNullable<ReturnType<typeof useTemplateLines>['data']>['phoneNumbers']
}) {
  const { workspaceId, phoneNumberId, lines } = props
  const [, navigate] = useLocation()
  return (
    <Choice
      aria-label={words.line}
      size="xs"
      w="14rem"
      value={phoneNumberId}
      onChange={line => line && navigate(listPath(workspaceId, line))}
      data={lines.map(line => ({
        value: line.id,
        label: line.active ? lineName(line) : `${lineName(line)} (${words.inactive})`,
      }))}
    />
  )
}
