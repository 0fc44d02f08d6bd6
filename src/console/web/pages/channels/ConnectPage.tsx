import { Anchor, Checkbox, Group, List, Paper, PasswordInput, Text, TextInput, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { toFailure } from '../../api/failure.ts'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { Form, useForm } from '../../components/Form.tsx'
import { labelled } from '../../components/fields.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { WithCode } from '../../components/WithCode.tsx'
import { connect as words } from '../../texts/en/channel.ts'
import { texts } from '../../texts/texts.ts'

const initial = { accountId: '', accessToken: '', appSecret: '', appId: '', addLines: true, replaces: false }

const secretRule = (value: string) => {
  const text = value.trim()
  if (text === '') return words.requiredRule
  return /^[\x21-\x7e]+$/.test(text) ? null : words.secretRule
}

/** The account is connected already. */
const isKnown = (thrown: unknown) => toFailure(thrown).reason === 'CONFLICT'

/** Connects an account of the platform, which is read with the token before anything is stored. */
export function ConnectPage() {
  const { workspaceId, routes, change } = useWorkspaceRoutes()
  const [, navigate] = useLocation()
  const [known, setKnown] = useState<typeof initial | null>(null)
  const form = useForm({
    initial,
    rules: {
      accountId: value =>
        value.trim() === '' ? words.requiredRule : /^\d{1,64}$/.test(value.trim()) ? null : words.digitsRule,
      accessToken: secretRule,
      appSecret: secretRule,
      appId: value => (/^(\d{5,20})?$/.test(value.trim()) ? null : words.digitsRule),
    },
    checksLeft: true,
    noValidate: true,
    draftWithout: ['accessToken', 'appSecret'],
    send: ({ appId, accountId, ...rest }) =>
      change(
        routes.channels.post({
          ...rest,
          accountId: accountId.trim(),
          ...(appId.trim() !== '' && { appId: appId.trim() }),
        }),
      ),
    onSuccess: ({ channel }) => navigate(`/w/${workspaceId}/channels/${channel.id}`),
    onError: (thrown, values) => isKnown(thrown) && setKnown(values),
  })
  const submit = (button: ReactNode) => (
    <Group justify="space-between">
      <Text size="sm" c="dimmed" flex="1 1 12rem">
        {words.checked}
      </Text>
      {button}
    </Group>
  )
  return (
    <>
      <PageHeader
        title={words.title}
        description={words.description}
        back={{ to: `/w/${workspaceId}/channels`, label: texts.channels.title }}
      />
      <div className="halves">
        <Paper withBorder p="md">
          <Form
            form={form}
            submit={words.submit}
            actions={submit}
            refusal={failure => !isKnown(failure) && <ErrorView error={failure} />}
          >
            <TextInput
              {...labelled(words, 'accountId')}
              inputMode="numeric"
              autoComplete="off"
              required
              {...form.text('accountId')}
            />
            <PasswordInput
              {...labelled(words, 'accessToken')}
              autoComplete="off"
              required
              {...form.text('accessToken')}
            />
            <PasswordInput {...labelled(words, 'appSecret')} autoComplete="off" required {...form.text('appSecret')} />
            <TextInput {...labelled(words, 'appId')} inputMode="numeric" autoComplete="off" {...form.text('appId')} />
            <Checkbox
              label={words.addLines}
              checked={form.fields.addLines}
              onChange={event => form.set({ addLines: event.currentTarget.checked })}
            />
          </Form>
        </Paper>
        <Guide />
      </div>
      <ConfirmDialog
        opened={known !== null}
        onClose={() => setKnown(null)}
        title={words.againTitle}
        confirmLabel={words.again}
        onConfirm={async () => known && form.sent.mutateAsync({ ...known, replaces: true })}
      >
        <Text size="sm">{words.againQuestion(known?.accountId.trim() ?? '')}</Text>
      </ConfirmDialog>
    </>
  )
}

/** Where the values stand at the platform. */
const Guide = () => (
  <Paper component="aside" withBorder p="md" h="fit-content">
    <Title order={2} size="h3" mb="sm">
      {words.guideTitle}
    </Title>
    <List type="ordered" spacing="xs" size="sm">
      {words.guide.map(step => (
        <List.Item key={step}>
          <WithCode text={step} code={/(whatsapp_\w+)/} />
        </List.Item>
      ))}
    </List>
    <Anchor href="/docs/meta-setup" target="_blank" size="sm" display="block" mt="sm">
      {words.guideLink}
    </Anchor>
  </Paper>
)
