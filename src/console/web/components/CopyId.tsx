import { Code, Group } from '@mantine/core'
import { CopyButton } from './CopyButton.tsx'

/** An id that can be copied. @param what its name, for screen readers: `message id` */
export function CopyId({ id, what }: { id: string; what: string }) {
  return (
    <Group gap={2} wrap="nowrap" component="span" display="inline-flex" maw="100%">
      <Code className="breakable">{id}</Code>
      <CopyButton text={id} what={what} />
    </Group>
  )
}
