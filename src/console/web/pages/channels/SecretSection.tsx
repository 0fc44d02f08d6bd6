import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { useWorkspace } from '../../app/session.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { fieldErrors } from '../../components/formErrors.ts'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { texts } from '../../texts/texts.ts'
import type { Channel } from './queries.ts'

const words = texts.channel

/** What can be replaced, with its label and title. */
const kinds = {
  accessToken: { title: words.setToken, label: texts.connect.accessToken, isSecret: true },
  appSecret: { title: words.setAppSecret, label: texts.connect.appSecret, isSecret: true },
  appId: { title: words.setAppId, label: texts.connect.appId, isSecret: false },
} as const
type Kind = keyof typeof kinds

/** Replaces the access token, the app secret or the app's id. */
export function SecretSection({ channel }: { channel: Channel }) {
  const [kind, setKind] = useState<Kind | null>(null)
  return (
    <Section
      title={words.secretsTitle}
      hint={
        <>
          {words.secretsHint} {texts.channels.secretsChanged} <Time at={channel.secretsChangedAt} precision="day" />.
          {channel.appId !== null && ` ${texts.connect.appId}: ${channel.appId}.`}
        </>
      }
    >
      <Group>
        {(Object.keys(kinds) as Kind[]).map(name => (
          <Button key={name} variant="default" onClick={() => setKind(name)}>
            {kinds[name].title}
          </Button>
        ))}
      </Group>
      <FormDialog opened={kind !== null} onClose={() => setKind(null)} title={kind === null ? '' : kinds[kind].title}>
        {kind !== null && <ReplaceForm channelId={channel.id} kind={kind} onDone={() => setKind(null)} />}
      </FormDialog>
    </Section>
  )
}

function ReplaceForm({ channelId, kind, onDone }: { channelId: string; kind: Kind; onDone: () => void }) {
  const { id: workspaceId } = useWorkspace()
  const queries = useQueryClient()
  const { label, isSecret } = kinds[kind]
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { [kind]: '' } as Record<string, string>,
    validate: {
      [kind]: (value: string) =>
        value.trim() === ''
          ? texts.connect.requiredRule
          : isSecret || /^\d{5,20}$/.test(value.trim())
            ? null
            : texts.connect.digitsRule,
    },
  })
  const replace = useMutation({
    mutationFn: (value: string) => {
      const route = api.workspaces({ workspaceId }).channels({ channelId })
      switch (kind) {
        case 'accessToken':
          return answerOf(route['access-token'].put({ accessToken: value }))
        case 'appSecret':
          return answerOf(route['app-secret'].put({ appSecret: value }))
        case 'appId':
          return answerOf(route['app-id'].put({ appId: value }))
      }
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['workspace', workspaceId] })
      onDone()
    },
    onError: thrown => form.setErrors(fieldErrors(thrown)),
  })
  const Input = isSecret ? PasswordInput : TextInput
  return (
    <form onSubmit={form.onSubmit(values => replace.mutate((values[kind] ?? '').trim()))} noValidate>
      <Stack>
        <Input
          key={form.key(kind)}
          label={label}
          autoComplete="off"
          required
          data-autofocus
          {...form.getInputProps(kind)}
        />
        {kind === 'accessToken' && (
          <Text size="sm" c="dimmed">
            {texts.connect.checked}
          </Text>
        )}
        {replace.error && <ErrorView error={replace.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" loading={replace.isPending}>
            {words.replace}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
