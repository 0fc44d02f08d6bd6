import {
  Button,
  Checkbox,
  Collapse,
  Group,
  InputBase,
  Loader,
  Popover,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconFilter } from '@tabler/icons-react'
import { type FilterChoice, FilterSelect } from '../../components/FilterSelect.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { texts } from '../../texts/texts.ts'
import { type Choices, type FilterName, type Filters, noFilters, useChoices } from './queries.ts'
import { statuses, types } from './words.ts'

const { filters: words, statuses: statusWords, types: typeWords } = texts.messages

interface Control {
  readonly label: string
  /** What can be chosen; a day when it is left out. */
  readonly choices?: (of: Choices) => readonly FilterChoice[]
  /** Whether the day is the last one: the moment of an address, at which it ends, is none of it. */
  readonly isEnd?: boolean
}

/** The filters below the search, in their order. Each is a parameter of the address and of the route with its name. */
const controls: Readonly<Record<Exclude<FilterName, 'q' | 'status'>, Control>> = {
  lineId: { label: words.line, choices: ({ lines }) => lines.map(({ id, number }) => ({ value: id, label: number })) },
  keyId: { label: words.key, choices: ({ keys }) => keys.map(({ id, label }) => ({ value: id, label: label ?? id })) },
  type: { label: words.type, choices: () => types.map(value => ({ value, label: typeWords[value] })) },
  template: {
    label: words.template,
    choices: ({ templates }) => templates.map(name => ({ value: name, label: name })),
  },
  cause: {
    label: words.cause,
    choices: ({ causes }) => causes.map(({ cause, words: what }) => ({ value: cause, label: what })),
  },
  since: { label: words.since },
  until: { label: words.until, isEnd: true },
}
const folded = Object.keys(controls) as (keyof typeof controls)[]

/** `2026-01-31`; the address may have a moment. */
function dayOf(value: string, isEnd: boolean): string {
  const end = isEnd && value.includes('T') ? Date.parse(value) : Number.NaN
  return (Number.isNaN(end) ? value : new Date(end - 1).toISOString()).slice(0, '2026-01-31'.length)
}

/** The search and the filters of the list. Each change begins at the newest message. */
export function MessageFilters(props: {
  filters: Filters
  onChange: (next: Partial<Filters>) => void
  isFiltered: boolean
  isSearching: boolean
}) {
  const { filters, onChange, isFiltered, isSearching } = props
  const choices = useChoices().data ?? { lines: [], keys: [], templates: [], causes: [] }
  const [isOpen, more] = useDisclosure(folded.some(name => filters[name] !== ''))
  const filterOf = (name: keyof typeof controls) => (
    <Filter
      key={name}
      control={controls[name]}
      choices={choices}
      value={filters[name]}
      onChange={value => onChange({ [name]: value })}
    />
  )
  return (
    <Stack gap="sm" mb="md" role="search" aria-label={words.label}>
      <Group gap="sm" align="flex-end">
        <SearchField
          type="search"
          aria-label={texts.messages.searchLabel}
          placeholder={texts.messages.search}
          value={filters.q}
          onChange={q => onChange({ q })}
          rightSection={isSearching && <Loader size={16} aria-label={texts.messages.searching} />}
          flex="1 1 18rem"
        />
        <StatusFilter value={filters.status} onChange={status => onChange({ status })} />
        <Button
          variant="default"
          leftSection={<IconFilter size={16} />}
          onClick={more.toggle}
          aria-expanded={isOpen}
          aria-controls="more-filters"
        >
          {isOpen ? words.fewer : words.more}
        </Button>
        {isFiltered && (
          <Button variant="subtle" onClick={() => onChange(noFilters)}>
            {texts.common.clearFilters}
          </Button>
        )}
      </Group>
      <Collapse expanded={isOpen} id="more-filters">
        <SimpleGrid cols={{ base: 2, sm: 4, lg: 7 }} spacing="sm">
          {folded.map(filterOf)}
        </SimpleGrid>
      </Collapse>
    </Stack>
  )
}

/** Any of several statuses, in the address with commas. */
function StatusFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const chosen = value === '' ? [] : value.split(',')
  const toggle = (status: string) => statuses.filter(one => (one === status) !== chosen.includes(one)).join()
  const names = statuses.filter(status => chosen.includes(status)).map(status => statusWords[status])
  const shown = names.join(', ') || words.any
  return (
    <Popover position="bottom-start" trapFocus>
      <Popover.Target>
        <InputBase
          component="button"
          type="button"
          label={words.status}
          aria-label={`${words.status}: ${shown}`}
          pointer
          rightSection={<IconChevronDown size={14} />}
          maw="14rem"
        >
          <span className="one-line">{shown}</span>
        </InputBase>
      </Popover.Target>
      <Popover.Dropdown aria-label={words.status}>
        <Stack gap="xs">
          {statuses.map(status => (
            <Checkbox
              key={status}
              label={statusWords[status]}
              checked={chosen.includes(status)}
              onChange={() => onChange(toggle(status))}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

function Filter(props: { control: Control; choices: Choices; value: string; onChange: (value: string) => void }) {
  const { control, choices, value, onChange } = props
  const { label } = control
  if (!control.choices) {
    return (
      <TextInput
        type="date"
        label={label}
        value={dayOf(value, control.isEnd === true)}
        onChange={event => onChange(event.currentTarget.value)}
      />
    )
  }
  return (
    <FilterSelect label={label} all={words.any} choices={control.choices(choices)} value={value} onChange={onChange} />
  )
}
