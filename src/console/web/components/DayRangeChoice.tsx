import { NativeSelect } from '@mantine/core'
import { texts } from '../texts/texts.ts'
import { choicesOf } from './fields.ts'
import { type DayRange, dayRanges } from './times.ts'

const { days, dayRanges: labels, filters: words, otherDays } = texts.common
const other = 'other'

export interface Days {
  readonly since: string
  readonly until: string
}

/** Chooses the days of a list at once; what the fields of its first and last day say otherwise are "other days". */
export function DayRangeChoice({ since, until, onChange }: Days & { readonly onChange: (next: Days) => void }) {
  const ranges = dayRanges(new Date())
  const [chosen] = Object.entries(ranges).find(([, days]) => days.since === since && days.until === until) ?? [other]
  const value = since === '' && until === '' ? '' : chosen
  const data = [
    { value: '', label: words.any },
    ...choicesOf(labels),
    ...(value === other ? [{ value, label: otherDays }] : []),
  ]
  return (
    <NativeSelect
      label={days}
      value={value}
      data={data}
      // Of the choices, only "other" is no range, and it is chosen already.
      onChange={event => onChange(ranges[event.currentTarget.value as DayRange] ?? { since: '', until: '' })}
    />
  )
}
