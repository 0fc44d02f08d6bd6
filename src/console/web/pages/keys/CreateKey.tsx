import { Button, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { useWorkspace } from '../../app/session.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { fieldErrors } from '../../components/formErrors.ts'
import { texts } from '../../texts/texts.ts'
import { KeySecret } from './KeySecret.tsx'
import { endOf, expiryChoices, networksOf } from './limits.ts'

const words = texts.apiKeys
const initialValues = { label: '', expires: 'never', networks: '' }

/** A form, and then the key with its secret. */
export function CreateKey({ onDone }: { onDone: () => void }) {
  const { id: workspaceId } = useWorkspace()
  const queries = useQueryClient()
  const form = useForm({ initialValues })
  const create = useMutation({
    mutationFn: async ({ label, expires, networks }: typeof initialValues) => {
      const created = await answerOf(
        api.workspaces({ workspaceId })['api-keys'].post({
          ...(label.trim() !== '' && { label: label.trim() }),
          expiresAt: endOf(expires),
          allowedNetworks: networksOf(networks),
        }),
      )
      await queries.invalidateQueries({ queryKey: ['workspace', workspaceId] })
      return created
    },
    onError: thrown => {
      const { allowedNetworks, expiresAt, ...rest } = fieldErrors(thrown)
      form.setErrors({
        ...rest,
        ...(allowedNetworks && { networks: allowedNetworks }),
        ...(expiresAt && { expires: expiresAt }),
      })
    },
  })
  if (create.data) return <KeySecret {...create.data} onDone={onDone} />
  return (
    <form onSubmit={form.onSubmit(values => create.mutate(values))} noValidate>
      <Stack>
        <TextInput
          label={words.label}
          description={words.labelHint}
          maxLength={120}
          data-autofocus
          {...form.getInputProps('label')}
        />
        <NativeSelect
          label={words.expires}
          description={words.expiresHint}
          data={expiryChoices}
          {...form.getInputProps('expires')}
        />
        <Textarea
          label={words.networks}
          description={words.networksHint}
          autosize
          minRows={2}
          {...form.getInputProps('networks')}
        />
        {create.error && <ErrorView error={create.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {words.create}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
