import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { answerOf } from '../../api/client.ts'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { Form, useForm } from '../../components/Form.tsx'
import { texts } from '../../texts/texts.ts'
import { KeySecret } from './KeySecret.tsx'
import { endOf, expiryChoices, networksOf } from './limits.ts'

const words = texts.apiKeys

/** A form, and then the key with its secret. */
export function CreateKey({ onDone }: { onDone: () => void }) {
  const { routes, refresh } = useWorkspaceRoutes()
  const form = useForm({
    initial: { label: '', expiresAt: 'never', allowedNetworks: '' },
    refusals: 'both',
    send: ({ label, expiresAt, allowedNetworks }) =>
      answerOf(
        routes['api-keys'].post({
          ...(label.trim() !== '' && { label: label.trim() }),
          expiresAt: endOf(expiresAt),
          allowedNetworks: networksOf(allowedNetworks),
        }),
      ),
    onSuccess: () => void refresh(),
  })
  if (form.sent.data) return <KeySecret {...form.sent.data} onDone={onDone} />
  return (
    <Form form={form} submit={words.create} onCancel={onDone}>
      <TextInput
        label={words.label}
        description={words.labelHint}
        maxLength={120}
        data-autofocus
        {...form.text('label')}
      />
      <NativeSelect
        label={words.expires}
        description={words.expiresHint}
        data={expiryChoices}
        {...form.text('expiresAt')}
      />
      <Textarea
        label={words.networks}
        description={words.networksHint}
        autosize
        minRows={2}
        {...form.text('allowedNetworks')}
      />
    </Form>
  )
}
