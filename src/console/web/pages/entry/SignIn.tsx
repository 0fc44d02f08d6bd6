import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { keepSession } from '../../api/access.ts'
import { answerOf, openApi } from '../../api/client.ts'
import { toFailure } from '../../api/failure.ts'
import { returnPathOf } from '../../app/session.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { texts } from '../../texts/texts.ts'
import { EntryFrame } from './EntryFrame.tsx'

/** Email and password, then the code where the account asks for one. */
export function SignIn() {
  const [, navigate] = useLocation()
  const search = useSearch()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [needsCode, setNeedsCode] = useState(false)

  const signIn = useMutation({
    mutationFn: async () => {
      const given = needsCode ? { code: code.trim() } : {}
      return keepSession(await answerOf(openApi.auth.login.post({ email, password, ...given })))
    },
    onSuccess: () => navigate(returnPathOf(search), { replace: true }),
    onError: thrown => {
      if (toFailure(thrown).reason === 'SECOND_FACTOR_REQUIRED') setNeedsCode(true)
    },
  })
  const failure = signIn.error ? toFailure(signIn.error) : null
  const isRefused = failure !== null && failure.reason !== 'SECOND_FACTOR_REQUIRED'
  const { entry } = texts

  return (
    <EntryFrame title={entry.signIn}>
      <form
        onSubmit={event => {
          event.preventDefault()
          signIn.mutate()
        }}
      >
        <Stack>
          {needsCode ? (
            <>
              <Text size="sm" role="status">
                {entry.codeWanted}
              </Text>
              <TextInput
                label={entry.code}
                description={entry.codeHint}
                autoComplete="one-time-code"
                required
                autoFocus
                value={code}
                onChange={event => setCode(event.currentTarget.value)}
              />
            </>
          ) : (
            <>
              <TextInput
                label={entry.email}
                type="email"
                autoComplete="username"
                required
                autoFocus
                value={email}
                onChange={event => setEmail(event.currentTarget.value)}
              />
              <PasswordInput
                label={entry.password}
                autoComplete="current-password"
                required
                value={password}
                onChange={event => setPassword(event.currentTarget.value)}
              />
            </>
          )}
          {isRefused && <Refusal failure={failure} />}
          <Button type="submit" loading={signIn.isPending} fullWidth>
            {entry.signIn}
          </Button>
          {needsCode ? (
            <Button
              variant="subtle"
              onClick={() => {
                setNeedsCode(false)
                setPassword('')
                setCode('')
                signIn.reset()
              }}
            >
              {entry.otherAccount}
            </Button>
          ) : (
            <Stack gap="xs">
              {[entry.firstUser, entry.forgotten].map(hint => (
                <Text key={hint} size="sm" c="dimmed">
                  {hint}
                </Text>
              ))}
            </Stack>
          )}
        </Stack>
      </form>
    </EntryFrame>
  )
}

/** A wrong password is no fault to report: the sentence alone says all. */
function Refusal({ failure }: { failure: ReturnType<typeof toFailure> }) {
  if (failure.status !== 401) return <ErrorView error={failure} />
  return (
    <Text c="var(--mantine-color-error)" size="sm" role="alert">
      {failure.message}
    </Text>
  )
}
