import { Button, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFilter } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { texts } from '../texts/texts.ts'
import { DayRangeChoice, isDayRange } from './DayRangeChoice.tsx'
import { namedBy, unfiltered } from './fields.ts'
import { SearchField } from './SearchField.tsx'
import { tile } from './tile.ts'

const words = texts.common.filters

export interface FilterControl {
  readonly label: string
  /** What can be chosen, or the kind of what is entered; `lastDate`: the day that a range ends with. */
  readonly of:
    | readonly { readonly value: string; readonly label: string }[]
    | 'text'
    | 'date'
    | 'lastDate'
    | 'datetime-local'
}

/** Of `2026-01-31T09:30`; the address may have a longer moment. */
const inputLengths = { date: 10, 'datetime-local': 16 } as const

/** Of a field with a date or a text; of choices alone, three stand beside each other on a telephone. */
const dateWidth = '9rem'
const choiceWidth = 'min(9rem, 29%)'

/** A list with this range of days also offers the common ones. */
export const dayControls = (words: { readonly since: string; readonly until: string }) =>
  ({ since: { label: words.since, of: 'date' }, until: { label: words.until, of: 'lastDate' } }) as const

/**
 * The search and the filters of a list. Each change begins at the newest entry.
 * @param props `first`: what is always shown; the `controls` are collapsed then, in their order, each a filter of its
 *   name
 */
export function FilterBar<Name extends string>(props: {
  first?: ReactNode
  controls: Readonly<Record<Name, FilterControl>>
  filters: Readonly<Record<NoInfer<Name>, string>>
  onChange: (next: { readonly [Changed in Name]?: string }) => void
  /** Clears the search too; null where nothing is filtered by. */
  onClear: (() => void) | null
}) {
  const { first, controls, filters, onChange, onClear } = props
  const names = Object.keys(controls) as Name[]
  const [isOpen, more] = useDisclosure(!first || names.some(name => filters[name] !== ''))
  // The names of the range are those of `dayControls`.
  const { since, until } = filters as Readonly<Record<string, string | undefined>>
  const [areOtherDays, setOtherDays] = useState(false)
  const hasDays = since !== undefined && until !== undefined && 'since' in controls
  const days = hasDays && (
    <DayRangeChoice
      {...{ since, until, isOther: areOtherDays, isInRow: first !== undefined }}
      onChange={next => {
        setOtherDays(false)
        onChange(next as Parameters<typeof onChange>[0])
      }}
      onOther={() => {
        setOtherDays(true)
        more.open()
      }}
    />
  )
  // Beside the choice, the fields of its first and last day would say the same once more.
  const isSaid = hasDays && !areOtherDays && isDayRange({ since, until })
  const asked = names.filter(name => !isSaid || (name !== 'since' && name !== 'until'))
  const hasDates = asked.some(name => typeof controls[name].of === 'string')
  const clear = onClear && (
    <Button variant="subtle" onClick={onClear}>
      {texts.common.clearFilters}
    </Button>
  )
  return (
    <Stack gap="sm" mb="md" role="search" aria-label={words.label}>
      {first && (
        <div className="filter-row">
          {first}
          {days}
          <Button
            variant={isOpen ? 'light' : 'default'}
            className="sign-on-telephone"
            leftSection={<IconFilter size={16} />}
            onClick={more.toggle}
            aria-expanded={isOpen}
            aria-controls="more-filters"
          >
            {isOpen ? words.fewer : words.more}
          </Button>
          {clear}
        </div>
      )}
      <div hidden={!isOpen} id="more-filters">
        <div className="tiles" style={{ ...tile(hasDates ? dateWidth : choiceWidth), alignItems: 'end' }}>
          {!first && days}
          {asked.map(name => (
            <FilterField
              key={name}
              control={controls[name]}
              value={filters[name]}
              // The name is one of them.
              onChange={value => onChange({ [name]: value } as { [Changed in Name]?: string })}
            />
          ))}
          {!first && clear}
        </div>
      </div>
    </Stack>
  )
}

export function FilterField(props: {
  control: FilterControl
  value: string
  onChange: (value: string) => void
  isInRow?: boolean
}) {
  const { control, value, onChange, isInRow = false } = props
  const { label, of } = control
  if (typeof of !== 'string') {
    // The address may name something that no longer exists; it is still the active filter.
    const isGone = value !== '' && !of.some(choice => choice.value === value)
    const any = { value: '', label: unfiltered(label, isInRow) }
    const data = [any, ...of, ...(isGone ? [{ value, label: value }] : [])]
    return (
      <NativeSelect
        {...namedBy(label, isInRow)}
        value={value}
        data={data}
        onChange={event => onChange(event.currentTarget.value)}
      />
    )
  }
  if (of === 'text') return <SearchField label={label} leftSection={null} value={value} onChange={onChange} />
  const type = of === 'lastDate' ? 'date' : of
  return (
    <TextInput
      type={type}
      label={label}
      value={(of === 'lastDate' ? lastDayOf(value) : value).slice(0, inputLengths[type])}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}

/** The address may have a moment, at which the range ends: that day is none of it. */
function lastDayOf(value: string): string {
  const end = value.includes('T') ? Date.parse(value) : Number.NaN
  return Number.isNaN(end) ? value : new Date(end - 1).toISOString()
}
