import { Checkbox, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

/** In place of a list of choices, which is one text with commas. */
export const all = 'all'

/** All of them, or some: these are offered only then. The value is one text, for a form. */
export function Choices(props: {
  label: string
  description: string
  error: string | undefined
  value: string
  onChange: (value: string) => void
  whole: string
  choices: readonly { readonly value: string; readonly label: ReactNode; readonly description?: string }[]
}) {
  const { value, onChange, whole, choices, ...group } = props
  return (
    <Checkbox.Group
      {...group}
      value={listOf(value)}
      onChange={chosen => onChange(chosen.includes(all) ? all : chosen.join())}
    >
      <Stack gap="xs" my="xs">
        <Checkbox value={all} label={whole} />
        {value !== all && choices.map(choice => <Checkbox key={choice.value} {...choice} ml="lg" />)}
      </Stack>
    </Checkbox.Group>
  )
}

const listOf = (text: string): string[] => text.split(',').filter(part => part !== '')

/** @returns the chosen ones; null: all */
export const chosenOf = (value: string): string[] | null => (value === all ? null : listOf(value))
