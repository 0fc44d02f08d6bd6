import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { answerOf } from '../../api/client.ts'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { Form, useForm } from '../../components/Form.tsx'
import { labelled } from '../../components/labelled.ts'
import { texts } from '../../texts/texts.ts'
import { KeySecret } from './KeySecret.tsx'
import { endOf, expiryChoices, networksOf } from './limits.ts'

const words = texts.apiKeys

/** A form, and then the key with its secret. */
export function CreateKey({ onDone }: { onDone: () => void }) {
  const { routes, refresh } = useWorkspaceRoutes()
  const form = useForm({
    initial: { label: '', expiresAt: 'never', allowedNetworks: '' },
    refusals: 'atFieldAndBelow',
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
      <TextInput {...labelled(words, 'label')} maxLength={120} data-autofocus {...form.text('label')} />
      <NativeSelect {...labelled(words, 'expires')} data={expiryChoices} {...form.text('expiresAt')} />
      <Textarea {...labelled(words, 'networks')} autosize minRows={2} {...form.text('allowedNetworks')} />
    </Form>
  )
}
