import { TextInput, type TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { texts } from '../texts/texts.ts'

/** As long as the searches of the gateway take. */
const charsMax = 200

/** The field of the palette. It is there before the code of the palette is, so that what somebody types is not lost. */
export function PaletteField(props: TextInputProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const { current } = field
    current?.focus()
    // Behind what was typed so far.
    current?.setSelectionRange(current.value.length, current.value.length)
  }, [])
  return (
    <TextInput
      ref={field}
      size="md"
      variant="unstyled"
      px="md"
      py="xs"
      leftSection={<IconSearch size={18} />}
      placeholder={texts.palette.placeholder}
      aria-label={texts.palette.title}
      autoComplete="off"
      spellCheck={false}
      maxLength={charsMax}
      {...props}
    />
  )
}
