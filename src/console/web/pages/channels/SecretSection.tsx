import { Button, Group, PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { Form, useForm } from '../../components/Form.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { connect as connectWords, channel as words } from '../../texts/en/channel.ts'
import { texts } from '../../texts/texts.ts'
import type { Channel } from './queries.ts'

/** The secrets that can be replaced, with label and title. */
const kinds = {
  accessToken: { title: words.setToken, label: connectWords.accessToken, isSecret: true },
  appSecret: { title: words.setAppSecret, label: connectWords.appSecret, isSecret: true },
  appId: { title: words.setAppId, label: connectWords.appId, isSecret: false },
} as const
type Kind = keyof typeof kinds

/** Replaces the access token, the app secret or the app's id. */
export function SecretSection({ channel }: { channel: Channel }) {
  const [kind, setKind] = useState<Kind | null>(null)
  return (
    <Section
      title={words.secretsTitle}
      anchor="secrets"
      hint={
        <>
          {words.secretsHint} {texts.channels.secretsChanged} <Time at={channel.secretsChangedAt} precision="day" />.
          {channel.appId !== null && ` ${connectWords.appId}: ${channel.appId}.`}
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
  const { routes, change } = useWorkspaceRoutes()
  const { label, isSecret } = kinds[kind]
  const form = useForm({
    initial: { [kind]: '' } as Readonly<Record<string, string>>,
    rules: {
      [kind]: (value: string) =>
        value.trim() === ''
          ? connectWords.requiredRule
          : isSecret || /^\d{5,20}$/.test(value.trim())
            ? null
            : connectWords.digitsRule,
    },
    noValidate: true,
    send: given => change(routes.channels({ channelId }).patch({ [kind]: given[kind]?.trim() })),
    onSuccess: onDone,
  })
  const Input = isSecret ? PasswordInput : TextInput
  return (
    <Form form={form} submit={words.replace} onCancel={onDone}>
      <Input label={label} autoComplete="off" required data-autofocus {...form.text(kind)} />
      {kind === 'accessToken' && <Hint>{connectWords.checked}</Hint>}
    </Form>
  )
}
