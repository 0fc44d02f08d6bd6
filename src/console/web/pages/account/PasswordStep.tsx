import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorView } from '../../components/ErrorView.tsx'
import { fieldErrors } from '../../components/formErrors.ts'
import { texts } from '../../texts/texts.ts'

/** Asks for the password again, before something that protects the account is changed. */
export function PasswordStep({
  hint,
  action,
  onPassword,
  onCancel,
}: {
  hint?: string
  action: string
  onPassword: (password: string) => Promise<unknown>
  onCancel: () => void
}) {
  const [password, setPassword] = useState('')
  const confirm = useMutation({ mutationFn: () => onPassword(password) })
  const wrong = confirm.error ? fieldErrors(confirm.error).password : undefined
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        confirm.mutate()
      }}
    >
      <Stack>
        {hint && <Text size="sm">{hint}</Text>}
        <PasswordInput
          label={texts.account.currentPassword}
          autoComplete="current-password"
          required
          data-autofocus
          value={password}
          onChange={event => setPassword(event.currentTarget.value)}
          error={wrong}
        />
        {confirm.error && !wrong && <ErrorView error={confirm.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" loading={confirm.isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
