import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyId } from '../../components/CopyId.tsx'
import { Hint } from '../../components/Hint.tsx'
import { useLoss } from '../../components/losses.ts'
import { Warning } from '../../components/Warning.tsx'
import { webhooks as webhookWords } from '../../texts/en/webhooks.ts'

const words = webhookWords

/** A new secret, shown only once. */
export function WebhookSecret(props: { title: string; secret: string; onDone: () => void; children?: ReactNode }) {
  const { title, secret, onDone, children } = props
  useLoss()
  return (
    <Stack>
      <Warning role="status" title={title}>
        {words.secretHint}
      </Warning>
      <div>
        <Hint>{words.secret}</Hint>
        <CopyId id={secret} what={words.secret} />
      </div>
      {children}
      <Group justify="flex-end">
        <Button onClick={onDone}>{words.copied}</Button>
      </Group>
    </Stack>
  )
}
