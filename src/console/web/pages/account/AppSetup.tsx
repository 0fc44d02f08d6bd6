import { Center, PasswordInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { encode } from 'uqr'
import { answerOf, api } from '../../api/client.ts'
import { CopyId } from '../../components/CopyButton.tsx'
import { Form, useForm } from '../../components/Form.tsx'
import { Hint } from '../../components/Hint.tsx'
import { texts } from '../../texts/texts.ts'

const words = texts.account
const routes = api.auth.account['second-factor']

interface SetupProps {
  readonly onCodes: (codes: readonly string[]) => void
  readonly onCancel: () => void
}

/** Password, then the picture and a first code. */
export function AppSetup({ onCodes, onCancel }: SetupProps) {
  const [secret, setSecret] = useState<{ readonly secret: string; readonly uri: string } | null>(null)
  if (secret) return <FirstCode {...secret} onCodes={onCodes} onCancel={onCancel} />
  return (
    <PasswordStep
      action={words.next}
      onPassword={async password => setSecret(await answerOf(routes.start.post({ password })))}
      onCancel={onCancel}
    />
  )
}

function FirstCode({ secret, uri, onCodes, onCancel }: SetupProps & { secret: string; uri: string }) {
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

/** Light modules around the code, which cameras need (ISO/IEC 18004: four). */
const borderModules = 4

/** A QR code, drawn here: the text goes to no other host. Black on white in the dark too, because cameras expect it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: borderModules })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
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
