import { PasswordInput, Text } from '@mantine/core'
import { Form, useForm } from '../../components/Form.tsx'
import { texts } from '../../texts/texts.ts'

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
    refusals: 'atField',
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
