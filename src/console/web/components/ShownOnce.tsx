import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyId } from './CopyButton.tsx'
import { Hint } from './Hint.tsx'
import { useLoss } from './losses.ts'
import { Warning } from './Warning.tsx'

/** What a dialog shows this once: a secret or a link. Leaving it by anything but its button asks first. */
export function ShownOnce(props: {
  title: string
  hint: string
  /** To be copied, each with its name. */
  values?: readonly (readonly [name: string, value: string])[]
  done: string
  onDone: () => void
  children?: ReactNode
}) {
  const { title, hint, values = [], done, onDone, children } = props
  useLoss()
  return (
    <Stack>
      <Warning role="status" title={title}>
        {hint}
      </Warning>
      {values.map(([name, value]) => (
        <div key={name}>
          <Hint>{name}</Hint>
          <CopyId id={value} what={name} />
        </div>
      ))}
      {children}
      <Group justify="flex-end">
        <Button onClick={onDone}>{done}</Button>
      </Group>
    </Stack>
  )
}
