import { NativeSelect, type NativeSelectProps } from '@mantine/core'

interface Props extends Omit<NativeSelectProps, 'onChange' | 'value'> {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** One of several, as the browser and the telephone show it: the library's own list is 6 kB of the page. */
export const Choice = ({ onChange, ...props }: Props) => (
  <NativeSelect {...props} onChange={event => onChange(event.currentTarget.value)} />
)
