import { Checkbox, ComboboxChevron, InputBase, Loader, Popover, Stack } from '@mantine/core'
import { byFieldFilter } from '../../../../../db/messageFields.ts'
import { lineName } from '../../../../base/direction.ts'
import { withoutOne } from '../../../../message/words.ts'
import { dayControls, FilterBar, type FilterControl } from '../../components/FilterBar.tsx'
import { choicesOf, unfiltered } from '../../components/fields.ts'
import { SearchField } from '../../components/SearchField.tsx'
import { translated } from '../../texts/said.ts'
import { texts } from '../../texts/texts.ts'
import { statuses } from './MessageStatus.tsx'
import { type Choices, type FilterName, type Filters, noFilters, useChoices } from './queries.ts'

const { fields: fieldWords, filters: words, statuses: statusWords, types: typeWords } = texts.messages
const { none } = texts.usage.parts

/** A filter by the value of a field is a text, unless its values are listed below. */
const fieldControls = byFieldFilter(({ field }): FilterControl => ({ label: fieldWords[field], of: 'text' }))

/** The filters below the search. Each is a parameter of the address and of the route with its name. */
const controlsOf = ({
  lines,
  keys,
  templates,
  languages,
  causes,
}: Choices): Readonly<Record<Exclude<FilterName, 'q' | 'status'>, FilterControl>> => ({
  line: { label: words.line, of: lines.map(each => ({ value: each.id, label: lineName(each) })) },
  key: {
    label: words.key,
    of: [...keys.map(({ id, label }) => ({ value: id, label: label ?? id })), { value: withoutOne, label: none.key }],
  },
  ...fieldControls,
  type: { label: fieldWords.type, of: choicesOf(typeWords) },
  template: {
    label: fieldWords.templateName,
    of: [...templates.map(name => ({ value: name, label: name })), { value: withoutOne, label: none.template }],
  },
  language: { label: fieldWords.templateLanguage, of: languages.map(value => ({ value, label: value })) },
  cause: {
    label: words.cause,
    of: causes.map(({ cause, words: what }) => ({ value: cause, label: translated(what) })),
  },
  ...dayControls(words),
})

const noChoices: Choices = { lines: [], keys: [], templates: [], languages: [], causes: [] }

/** The search and the filters of the list. */
export function MessageFilters(props: {
  filters: Filters
  onChange: (next: Partial<Filters>) => void
  isFiltered: boolean
  isSearching: boolean
}) {
  const { filters, onChange, isFiltered, isSearching } = props
  return (
    <FilterBar
      first={
        <>
          <SearchField
            type="search"
            aria-label={texts.messages.searchLabel}
            placeholder={texts.messages.search}
            value={filters.q}
            onChange={q => onChange({ q })}
            rightSection={isSearching && <Loader size={16} aria-label={texts.messages.searching} />}
          />
          <StatusFilter value={filters.status} onChange={status => onChange({ status })} />
        </>
      }
      controls={controlsOf(useChoices().data ?? noChoices)}
      filters={filters}
      onChange={onChange}
      onClear={isFiltered ? () => onChange(noFilters) : null}
    />
  )
}

/** Any of several statuses, in the address with commas. */
function StatusFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const chosen = value === '' ? [] : value.split(',')
  const toggle = (status: string) => statuses.filter(one => (one === status) !== chosen.includes(one)).join()
  const names = statuses.filter(status => chosen.includes(status)).map(status => statusWords[status])
  const shown = names.join(', ')
  return (
    <Popover position="bottom-start" trapFocus>
      <Popover.Target>
        <InputBase
          component="button"
          type="button"
          aria-label={shown ? `${words.status}: ${shown}` : undefined}
          pointer
          rightSection={<ComboboxChevron size="md" />}
          maw="14rem"
        >
          <span className="one-line" style={{ display: 'block' }}>
            {shown || unfiltered(words.status)}
          </span>
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
