import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { useWorkspace } from '../../app/session.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { fieldErrors } from '../../components/formErrors.ts'
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
  const { id: workspaceId } = useWorkspace()
  const queries = useQueryClient()
  const form = useForm({
    initialValues: { upstreamPhoneId, number },
    validate: {
      upstreamPhoneId: value => (/^[\w-]{1,64}$/.test(value.trim()) ? null : texts.connect.digitsRule),
      number: value => (value.trim() === '' ? texts.connect.requiredRule : null),
    },
  })
  const add = useMutation({
    mutationFn: (values: { upstreamPhoneId: string; number: string }) =>
      answerOf(
        api.workspaces({ workspaceId }).lines.post({
          channelId,
          upstreamPhoneId: values.upstreamPhoneId.trim(),
          number: values.number,
        }),
      ),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['workspace', workspaceId] })
      onClose()
    },
    onError: thrown => form.setErrors(fieldErrors(thrown)),
  })
  return (
    <form onSubmit={form.onSubmit(values => add.mutate(values))} noValidate>
      <Stack>
        <TextInput
          label={words.lineNumber}
          description={words.lineNumberHint}
          type="tel"
          required
          data-autofocus
          {...form.getInputProps('number')}
        />
        <TextInput
          label={words.upstreamPhoneId}
          description={words.upstreamPhoneIdHint}
          required
          {...form.getInputProps('upstreamPhoneId')}
        />
        {add.error && <ErrorView error={add.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" loading={add.isPending}>
            {words.addLine}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
