import { NativeSelect } from '@mantine/core'

export interface FilterChoice {
  readonly value: string
  readonly label: string
}

/** A filter of a list, chosen from what there is. @param all the words for no filter */
export function FilterSelect(props: {
  label: string
  all: string
  choices: readonly FilterChoice[]
  value: string
  onChange: (value: string) => void
}) {
  const { label, all, choices, value, onChange } = props
  // The address may name something that no longer exists; it is still the active filter.
  const isGone = value !== '' && !choices.some(choice => choice.value === value)
  const data = [{ value: '', label: all }, ...choices, ...(isGone ? [{ value, label: value }] : [])]
  return (
    <NativeSelect label={label} value={value} data={data} onChange={event => onChange(event.currentTarget.value)} />
  )
}
