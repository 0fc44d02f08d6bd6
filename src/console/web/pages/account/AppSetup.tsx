import { Center, PasswordInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { CopyId } from '../../components/CopyButton.tsx'
import { Form, useForm } from '../../components/Form.tsx'
import { Hint } from '../../components/Hint.tsx'
import { texts } from '../../texts/texts.ts'

const words = texts.account
const routes = api.auth.account['second-factor']

type Started = NonNullable<Awaited<ReturnType<typeof routes.start.post>>['data']>

interface SetupProps {
  readonly onCodes: (codes: readonly string[]) => void
  readonly onCancel: () => void
}

/** Password, then the picture and a first code. */
export function AppSetup({ onCodes, onCancel }: SetupProps) {
  const [secret, setSecret] = useState<Started | null>(null)
  if (secret) return <FirstCode {...secret} onCodes={onCodes} onCancel={onCancel} />
  return (
    <PasswordStep
      action={words.next}
      onPassword={async password => setSecret(await answerOf(routes.start.post({ password })))}
      onCancel={onCancel}
    />
  )
}

function FirstCode({ secret, qr, onCodes, onCancel }: SetupProps & Started) {
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
        <QrCode {...qr} label={words.qrName} />
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

/** Black on white in the dark too, because cameras expect it. */
function QrCode({ size, path, label }: { size: number; path: string; label: string }) {
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width={220}
      height={220}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
