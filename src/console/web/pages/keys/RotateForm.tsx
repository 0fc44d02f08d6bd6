import { NativeSelect, Text } from '@mantine/core'
import { answerOf } from '../../api/client.ts'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { Form, useForm } from '../../components/Form.tsx'
import { texts } from '../../texts/texts.ts'
import { KeySecret } from './KeySecret.tsx'

const words = texts.apiKeys
const choices = Object.entries(words.graceChoices).map(([value, label]) => ({ value, label }))

/** Chooses how long the old key still works, and then shows the successor with its secret. */
export function RotateForm({ keyId, onDone }: { keyId: string; onDone: () => void }) {
  const { routes, refresh } = useWorkspaceRoutes()
  const form = useForm({
    initial: { grace: '24' },
    send: ({ grace }) => answerOf(routes['api-keys']({ keyId }).rotate.post({ graceHours: Number(grace) })),
    onSuccess: () => void refresh(),
  })
  if (form.sent.data) return <KeySecret {...form.sent.data.key} onDone={onDone} />
  return (
    <Form form={form} submit={words.rotate} onCancel={onDone}>
      <Text size="sm">{words.rotateHint}</Text>
      <NativeSelect label={words.grace} data={choices} data-autofocus {...form.text('grace')} />
    </Form>
  )
}
