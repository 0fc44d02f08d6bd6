import { NativeSelect } from '@mantine/core'
import { texts } from '../texts/texts.ts'
import { choicesOf, namedBy, unfiltered } from './fields.ts'
import { type DayRange, dayRanges } from './times.ts'

const { days, dayRanges: labels, otherDays } = texts.common
const other = 'other'

export interface Days {
  readonly since: string
  readonly until: string
}

const rangeOf = ({ since, until }: Days) =>
  Object.entries(dayRanges(new Date())).find(([, days]) => days.since === since && days.until === until)?.[0]

/** Whether the choice alone says which days are meant: all, or those of a range. */
export const isDayRange = (days: Days): boolean =>
  (days.since === '' && days.until === '') || rangeOf(days) !== undefined

/**
 * Chooses the days of a list at once; what the fields of its first and last day say otherwise are "other days".
 * @param props.onOther those fields are asked for; without it there are none
 */
export function DayRangeChoice(
  props: Days & { isOther?: boolean; isInRow?: boolean; onChange: (next: Days) => void; onOther?: () => void },
) {
  const { since, until, isOther = false, isInRow = false, onChange, onOther } = props
  const ranges = dayRanges(new Date())
  const chosen = rangeOf({ since, until }) ?? other
  const value = isOther ? other : since === '' && until === '' ? '' : chosen
  const data = [
    { value: '', label: unfiltered(days, isInRow) },
    ...choicesOf(labels),
    ...(onOther || value === other ? [{ value: other, label: otherDays }] : []),
  ]
  return (
    <NativeSelect
      {...namedBy(days, isInRow)}
      value={value}
      data={data}
      onChange={({ currentTarget: { value: next } }) =>
        next === other ? onOther?.() : onChange(ranges[next as DayRange] ?? { since: '', until: '' })
      }
    />
  )
}
