import { TextInput, type TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { searchField } from '../app/keyboard.ts'

interface Props extends Omit<TextInputProps, 'onChange' | 'value'> {
  readonly value: string
  readonly onChange: (value: string) => void
  /** A pause in typing: the list follows without Enter. */
  readonly typingMs?: number
}

/** The search of a list, whose value stands in the address. */
export function SearchField({ value, onChange, typingMs = 400, ...props }: Props) {
  const [written, setWritten] = useState(value)
  // Another page of the browser's history, or cleared filters.
  useEffect(() => setWritten(value), [value])
  useEffect(() => {
    if (written === value) return
    const timer = setTimeout(() => onChange(written), typingMs)
    return () => clearTimeout(timer)
  }, [written, value, onChange, typingMs])
  return (
    <TextInput
      {...searchField}
      leftSection={<IconSearch size={16} />}
      value={written}
      onChange={event => setWritten(event.currentTarget.value)}
      onKeyDown={event => {
        if (event.key === 'Enter') onChange(written)
      }}
      {...props}
    />
  )
}
