import {
  Button,
  Checkbox,
  Group,
  List,
  Paper,
  PasswordInput,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { answerOf, api } from '../../api/client.ts'
import { toFailure } from '../../api/failure.ts'
import { useWorkspace } from '../../app/session.tsx'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { fieldErrors } from '../../components/formErrors.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { texts } from '../../texts/texts.ts'

const words = texts.connect

const initialValues = { accountId: '', accessToken: '', appSecret: '', appId: '', addLines: true }

const secretRule = (value: string) => {
  const text = value.trim()
  if (text === '') return words.requiredRule
  return /^[\x21-\x7e]+$/.test(text) ? null : words.secretRule
}

/** The account is connected already. */
const isKnown = (thrown: unknown) => toFailure(thrown).reason === 'CONFLICT'

/** Connects an account of the platform, which is read with the token before anything is stored. */
export function ConnectPage() {
  const { id: workspaceId } = useWorkspace()
  const [, navigate] = useLocation()
  const queries = useQueryClient()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues,
    validateInputOnBlur: true,
    validate: {
      accountId: value =>
        value.trim() === '' ? words.requiredRule : /^\d{1,64}$/.test(value.trim()) ? null : words.digitsRule,
      accessToken: secretRule,
      appSecret: secretRule,
      appId: value => (/^(\d{5,20})?$/.test(value.trim()) ? null : words.digitsRule),
    },
  })
  const [known, setKnown] = useState<typeof initialValues | null>(null)
  const connect = useMutation({
    mutationFn: ({ appId, accountId, ...rest }: typeof initialValues & { replaces?: boolean }) =>
      answerOf(
        api.workspaces({ workspaceId }).channels.post({
          ...rest,
          accountId: accountId.trim(),
          ...(appId.trim() !== '' && { appId: appId.trim() }),
        }),
      ),
    onSuccess: async ({ channel }) => {
      await queries.invalidateQueries({ queryKey: ['workspace', workspaceId] })
      navigate(`/w/${workspaceId}/channels/${channel.id}`)
    },
    onError: (thrown, values) => {
      form.setErrors(fieldErrors(thrown))
      if (isKnown(thrown)) setKnown(values)
    },
  })
  return (
    <>
      <PageHeader
        title={words.title}
        description={words.description}
        back={{ to: `/w/${workspaceId}/channels`, label: texts.channels.title }}
      />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Paper withBorder p="md">
          <form onSubmit={form.onSubmit(values => connect.mutate(values))} noValidate>
            <Stack>
              <TextInput
                key={form.key('accountId')}
                label={words.accountId}
                description={words.accountIdHint}
                inputMode="numeric"
                autoComplete="off"
                required
                {...form.getInputProps('accountId')}
              />
              <PasswordInput
                key={form.key('accessToken')}
                label={words.accessToken}
                description={words.accessTokenHint}
                autoComplete="off"
                required
                {...form.getInputProps('accessToken')}
              />
              <PasswordInput
                key={form.key('appSecret')}
                label={words.appSecret}
                description={words.appSecretHint}
                autoComplete="off"
                required
                {...form.getInputProps('appSecret')}
              />
              <TextInput
                key={form.key('appId')}
                label={words.appId}
                description={words.appIdHint}
                inputMode="numeric"
                autoComplete="off"
                {...form.getInputProps('appId')}
              />
              <Checkbox
                key={form.key('addLines')}
                label={words.addLines}
                {...form.getInputProps('addLines', { type: 'checkbox' })}
              />
              {connect.error && !isKnown(connect.error) && <ErrorView error={connect.error} />}
              <Group justify="space-between">
                <Text size="sm" c="dimmed" flex="1 1 12rem">
                  {words.checked}
                </Text>
                <Button type="submit" loading={connect.isPending}>
                  {words.submit}
                </Button>
              </Group>
            </Stack>
          </form>
        </Paper>
        <Paper component="aside" withBorder p="md" h="fit-content">
          <Title order={2} size="h3" mb="sm">
            {words.guideTitle}
          </Title>
          <List type="ordered" spacing="xs" size="sm">
            {words.guide.map(step => (
              <List.Item key={step}>{step}</List.Item>
            ))}
          </List>
        </Paper>
      </SimpleGrid>
      <ConfirmDialog
        opened={known !== null}
        onClose={() => setKnown(null)}
        title={words.againTitle}
        confirmLabel={words.again}
        onConfirm={async () => known && connect.mutateAsync({ ...known, replaces: true })}
      >
        <Text size="sm">{words.againQuestion(known?.accountId.trim() ?? '')}</Text>
      </ConfirmDialog>
    </>
  )
}
