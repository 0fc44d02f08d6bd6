import { Text, TextInput, type TextInputProps, VisuallyHidden } from '@mantine/core'

/** Enough for every number of a template; what is longer could not be counted exactly. */
const digitsMax = 9

/** A whole number, or none. What is no digit is not taken. @param unit behind the number */
export function NumberField(props: {
  label: string
  description: string
  unit: string
  value: number | null
  onChange: (value: number | null) => void
  /** Its problem, and what is to be done when it was left. */
  field: Pick<TextInputProps, 'error' | 'onBlur'>
  placeholder?: string
}) {
  const { description, unit, value, onChange, field, ...rest } = props
  return (
    <TextInput
      {...rest}
      {...field}
      // The library says which texts describe its field: those below its name.
      description={
        <>
          {description} <VisuallyHidden>({unit})</VisuallyHidden>
        </>
      }
      inputMode="numeric"
      maxLength={digitsMax}
      rightSection={
        <Text size="xs" c="dimmed" aria-hidden>
          {unit}
        </Text>
      }
      rightSectionWidth={72}
      value={value ?? ''}
      onChange={({ currentTarget }) => {
        const digits = currentTarget.value.replace(/\D/g, '')
        onChange(digits === '' ? null : Number(digits))
      }}
    />
  )
}
