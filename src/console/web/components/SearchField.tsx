import { TextInput, type TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { searchField } from '../app/keyboard.ts'

interface Props extends Omit<TextInputProps, 'onChange' | 'value'> {
  readonly value: string
  readonly onChange: (value: string) => void
  /** A pause in typing: the list follows without Enter. */
  readonly typingMs?: number
}

/** The search of a list; its value is in the address. */
export function SearchField({ value, onChange, typingMs = 400, ...props }: Props) {
  const [written, setWritten] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => {
    // The browser's history or cleared filters changed it.
    setWritten(value)
    return () => clearTimeout(timer.current)
  }, [value])
  const write = (text: string, waitMs: number) => {
    setWritten(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      // An unchanged search does nothing; it does not go back to the first page either.
      if (text !== value) onChange(text)
    }, waitMs)
  }
  return (
    <TextInput
      {...searchField}
      leftSection={<IconSearch size={16} />}
      value={written}
      onChange={event => write(event.currentTarget.value, typingMs)}
      onKeyDown={event => {
        if (event.key === 'Enter') write(written, 0)
      }}
      {...props}
    />
  )
}
