import { Button, Group, NativeSelect, Stack, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { useWorkspace } from '../../app/session.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { fieldErrors } from '../../components/formErrors.ts'
import { localTime } from '../../components/times.ts'
import { texts } from '../../texts/texts.ts'
import { endOf, expiryChoices, networksOf } from './limits.ts'
import type { ApiKey } from './queries.ts'

const words = texts.apiKeys
/** The end stays as it is. */
const asNow = 'asNow'

/** Changes when a key ends and where it can be used from. */
export function LimitForm({ apiKey: key, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const { id: workspaceId } = useWorkspace()
  const queries = useQueryClient()
  const { expiresAt } = key
  const choices =
    expiresAt === null ? expiryChoices : [{ value: asNow, label: localTime(new Date(expiresAt)) }, ...expiryChoices]
  const form = useForm({
    initialValues: {
      expires: expiresAt === null ? 'never' : asNow,
      networks: key.allowedNetworks?.join('\n') ?? '',
    },
  })
  const limit = useMutation({
    mutationFn: ({ expires, networks }: { expires: string; networks: string }) =>
      answerOf(
        api
          .workspaces({ workspaceId })
          ['api-keys']({ keyId: key.apiKey })
          .limits.put({
            expiresAt: expires === asNow ? expiresAt : endOf(expires),
            allowedNetworks: networksOf(networks),
          }),
      ),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['workspace', workspaceId] })
      onDone()
    },
    onError: thrown => {
      const { allowedNetworks } = fieldErrors(thrown)
      if (allowedNetworks) form.setErrors({ networks: allowedNetworks })
    },
  })
  return (
    <form onSubmit={form.onSubmit(values => limit.mutate(values))} noValidate>
      <Stack>
        <NativeSelect
          label={words.expires}
          description={words.expiresHint}
          data={choices}
          data-autofocus
          {...form.getInputProps('expires')}
        />
        <Textarea
          label={words.networks}
          description={words.networksHint}
          autosize
          minRows={2}
          {...form.getInputProps('networks')}
        />
        {limit.error && <ErrorView error={limit.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" loading={limit.isPending}>
            {texts.common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
