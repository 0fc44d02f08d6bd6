import { TextInput } from '@mantine/core'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { Form, useForm } from '../../components/Form.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { labelled } from '../../components/labelled.ts'
import { texts } from '../../texts/texts.ts'

const words = texts.channel

interface Props {
  readonly channelId: string
  readonly upstreamPhoneId?: string
  readonly number?: string
  readonly onClose: () => void
}

/** Adds a line by hand. */
export function AddLineDialog({ opened, ...props }: Props & { readonly opened: boolean }) {
  return (
    <FormDialog opened={opened} onClose={props.onClose} title={words.addLine}>
      <AddLineForm {...props} />
    </FormDialog>
  )
}

function AddLineForm({ channelId, upstreamPhoneId = '', number = '', onClose }: Props) {
  const { routes, change } = useWorkspaceRoutes()
  const form = useForm({
    initial: { upstreamPhoneId, number },
    rules: {
      upstreamPhoneId: value => (/^[\w-]{1,64}$/.test(value.trim()) ? null : texts.connect.digitsRule),
      number: value => (value.trim() === '' ? texts.connect.requiredRule : null),
    },
    refusals: 'atFieldAndBelow',
    noValidate: true,
    send: given => change(routes.lines.post({ channelId, ...given, upstreamPhoneId: given.upstreamPhoneId.trim() })),
    onSuccess: onClose,
  })
  return (
    <Form form={form} submit={words.addLine} onCancel={onClose}>
      <TextInput {...labelled(words, 'lineNumber')} type="tel" required data-autofocus {...form.text('number')} />
      <TextInput {...labelled(words, 'upstreamPhoneId')} required {...form.text('upstreamPhoneId')} />
    </Form>
  )
}
