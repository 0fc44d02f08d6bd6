import { Alert, type AlertProps } from '@mantine/core'

/** Something that a person has to look at. Its title is as dark as text: yellow on yellow could not be read. */
export const Warning = (props: AlertProps) => (
  <Alert color="yellow" styles={{ title: { color: 'var(--mantine-color-text)' } }} {...props} />
)
