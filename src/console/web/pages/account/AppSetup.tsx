import { Button, Center, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { CopyId } from '../../components/CopyId.tsx'
import { Form, useForm } from '../../components/Form.tsx'
import { Hint } from '../../components/Hint.tsx'
import { useLoss } from '../../components/losses.ts'
import { texts } from '../../texts/texts.ts'
import { QrCode } from './QrCode.tsx'

const words = texts.account
const routes = api.auth.account['second-factor']

/** Password, then the picture and a first code, then the recovery codes. */
export function AppSetup({ onCancel, onDone }: { onCancel: () => void; onDone: () => void }) {
  const [secret, setSecret] = useState<{ readonly secret: string; readonly uri: string } | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />
  if (secret) return <FirstCode {...secret} onCodes={setCodes} onCancel={onCancel} />
  return (
    <PasswordStep
      action={words.next}
      onPassword={async password => setSecret(await answerOf(routes.start.post({ password })))}
      onCancel={onCancel}
    />
  )
}

function FirstCode(props: {
  secret: string
  uri: string
  onCodes: (codes: readonly string[]) => void
  onCancel: () => void
}) {
  const { secret, uri, onCodes, onCancel } = props
  const form = useForm({
    initial: { code: '' },
    send: async ({ code }) => (await answerOf(routes.confirm.post({ code: code.trim() }))).recoveryCodes,
    onSuccess: onCodes,
  })
  return (
    <Form form={form} submit={words.confirm} onCancel={onCancel}>
      <Text fw={600}>{words.scanTitle}</Text>
      <Hint>{words.scanHint}</Hint>
      <Center>
        <QrCode text={uri} label={words.qrName} />
      </Center>
      <div>
        <Hint>{words.key}</Hint>
        <CopyId id={secret} what={words.key} />
      </div>
      <TextInput
        label={words.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        data-autofocus
        {...form.text('code')}
      />
    </Form>
  )
}

/** Shown only once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  useLoss()
  return (
    <Stack>
      <Text fw={600} role="status">
        {words.codesTitle}
      </Text>
      <Text size="sm">{words.codesHint}</Text>
      <CodeBlock text={codes.join('\n')} what={words.codes} />
      <Group justify="flex-end">
        <Button onClick={onDone}>{words.codesKept}</Button>
      </Group>
    </Stack>
  )
}

/** Asks for the password again, before something that protects the account is changed. */
export function PasswordStep(props: {
  hint?: string
  action: string
  onPassword: (password: string) => Promise<unknown>
  onCancel: () => void
}) {
  const { hint, action, onPassword, onCancel } = props
  const form = useForm({
    initial: { password: '' },
    send: ({ password }) => onPassword(password),
  })
  return (
    <Form form={form} submit={action} onCancel={onCancel}>
      {hint && <Text size="sm">{hint}</Text>}
      <PasswordInput
        label={texts.account.currentPassword}
        autoComplete="current-password"
        required
        data-autofocus
        {...form.text('password')}
      />
    </Form>
  )
}
